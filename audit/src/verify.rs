//! `grantlog verify`: an export checked from the bytes up; the first thing wrong ends it.
//!
//! Each check is a file, each kind of fault an exit code. Nothing is believed that the export does not
//! prove, and what it cannot prove is said: until checkpoints are signed, a whole log that was made up
//! consistently passes, so the report says `authenticated: false`.

mod births;
mod chain;
mod domain;
mod earlier;
mod entries;
mod files;
mod foreign_actors;
mod log;
mod report;
mod tail;

use crate::{
    bundle::Bundle,
    cli,
    exit::{Exit, Failure},
    progress,
};
use report::Report;
use std::{io::Write, path::PathBuf};

/// What `verify` is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The export's directory.
    directory: PathBuf,
    /// Write the report as JSON.
    #[arg(long)]
    json: bool,
    /// Where the last verified end of every log is kept; the export must extend it, and becomes it.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

/// Verifies, reports, and exits by the first thing wrong.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut report = Report::default();
    let exit = match verify(arguments, &mut report) {
        Ok(()) => Exit::Sound,
        Err(failure) => report.fail(failure),
    };
    if arguments.json {
        cli::json(out, &report.to_json())?;
    } else {
        report.write(out)?;
    }
    Ok(exit)
}

fn verify(arguments: &Arguments, report: &mut Report) -> Result<(), Failure> {
    let bundle = Bundle::open(&arguments.directory)?;
    let earlier = arguments.state.as_deref().map(earlier::Earlier::read).transpose()?;
    bundle.files_exist()?;
    report.passed("every file that the manifest lists is there");
    let bar = progress::over_bytes(files::total(&bundle.manifest), "verifying");
    let mut pass = log::Pass::default();
    for entry in &bundle.manifest.logs {
        let checked = pass.log(&bundle, entry, &bar)?;
        report.log(&checked);
        if let Some(earlier) = &earlier {
            earlier.is_extended_by(&checked)?;
        }
        pass.logs.push(checked);
    }
    bar.finish_and_clear();
    report.passed_logs();
    births::all_logs_are_here(&pass)?;
    report.passed("the registry's log names every log of every epoch, and all are here");
    foreign_actors::are_genuine(&bundle, &pass)?;
    report.passed("every actor's token was issued, to that actor");
    if let Some(earlier) = &earlier {
        earlier.has_every_log_in(&pass.logs)?;
        report.extends_last_verified(earlier.is_empty());
        earlier.replace(&pass.logs)?;
    }
    Ok(())
}
