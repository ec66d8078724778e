//! The first look at speed: the served release build and floor Workers in turns, in one run on one
//! machine, so that whatever else the machine does strikes both.

mod floors;
mod provider;
mod report;

use crate::{
    Failure,
    load::{Amount, Figures, Scenario},
    progress::Progress,
};
use floors::Floors;
use provider::Provider;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Measured requests of each scenario in each round
    #[arg(long, default_value_t = 3_000)]
    requests: usize,
    /// Requests before them that do not count
    #[arg(long, default_value_t = 500)]
    warm_up: usize,
    /// Connections at a time
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Rounds; medians are told
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Writes the figures of every round there too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Takes only what has this in its name
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// One scenario with its figures, round by round.
struct Row {
    name: &'static str,
    rounds: Vec<Figures>,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let provider = Provider::prepare()?;
    let floors = Floors::start(&provider)?;
    let mut scenarios = provider.scenarios()?;
    scenarios.extend(floors.scenarios()?);
    scenarios.retain(|scenario| options.only.as_deref().is_none_or(|text| scenario.name.contains(text)));
    let rows = measure(&scenarios, options)?;
    drop(floors);
    report::print(&rows, options);
    options.json.as_deref().map_or(Ok(()), |file| report::write(&rows, options, file))
}

fn measure(scenarios: &[Scenario], options: &Options) -> Result<Vec<Row>, Failure> {
    let amount =
        Amount { requests: options.requests, warm_up: options.warm_up, connections: options.connections.max(1) };
    let progress = Progress::of((amount.requests + amount.warm_up) * scenarios.len() * options.rounds);
    let mut rows: Vec<Row> = scenarios.iter().map(|scenario| Row { name: scenario.name, rounds: Vec::new() }).collect();
    for _ in 0..options.rounds {
        for (scenario, row) in scenarios.iter().zip(&mut rows) {
            row.rounds.push(scenario.measure(amount, &progress)?);
        }
    }
    Ok(rows)
}
