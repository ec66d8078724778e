//! What is promised of consistency, measured against the served build: how soon a revocation is seen, what a cold
//! isolate costs its first caller, and how evenly a busy client's own grants lie over the logs.
//!
//! The local KV is strongly consistent, so the minute that an old copy may live elsewhere is not in these figures.

mod cold;
mod revocations;
mod spread;
mod stage;

use crate::{Failure, progress::Progress};
use stage::Stage;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Revocations, one after the other
    #[arg(long, default_value_t = 200)]
    revocations: usize,
    /// Starts of the server, each with one request to a cold isolate
    #[arg(long, default_value_t = 8)]
    starts: usize,
    /// Times that nobody asks anything for 31 seconds, each followed by one request
    #[arg(long, default_value_t = 4)]
    silences: usize,
    /// Grants of `client_credentials` to one client
    #[arg(long, default_value_t = 20_000)]
    grants: usize,
    /// Connections at a time for the grants
    #[arg(long, default_value_t = 16)]
    connections: usize,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let stage = Stage::prepare()?;
    let total = options.revocations + options.starts + options.silences + options.grants;
    let progress = Progress::of(total);
    let revocations = revocations::measure(&stage, options.revocations, &progress)?;
    let spread = spread::measure(&stage, options.grants, options.connections, &progress)?;
    let cold = cold::measure(options.starts, options.silences, &progress)?;
    drop(progress);
    revocations.print();
    cold.print();
    spread.print();
    Ok(())
}

/// The value that this share of all does not exceed, of values in ascending order.
fn quantile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    quantile(&values, 50)
}

fn milliseconds(elapsed: std::time::Duration) -> f64 {
    elapsed.as_secs_f64() * 1_000.0
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn a_quantile_is_the_least_value_that_enough_do_not_exceed() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        let all = [50, 99, 100].map(|percent| quantile(&values, percent).to_string());
        assert_eq!(all, ["100", "198", "200"]);
    }
}
