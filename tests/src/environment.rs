//! What `cargo xtask test` and `cargo xtask demo` leave in the environment.

use std::{env, path::PathBuf};

/// A variable that the caller of these programs sets; without it there is nothing to test.
fn required(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| {
        panic!("{name} is not set: these tests need a running server. Run `cargo xtask test`, which starts one.")
    })
}

/// The shared server's issuer.
#[must_use]
pub fn issuer() -> String {
    required("GRANTLOG_ISSUER")
}

/// The operator's client: id and secret.
#[must_use]
pub fn operator() -> (String, String) {
    (required("GRANTLOG_OPERATOR_ID"), required("GRANTLOG_OPERATOR_SECRET"))
}

/// The state directory of the shared server.
#[must_use]
pub fn state() -> PathBuf {
    required("GRANTLOG_STATE").into()
}

/// The file with all output of the shared server.
#[must_use]
pub fn server_log() -> PathBuf {
    required("GRANTLOG_SERVER_LOG").into()
}

/// The audit program.
#[must_use]
pub fn audit_program() -> PathBuf {
    required("GRANTLOG_CLI").into()
}

/// The program that serves.
#[must_use]
pub fn xtask() -> PathBuf {
    required("GRANTLOG_XTASK").into()
}

/// Whether the long form of a test was asked for (`GRANTLOG_LONG=1`).
#[must_use]
pub fn is_long() -> bool {
    env::var("GRANTLOG_LONG").is_ok_and(|value| value == "1")
}
