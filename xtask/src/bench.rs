//! `bench`: loads, each against a fresh server of the release build.

use crate::failure::Failure;
use crate::{build, process, story};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Passed on to the load generator
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    build::run()?;
    let mut command = process::cargo(&["run", "--quiet", "--release", "-p", "grantlog-bench", "--"]);
    story::run("bench", command.args(&options.arguments))
}
