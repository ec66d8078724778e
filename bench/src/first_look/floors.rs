//! The floor Workers, running for the length of one command.

use super::provider::Provider;
use crate::{Failure, load::Scenario, wire, workerd::Workerd};
use serde_json::{Value, json};
use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{self, Child, ChildStdin, Command, Stdio},
};

/// Node with the floors; it ends when its standard input closes, so also when this process is killed.
pub(crate) struct Floors {
    node: Child,
    input: Option<ChildStdin>,
    state: PathBuf,
    told: Value,
}

impl Floors {
    /// Returns when they listen.
    pub(crate) fn start(provider: &Provider) -> Result<Self, Failure> {
        let state = env::temp_dir().join(format!("grantlog-floors-{}", process::id()));
        let settings = json!({ "state": state, "claims": provider.claims(), "view": provider.view()? });
        let mut node = Command::new("node")
            .arg("bench/floors/serve.mjs")
            .env("GRANTLOG_FLOORS", settings.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (node.stdin.take(), node.stdout.take());
        let mut floors = Self { node, input, state, told: Value::Null };
        let mut line = String::new();
        BufReader::new(output.ok_or("no output to read")?).read_line(&mut line)?;
        floors.told = serde_json::from_str(&line).map_err(|_| "the floors did not start")?;
        Ok(floors)
    }

    pub(crate) fn scenarios(&self) -> Result<Vec<Scenario>, Failure> {
        Ok(vec![
            self.scenario("floor: empty", "empty", "ES256")?,
            self.scenario("floor: verify ES256 + KV read + JSON", "verify_and_view", "ES256")?,
            self.scenario("floor: verify RS256 + KV read + JSON", "verify_and_view", "RS256")?,
            self.scenario("floor: verify + object insert + sign ES256", "verify_and_append", "ES256")?,
            self.scenario("floor: verify + object insert + sign RS256", "verify_and_append", "RS256")?,
            self.scenario("floor: object read", "read_of_object", "ES256")?,
        ])
    }

    fn scenario(&self, name: &'static str, floor: &str, algorithm: &str) -> Result<Scenario, Failure> {
        let told = |member: &str, of: &str| self.told.get(member).and_then(|members| members.get(of)).cloned();
        let url = told("urls", floor).ok_or("a floor is missing")?;
        let port = url.as_str().and_then(|url| url.trim_end_matches('/').rsplit(':').next()?.parse().ok());
        let port = port.ok_or("a floor's URL names no port")?;
        let tokens = told("tokens", algorithm).ok_or("a floor's tokens are missing")?;
        let tokens = tokens.as_array().into_iter().flatten().filter_map(Value::as_str);
        let requests = tokens.map(|token| wire::get(port, "/", token)).collect();
        Ok(Scenario { name, port, workerd: Workerd::listening_on(port)?, requests })
    }
}

impl Drop for Floors {
    fn drop(&mut self) {
        drop(self.input.take());
        // What cannot be tidied up lies in the directory of temporary files.
        drop(self.node.wait());
        drop(fs::remove_dir_all(&self.state));
    }
}
