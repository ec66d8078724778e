//! `grantlog`: the auditor's tool. Everything but `export` works offline, on a directory.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(grantlog_audit::cli::run(std::env::args_os()).code())
}
