//! The command line: what may be asked, and who answers.

use crate::{
    diff,
    exit::{Exit, Failure},
    export, lineage, rebuild, replay, state, verify,
};
use clap::{Parser, Subcommand, error::ErrorKind};
use std::{ffi::OsString, io::Write};

/// Export, verify, replay and question a Grantlog log.
#[derive(Debug, Parser)]
#[command(name = "grantlog", version, about)]
struct Grantlog {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Take every log of an issuer along, as a directory.
    Export(export::Arguments),
    /// Check an export from the bytes up; the exit code names the first thing wrong.
    Verify(verify::Arguments),
    /// Fold every log of an export into the state it leaves behind.
    Replay(replay::Arguments),
    /// Tell a token's history as recorded at an instant.
    State(state::Arguments),
    /// Show the tokens of a grant as a tree, with who acts in each.
    Lineage(lineage::Arguments),
    /// Have every view made anew beside the live one, and compare them by hash.
    Rebuild(rebuild::Arguments),
    /// Find the first difference between two exports, log by log.
    Diff(diff::Arguments),
}

/// Runs one command line.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let grantlog = match Grantlog::try_parse_from(arguments) {
        Ok(grantlog) => grantlog,
        Err(error) => return refused(&error),
    };
    let mut out = std::io::stdout().lock();
    let done = match grantlog.command {
        Command::Export(arguments) => export::run(&arguments, &mut out),
        Command::Verify(arguments) => verify::run(&arguments, &mut out),
        Command::Replay(arguments) => replay::run(&arguments, &mut out),
        Command::State(arguments) => state::run(&arguments, &mut out),
        Command::Lineage(arguments) => lineage::run(&arguments, &mut out),
        Command::Rebuild(arguments) => rebuild::run(&arguments, &mut out),
        Command::Diff(arguments) => diff::run(&arguments, &mut out),
    };
    done.unwrap_or_else(|failure| told(&failure))
}

/// What goes wrong is said on stderr; a closed stderr leaves the exit code to say it.
fn told(failure: &Failure) -> Exit {
    let _ = writeln!(std::io::stderr(), "grantlog: {failure}");
    failure.exit
}

/// Help and version are no mistakes.
fn refused(error: &clap::Error) -> Exit {
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Sound,
        _ => Exit::Usage,
    }
}

/// Writes a line of the answer.
pub(crate) fn line(out: &mut dyn Write, text: impl std::fmt::Display) -> Result<(), Failure> {
    writeln!(out, "{text}").map_err(|error| Failure::unreadable(format!("The answer could not be written: {error}.")))
}

/// Writes JSON, indented, on lines of its own.
pub(crate) fn json(out: &mut dyn Write, value: &serde_json::Value) -> Result<(), Failure> {
    line(out, format_args!("{value:#}"))
}
