//! A server on fresh state for the length of one command: started, waited for, stopped.
//!
//! It is told to end when this process does, whatever the reason. Its state and its output stay
//! when the command failed, and go when it held.

use super::{PREBUILT, free_port};
use crate::config::Config;
use crate::failure::Failure;
use crate::project::{sibling_binary, this_binary};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

pub(crate) struct Server {
    child: Child,
    directory: PathBuf,
    issuer: String,
    operator: (String, String),
}

impl Server {
    /// Returns when the server answers. The Worker has to be built.
    pub(crate) fn start(purpose: &str) -> Result<Self, Failure> {
        let port = free_port()?;
        let directory = std::env::temp_dir().join(format!("grantlog-{purpose}-{}", std::process::id()));
        fs::create_dir_all(&directory).map_err(Failure::while_doing(directory.display()))?;
        let issuer = format!("http://127.0.0.1:{port}");
        let config = Config::load(Some(&issuer), port)?;
        let operator =
            (config.value("OPERATOR_CLIENT_ID").to_owned(), config.value("OPERATOR_CLIENT_SECRET").to_owned());
        let child = spawn(port, &issuer, &directory)?;
        let mut server = Self { child, directory, issuer, operator };
        server.wait_until_ready()?;
        Ok(server)
    }

    pub(crate) fn issuer(&self) -> &str {
        &self.issuer
    }

    pub(crate) fn directory(&self) -> &PathBuf {
        &self.directory
    }

    /// What a program needs to talk to this server, and to start others like it.
    pub(crate) fn environment(&self) -> Result<Vec<(&'static str, PathBuf)>, Failure> {
        Ok(vec![
            ("GRANTLOG_ISSUER", self.issuer.clone().into()),
            ("GRANTLOG_OPERATOR_ID", self.operator.0.clone().into()),
            ("GRANTLOG_OPERATOR_SECRET", self.operator.1.clone().into()),
            ("GRANTLOG_STATE", self.directory.join("state")),
            ("GRANTLOG_SERVER_LOG", self.directory.join("server.log")),
            ("GRANTLOG_CLI", sibling_binary("grantlog")?),
            ("GRANTLOG_XTASK", this_binary()?),
            (PREBUILT, "1".into()),
        ])
    }

    /// Stops the server, which must still be running, and removes its state.
    pub(crate) fn stop(mut self) -> Result<(), Failure> {
        let ended = self.child.try_wait().map_err(Failure::while_doing("looking at the server"))?;
        if let Some(status) = ended {
            return Err(self.failure(&format!("the server ended by itself with {status}")));
        }
        self.end();
        fs::remove_dir_all(&self.directory).map_err(Failure::while_doing(self.directory.display()))
    }

    fn wait_until_ready(&mut self) -> Result<(), Failure> {
        let stdout = self.child.stdout.take();
        let lines = stdout.map(|stdout| BufReader::new(stdout).lines());
        if lines.into_iter().flatten().map_while(Result::ok).any(|line| line.starts_with("ready ")) {
            return Ok(());
        }
        Err(self.failure("the server did not start"))
    }

    /// The sentence, after the end of what the server had to say.
    fn failure(&self, sentence: &str) -> Failure {
        let log = self.directory.join("server.log");
        let text = fs::read_to_string(&log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let tail = lines.iter().skip(lines.len().saturating_sub(20));
        // A lost line of context is no reason to hide the failure itself.
        tail.for_each(|line| drop(writeln!(std::io::stderr(), "  {line}")));
        Failure::new(sentence)
    }

    fn end(&mut self) {
        let id = self.child.id().to_string();
        let asked = Command::new("sh").args(["-c", "kill -TERM \"$1\"", "sh", &id]).status();
        if !asked.is_ok_and(|status| status.success()) {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.end();
        }
        if self.directory.exists() {
            eprintln!("the server's state and output are kept in {}", self.directory.display());
        }
    }
}

fn spawn(port: u16, issuer: &str, directory: &std::path::Path) -> Result<Child, Failure> {
    let log = File::create(directory.join("server.log")).map_err(Failure::while_doing("making the server's log"))?;
    Command::new("setpriv")
        .args(["--pdeathsig", "TERM", "--"])
        .arg(this_binary()?)
        .args(["serve", "--port", &port.to_string(), "--issuer", issuer, "--state"])
        .arg(directory.join("state"))
        .env(PREBUILT, "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .map_err(Failure::while_doing("starting the server"))
}
