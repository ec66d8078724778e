//! `test`: every gate in order, each a file or a command line; the first failure stops.

mod cases;
mod commands;
mod deny;
mod end_to_end;
mod file_length;
mod machine_words;
mod purity;
mod real_clients;
mod released_migrations;
mod report;
mod tracked;
mod verify_log;

use crate::failure::Failure;
use crate::serve::Server;
use crate::{build, setup};
use report::Report;
use std::time::Instant;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Raise the cases of each property test from 256 to 20,000
    #[arg(long)]
    long: bool,
}

/// How a gate ended when nothing was found wrong.
enum Verdict {
    Passed,
    /// What it needs could not be had here; a failure where `CI=true`.
    NotRun(String),
}

/// What the gates of one run share.
struct Run {
    long: bool,
    /// Started by the end-to-end gate, whose log the last gate verifies.
    server: Option<Server>,
}

type Gate = (&'static str, fn(&mut Run) -> Result<Verdict, Failure>);

const GATES: [Gate; 17] = [
    ("set-up", |_| passed(setup::run())),
    ("format", |_| passed(commands::format())),
    ("clippy", |_| passed(commands::clippy())),
    ("clippy for wasm32", |_| passed(commands::clippy_for_wasm())),
    ("purity of events and projections", |_| passed(purity::check())),
    ("native tests", |run| passed(commands::native_tests(run.long))),
    ("build under the size ceiling", |_| passed(build::run())),
    ("documentation", |_| passed(commands::documentation())),
    ("bans, licenses, sources", |_| deny::check()),
    ("released migrations unchanged", |_| passed(released_migrations::check())),
    ("no file over 400 lines", |_| passed(file_length::check())),
    ("every case has its test", |_| passed(cases::check())),
    ("no word of one machine", |_| passed(machine_words::check())),
    ("deploy, dry run", |_| passed(commands::deploy_dry_run())),
    ("end to end", |run| passed(end_to_end::check(run))),
    ("real clients and pages", real_clients::check),
    ("verify the log of that run", |run| passed(verify_log::check(run))),
];

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let mut run = Run { long: options.long, server: None };
    let mut report = Report::default();
    for (name, gate) in GATES {
        println!("\n--- {name}");
        let start = Instant::now();
        let result = gate(&mut run).and_then(insist_in_ci);
        if report.end(name, start.elapsed(), result).is_break() {
            break;
        }
    }
    report.conclude(GATES.map(|(name, _)| name))
}

fn passed(result: Result<(), Failure>) -> Result<Verdict, Failure> {
    result.map(|()| Verdict::Passed)
}

fn insist_in_ci(verdict: Verdict) -> Result<Verdict, Failure> {
    match verdict {
        Verdict::NotRun(reason) if std::env::var("CI").is_ok_and(|ci| ci == "true") => Err(Failure::new(reason)),
        other => Ok(other),
    }
}
