//! The parts of one exchange that need no platform, natively, each beside SHA-256 of 1 KiB: what they
//! cost in wasm differs, what they cost beside each other does not much.

mod exchange;

use crate::Failure;
use exchange::Exchanged;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    fs,
    hint::black_box,
    path::PathBuf,
    time::{Duration, Instant},
};

/// How long one batch of repetitions is to take.
const BATCH: Duration = Duration::from_millis(40);
/// Batches per part; the fastest counts, since nothing makes code faster than it is.
const BATCHES: usize = 7;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Writes the figures there too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let kibibyte = [7_u8; 1_024];
    let unit = fastest(|| drop(black_box(Sha256::digest(black_box(&kibibyte)).to_vec())));
    let exchanged = Exchanged::prepare()?;
    println!("an ask of {} bytes, an event of {} bytes", exchanged.ask_length(), exchanged.event_length());
    println!("{:<44} {:>8} {:>8}", "", "µs", "SHA-256 of 1 KiB");
    let mut rows = vec![("SHA-256 of 1 KiB", unit)];
    rows.extend(exchanged.parts().into_iter().map(|(name, part)| (name, fastest(part))));
    for (name, time) in &rows {
        println!("{name:<44} {:>8.2} {:>8.2}", micros(*time), time.as_secs_f64() / unit.as_secs_f64());
    }
    let told: Vec<Value> = rows.iter().map(|(name, time)| json!({ "name": name, "us": micros(*time) })).collect();
    options.json.as_deref().map_or(Ok(()), |file| Ok(fs::write(file, format!("{:#}\n", json!(told)))?))
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The time of one repetition in the fastest batch.
fn fastest(mut part: impl FnMut()) -> Duration {
    let repetitions = repetitions(&mut part);
    let batches = (0..BATCHES).map(|_| batch(&mut part, repetitions));
    batches.min().unwrap_or_default() / repetitions
}

fn repetitions(part: &mut impl FnMut()) -> u32 {
    let mut repetitions = 1;
    while batch(part, repetitions) < BATCH {
        repetitions *= 2;
    }
    repetitions
}

fn batch(part: &mut impl FnMut(), repetitions: u32) -> Duration {
    let start = Instant::now();
    (0..repetitions).for_each(|_| part());
    start.elapsed()
}
