//! Runs another program and takes any end but success as a failure that names it.

use crate::failure::Failure;
use std::process::{Command, ExitStatus, Stdio};

/// Runs with the caller's input and output.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(Failure::while_doing(name(command)))?;
    if status.success() { Ok(()) } else { Err(ended(command, status)) }
}

/// Runs and returns what was printed; what goes to standard error is shown to the caller.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.stderr(Stdio::inherit()).output().map_err(Failure::while_doing(name(command)))?;
    if !output.status.success() {
        return Err(ended(command, output.status));
    }
    String::from_utf8(output.stdout).map_err(Failure::while_doing(name(command)))
}

/// The cargo that runs us, so that a toolchain chosen by the caller is kept.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

fn ended(command: &Command, status: ExitStatus) -> Failure {
    Failure::new(format!("{} ended with {status}", name(command))).with_code_of(status)
}

/// Program and first argument: enough to tell which step it was, and never a secret.
fn name(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let program = program.rsplit('/').next().unwrap_or_default();
    command.get_args().next().map_or_else(|| program.to_owned(), |first| format!("{program} {}", first.display()))
}
