//! A client's own little server on loopback that is well, broken, silent or down, as it is told.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

/// How the server takes a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// 200.
    Well,
    /// 500.
    Broken,
    /// Never answers, and keeps the connection.
    Silent,
    /// Closes the connection at once.
    Down,
}

/// The server; it listens until the test ends.
pub struct Moody {
    port: u16,
    mood: Arc<Mutex<Mood>>,
    posted: Receiver<String>,
}

impl Moody {
    /// Listens on a free port, and is well.
    pub fn listen() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let mood = Arc::new(Mutex::new(Mood::Well));
        let (sender, posted) = channel();
        let held = Arc::clone(&mood);
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (sender, mood) = (sender.clone(), *held.lock().expect("nobody panics with it"));
                thread::spawn(move || serve(connection, mood, &sender));
            }
        });
        Self { port, mood, posted }
    }

    /// From now on.
    pub fn become_(&self, mood: Mood) {
        *self.mood.lock().expect("nobody panics with it") = mood;
    }

    /// The address of a path here.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The logout token of the next attempt, if one comes in time; empty of one that found it down.
    pub fn next(&self, patience: Duration) -> Option<String> {
        self.posted.recv_timeout(patience).ok()
    }
}

fn serve(mut connection: TcpStream, mood: Mood, sender: &Sender<String>) -> Option<()> {
    if mood == Mood::Down {
        return sender.send(String::new()).ok();
    }
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
    reader.read_exact(&mut body).ok()?;
    let form = String::from_utf8_lossy(&body).into_owned();
    sender.send(form.strip_prefix("logout_token=").unwrap_or_default().to_owned()).ok()?;
    let answer = match mood {
        Mood::Well | Mood::Down => "HTTP/1.1 200 OK",
        Mood::Broken => "HTTP/1.1 500 Internal Server Error",
        Mood::Silent => {
            // Until the other side gives up.
            drop(reader.read(&mut [0]));
            return None;
        }
    };
    connection.write_all(format!("{answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").as_bytes()).ok()
}
