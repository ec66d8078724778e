//! The log that the end-to-end tests wrote: exported and verified by the audit program, and every view of it
//! made anew and compared with the live one.

use super::Run;
use crate::failure::Failure;
use crate::process::{output, run};
use crate::project::sibling_binary;
use crate::serve::Server;
use std::process::Command;

pub(super) fn check(shared: &mut Run) -> Result<(), Failure> {
    let server = shared.server.take().ok_or_else(|| Failure::new("there is no server to export from"))?;
    export_and_verify(&server)?;
    rebuild(&server)?;
    server.stop()
}

fn export_and_verify(server: &Server) -> Result<(), Failure> {
    let program = sibling_binary("grantlog")?;
    let directory = server.directory().join("export");
    let token = operator_token(server, "audit")?;
    let export = ["export", "--issuer", server.issuer(), "--token", token.trim(), "--out"];
    run(Command::new(&program).args(export).arg(&directory))?;
    run(Command::new(&program).arg("verify").arg(&directory))
}

fn rebuild(server: &Server) -> Result<(), Failure> {
    let token = operator_token(server, "admin")?;
    let rebuild = ["rebuild", "--issuer", server.issuer(), "--token", token.trim()];
    run(Command::new(sibling_binary("grantlog")?).args(rebuild))
}

fn operator_token(server: &Server, scope: &str) -> Result<String, Failure> {
    output(Command::new("node").args(["xtask/serve/operator_token.mjs", scope]).envs(server.environment()?))
}
