//! `grantlog replay`: every log folded into the state it leaves behind, as a hash to compare with a live
//! shard's.

use crate::{
    bundle::Bundle,
    cli,
    exit::{Exit, Failure},
};
use grantlog_projections::replay::{Broken, Fault, Replay, rows, rows_digest};
use serde_json::json;
use std::{io::Write, path::PathBuf};

/// What `replay` is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The export's directory.
    directory: PathBuf,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// Folds log by log and tells what each leaves.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Exit, Failure> {
    let bundle = Bundle::open(&arguments.directory)?;
    let mut told = Vec::new();
    for entry in &bundle.manifest.logs {
        let files = bundle.read(entry)?;
        let mut replay = Replay::default();
        for (event, bytes) in files.events()? {
            replay.take_event(&event, bytes).map_err(|broken| out_of_chain(&entry.origin, &broken))?;
        }
        let state = replay.state();
        let (events, count, digest) = (state.head.next, rows(state).len(), rows_digest(state).hex());
        if arguments.json {
            told.push(json!({ "origin": entry.origin, "events": events, "rows": count, "rows_sha256": digest }));
        } else {
            cli::line(out, format_args!("{}: {events} events, {count} rows, {digest}", entry.origin))?;
        }
    }
    if arguments.json {
        cli::json(out, &json!({ "logs": told }))?;
    }
    Ok(Exit::Sound)
}

fn out_of_chain(origin: &str, broken: &Broken) -> Failure {
    let exit = match broken.fault {
        Fault::Malformed(_) => Exit::NotCanonical,
        Fault::OfAnotherLog(_) | Fault::OutOfPlace(_) | Fault::NotLinked | Fault::TimeGoesBack => Exit::ChainBroken,
    };
    Failure::new(exit, format!("{origin}, {broken}."))
}
