//! A port nobody listens on right now.

use crate::failure::Failure;
use std::net::TcpListener;

pub(crate) fn free_port() -> Result<u16, Failure> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(Failure::while_doing("finding a free port"))
}
