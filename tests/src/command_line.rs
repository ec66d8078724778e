//! The audit program, as an auditor runs it.

use crate::environment;
use std::{
    path::Path,
    process::{Command, Output},
};

/// What a run of it gave.
pub struct Ran {
    /// The exit code.
    pub code: i32,
    /// What it printed.
    pub printed: String,
}

/// Runs `grantlog` with these arguments; the token goes by the environment, never as an argument.
#[must_use]
pub fn grantlog(arguments: &[&str], token: Option<&str>) -> Ran {
    let mut command = Command::new(environment::audit_program());
    command.args(arguments);
    if let Some(token) = token {
        command.env("GRANTLOG_TOKEN", token);
    }
    let Output { status, stdout, stderr } = command.output().expect("the audit program starts");
    let printed = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    Ran { code: status.code().unwrap_or(-1), printed }
}

/// Exports every log of an issuer into a directory.
#[must_use]
pub fn export(issuer: &str, token: &str, into: &Path) -> Ran {
    grantlog(&["export", "--issuer", issuer, "--out", &into.display().to_string()], Some(token))
}

/// Verifies an export.
#[must_use]
pub fn verify(directory: &Path) -> Ran {
    grantlog(&["verify", &directory.display().to_string()], None)
}
