//! The developer commands. Each does all the set-up it needs, so that a fresh checkout needs no
//! other step, and a second run reuses what the first one made.

mod bench;
mod build;
mod config;
mod demo;
mod dev;
mod failure;
mod gates;
mod process;
mod project;
mod serve;
mod setup;
mod stamp;
mod story;
mod wrangler;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Developer commands of Grantlog.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what the other commands need: wasm target, pinned tools, npm packages
    Setup,
    /// Build the Worker for release into `build/`
    Build,
    /// Run the release build under workerd until SIGTERM or SIGINT
    Serve(serve::Options),
    /// Run `wrangler dev`, rebuilding on change
    Dev(dev::Options),
    /// Play the whole token lifecycle against a fresh server and check every step
    Demo,
    /// Run every gate and every test
    Test(gates::Options),
    /// Run a load scenario against a fresh server
    Bench(bench::Options),
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            failure.exit_code()
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let command = match command {
        // The state directory is relative to the caller's directory, all other paths to the root.
        Command::Serve(options) => Command::Serve(options.seen_from_here()?),
        other => other,
    };
    project::enter()?;
    match command {
        Command::Setup => setup::run(),
        Command::Build => build::run(),
        Command::Serve(options) => serve::run(&options),
        Command::Dev(options) => dev::run(&options),
        Command::Demo => demo::run(),
        Command::Test(options) => gates::run(&options),
        Command::Bench(options) => bench::run(&options),
    }
}
