//! One kept connection: bytes out, one response of known length in. No more of HTTP than a load needs,
//! so that the loading side takes little of the machine it shares with the loaded.

use crate::Failure;
use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
    time::Duration,
};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection over which requests go one after the other.
pub(crate) struct Connection {
    port: u16,
    stream: TcpStream,
    received: Vec<u8>,
    lost: usize,
}

impl Connection {
    /// Connects to a port of this machine.
    pub(crate) fn open(port: u16) -> Result<Self, Failure> {
        Ok(Self { port, stream: connected(port)?, received: Vec::with_capacity(8 * 1024), lost: 0 })
    }

    /// How often the server closed it instead of answering.
    pub(crate) fn lost(&self) -> usize {
        self.lost
    }

    /// Sends a request and reads the answer to its end. Fails unless its status is 200.
    pub(crate) fn ask(&mut self, request: &[u8]) -> Result<(), Failure> {
        if self.status_of(request)? == 200 { Ok(()) } else { Err(self.text().into()) }
    }

    /// Sends a request and reads the answer to its end; answers with its status. A kept connection may end
    /// between two requests (RFC 9112 §9.3.1): then asks once more over a fresh one.
    pub(crate) fn status_of(&mut self, request: &[u8]) -> Result<u16, Failure> {
        match self.ask_once(request) {
            Err(_) if self.received.is_empty() => {
                self.stream = connected(self.port)?;
                self.lost += 1;
                self.ask_once(request)
            }
            asked => asked,
        }
    }

    fn ask_once(&mut self, request: &[u8]) -> Result<u16, Failure> {
        self.received.clear();
        self.stream.write_all(request)?;
        let body = loop {
            self.receive()?;
            if let Some(end) = self.received.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let head = String::from_utf8_lossy(self.received.get(..body).unwrap_or_default()).into_owned();
        let length = content_length(&head).ok_or_else(|| format!("an answer of unknown length: {head}"))?;
        while self.received.len() < body + length {
            self.receive()?;
        }
        let status =
            head.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).and_then(|digits| digits.parse().ok());
        status.ok_or_else(|| self.text().into())
    }

    /// The last answer's body.
    pub(crate) fn body(&self) -> String {
        self.text().split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()
    }

    /// A header of the last answer.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let text = self.text();
        let lines = text.split("\r\n\r\n").next()?.lines();
        let mut fields = lines.filter_map(|line| line.split_once(':'));
        fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned())
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.received).into_owned()
    }

    fn receive(&mut self) -> Result<(), Failure> {
        let mut piece = [0; 8 * 1024];
        let length = self.stream.read(&mut piece)?;
        if length == 0 {
            return Err(
                format!("the server closed a connection after {} bytes of an answer", self.received.len()).into()
            );
        }
        self.received.extend_from_slice(piece.get(..length).unwrap_or_default());
        Ok(())
    }
}

fn connected(port: u16) -> Result<TcpStream, Failure> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn content_length(head: &str) -> Option<usize> {
    let named = |line: &str| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    };
    head.lines().find_map(named)
}
