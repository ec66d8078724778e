//! Loads and floors: what a request costs, beside the least that it could cost on the same machine.
//!
//! In scope: figures and their ratios. Out of scope: passing or failing by them; a shared machine's
//! clock is no judge. `cargo xtask bench` starts the server that the loads need.

mod connection;
mod consistency;
mod first_look;
mod load;
mod progress;
mod pure;
mod wire;
mod workerd;

use clap::{Parser, Subcommand};
use std::{error::Error, process::ExitCode};

/// Why there is no figure.
type Failure = Box<dyn Error + Send + Sync>;

/// Load scenarios of Grantlog.
#[derive(Parser)]
#[command(bin_name = "cargo xtask bench")]
struct Arguments {
    #[command(subcommand)]
    scenario: Scenario,
}

#[derive(Subcommand)]
enum Scenario {
    /// The served release build beside floor Workers, taken in turns
    FirstLook(first_look::Options),
    /// How soon a revocation is seen, what a cold isolate costs, how grants lie over the logs
    Consistency(consistency::Options),
    /// The parts of an exchange that need no platform, natively
    Pure(pure::Options),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().scenario {
        Scenario::FirstLook(options) => first_look::run(&options),
        Scenario::Consistency(options) => consistency::run(&options),
        Scenario::Pure(options) => pure::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("bench: {failure}");
            ExitCode::FAILURE
        }
    }
}
