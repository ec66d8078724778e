//! A server of a test's own: started on a state directory, killed, started again on the same.

use crate::{Service, environment, random::unique};
use std::{
    env, fs,
    fs::File,
    io::{BufRead, BufReader, Read},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU16, Ordering},
    thread,
    time::Duration,
};

/// A state directory with a port, and the server that runs on it, if one does.
pub struct OwnServer {
    directory: PathBuf,
    port: u16,
    child: Option<Child>,
}

impl OwnServer {
    /// Starts one on fresh state.
    #[must_use]
    pub fn start(purpose: &str) -> Self {
        let directory = env::temp_dir().join(format!("grantlog-{purpose}-{}", unique()));
        fs::create_dir_all(&directory).expect("the directory of temporary files can be written");
        let mut server = Self { directory, port: free_port(), child: None };
        server.resume();
        server
    }

    /// Starts it again on the state that the last run left.
    pub fn resume(&mut self) {
        assert!(self.child.is_none(), "the server runs already");
        let log = File::options().create(true).append(true).open(self.log()).expect("the log can be written");
        // It ends with the thread that started it, whatever ends that.
        let mut child = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "--"])
            .arg(environment::xtask())
            .args(["serve", "--port", &self.port.to_string(), "--issuer", &self.issuer(), "--state"])
            .arg(self.state())
            .env("GRANTLOG_PREBUILT", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the server's program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output is piped"));
        let mut said = String::new();
        while lines.read_line(&mut said).is_ok_and(|read| read > 0)
            && !said.lines().any(|line| line.starts_with("ready "))
        {}
        assert!(said.contains("ready "), "the server did not start: {said}{}", self.tail());
        // The pipe must not fill up.
        thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        self.child = Some(child);
    }

    /// `kill -9`, and waits until nobody listens on the port.
    pub fn kill(&mut self) {
        let mut child = self.child.take().expect("the server runs");
        child.kill().expect("one's own child can be killed");
        child.wait().expect("one's own child can be waited for");
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", self.port)).is_err() {
                return;
            }
            thread::sleep(Duration::from_millis(25));
        }
        panic!("somebody still listens on the port of the killed server");
    }

    /// A client of it.
    #[must_use]
    pub fn service(&self) -> Service {
        Service::at(&self.issuer(), environment::operator())
    }

    /// Where its state lies.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.directory.join("state")
    }

    /// The file with what it printed.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.directory.join("server.log")
    }

    /// A directory for the test's own files.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    fn issuer(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn tail(&self) -> String {
        let text = fs::read_to_string(self.log()).unwrap_or_default();
        text.lines().rev().take(20).collect::<Vec<_>>().join("\n")
    }
}

/// State goes when the test held, and stays when it did not.
impl Drop for OwnServer {
    fn drop(&mut self) {
        if self.child.is_some() {
            self.kill();
        }
        if thread::panicking() {
            eprintln!("the server's state and output are kept in {}", self.directory.display());
        } else {
            drop(fs::remove_dir_all(&self.directory));
        }
    }
}

/// A port below those that the system gives to outgoing connections, so that nobody takes it while the server is
/// down for a moment.
fn free_port() -> u16 {
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let first = 20_000 + u16::try_from(std::process::id() % 10_000).unwrap_or_default();
    let beside = NEXT_PORT.fetch_add(1, Ordering::Relaxed);
    (first + beside..32_000).find(is_free).expect("a port is free")
}

/// Tests of one process begin their search at different ports.
static NEXT_PORT: AtomicU16 = AtomicU16::new(0);
