//! The log that the end-to-end tests wrote, exported and verified by the audit program.

use super::Run;
use crate::failure::Failure;
use crate::process::{output, run};
use crate::project::sibling_binary;
use crate::serve::Server;
use std::process::Command;

pub(super) fn check(shared: &mut Run) -> Result<(), Failure> {
    let server = shared.server.take().ok_or_else(|| Failure::new("there is no server to export from"))?;
    export_and_verify(&server)?;
    server.stop()
}

fn export_and_verify(server: &Server) -> Result<(), Failure> {
    let program = sibling_binary("grantlog")?;
    let directory = server.directory().join("export");
    let token = audit_token(server)?;
    let export = ["export", "--issuer", server.issuer(), "--token", token.trim(), "--out"];
    run(Command::new(&program).args(export).arg(&directory))?;
    run(Command::new(&program).arg("verify").arg(&directory))
}

fn audit_token(server: &Server) -> Result<String, Failure> {
    output(Command::new("node").args(["xtask/serve/operator_token.mjs", "audit"]).envs(server.environment()?))
}
