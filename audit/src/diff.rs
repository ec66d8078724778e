//! `grantlog diff`: where two exports first differ, log by log.

use crate::{
    bundle::{Bundle, LogFiles},
    cli,
    exit::{Exit, Failure},
};
use grantlog_events::Place;
use std::{collections::BTreeSet, io::Write, path::PathBuf};

/// What `diff` is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// An export's directory.
    left: PathBuf,
    /// Another export's directory.
    right: PathBuf,
}

/// Compares, and exits with 3 if anything differs.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Exit, Failure> {
    let (left, right) = (Bundle::open(&arguments.left)?, Bundle::open(&arguments.right)?);
    let mut differs = false;
    for place in places(&left).union(&places(&right)) {
        if let Some(difference) = difference(&left, &right, *place)? {
            cli::line(out, difference)?;
            differs = true;
        }
    }
    if differs {
        return Ok(Exit::Differs);
    }
    cli::line(out, "no difference")?;
    Ok(Exit::Sound)
}

fn places(bundle: &Bundle) -> BTreeSet<Place> {
    bundle.manifest.logs.iter().filter_map(|log| log.place().ok()).collect()
}

fn difference(left: &Bundle, right: &Bundle, place: Place) -> Result<Option<String>, Failure> {
    let only = |side: &str| Some(format!("{}-{}: only in the {side} export", place.epoch, place.shard));
    match (places(left).contains(&place), places(right).contains(&place)) {
        (true, false) => Ok(only("left")),
        (false, true) => Ok(only("right")),
        _ => Ok(first_difference(&left.read_place(place)?, &right.read_place(place)?)),
    }
}

fn first_difference(left: &LogFiles, right: &LogFiles) -> Option<String> {
    let same = left.items().zip(right.items()).take_while(|(left, right)| left == right).count() as u64;
    let at = left.at(same);
    let longer = |side: &str, by: u64| Some(format!("{at}: the {side} export goes on from here, by {by} events"));
    match (left.len() - same, right.len() - same) {
        (0, 0) => None,
        (by, 0) => longer("left", by),
        (0, by) => longer("right", by),
        _ => Some(format!("{at}: the exports hold different events here")),
    }
}
