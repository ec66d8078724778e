//! Runs a program of this workspace against a fresh server, with what it needs to reach it in its
//! environment. The secret is never an argument, which others on the machine could read.

use crate::failure::Failure;
use crate::process;
use crate::serve::Server;
use std::process::Command;

/// Builds the audit CLI that the program will call, starts the server, runs, stops the server.
pub(crate) fn run(purpose: &str, command: &mut Command) -> Result<(), Failure> {
    process::run(&mut process::cargo(&["build", "--quiet", "-p", "grantlog-audit"]))?;
    let server = Server::start(purpose)?;
    process::run(command.envs(server.environment()?))?;
    server.stop()
}
