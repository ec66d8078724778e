//! The gates that are one command line.

use crate::failure::Failure;
use crate::process::{cargo, run};
use crate::wrangler::wrangler;

const WORKER_CRATES: [&str; 6] = ["-p", "grantlog", "-p", "grantlog-events", "-p", "grantlog-projections"];

pub(super) fn format() -> Result<(), Failure> {
    run(&mut cargo(&["fmt", "--all", "--check"]))
}

pub(super) fn clippy() -> Result<(), Failure> {
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// The Worker's own code exists on this target only.
pub(super) fn clippy_for_wasm() -> Result<(), Failure> {
    let mut command = cargo(&["clippy", "--target", "wasm32-unknown-unknown"]);
    run(command.args(WORKER_CRATES).args(["--", "-D", "warnings"]))
}

pub(super) fn native_tests(long: bool) -> Result<(), Failure> {
    let mut command = cargo(&["test", "--workspace", "--exclude", "grantlog-tests"]);
    if long {
        command.env("PROPTEST_CASES", "20000");
    }
    run(&mut command)
}

/// Libraries only: the audit program and the Worker's library have the same name.
pub(super) fn documentation() -> Result<(), Failure> {
    run(cargo(&["doc", "--workspace", "--lib", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

pub(super) fn deploy_dry_run() -> Result<(), Failure> {
    let arguments = ["deploy", "--dry-run", "--outdir", "target/xtask/deploy"];
    run(wrangler(&arguments).env("CI", "true"))
}
