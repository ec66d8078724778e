//! A client's own little server on loopback, which keeps what is posted to it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Duration,
};

/// A server that answers every post with 200 until it is dropped.
pub struct Listener {
    port: u16,
    posted: Receiver<String>,
}

impl Listener {
    /// Listens on a free port.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let (sender, posted) = channel();
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                if serve(connection, &sender).is_none() {
                    return;
                }
            }
        });
        Self { port, posted }
    }

    /// The address of a path here.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The next body that was posted, if one comes in time.
    #[must_use]
    pub fn next(&self, patience: Duration) -> Option<String> {
        self.posted.recv_timeout(patience).ok()
    }
}

/// `None` once nobody listens any more.
fn serve(mut connection: TcpStream, sender: &Sender<String>) -> Option<()> {
    let mut reader = BufReader::new(connection.try_clone().ok()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return Some(());
    }
    let _ = connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    sender.send(String::from_utf8_lossy(&body).into_owned()).ok()
}
