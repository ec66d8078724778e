//! `dev`: wrangler's own server, which rebuilds when a source changes, on the state of `serve`.

use crate::config::Config;
use crate::failure::Failure;
use crate::wrangler::wrangler;
use crate::{build, process, serve};
use std::path::Path;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Port on 127.0.0.1
    #[arg(long, default_value_t = 8787)]
    port: u16,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let config = Config::load(None, options.port)?;
    let _lock = serve::lock(Path::new(serve::STATE))?;
    build::run()?;
    let state = ["--persist-to", serve::STATE];
    let migrate = ["d1", "migrations", "apply", "READ_MODEL", "--local"];
    process::run(wrangler(&migrate).args(state).env("CI", "true"))?;
    let port = options.port.to_string();
    let issuer = format!("ISSUER:{}", config.value("ISSUER"));
    let dev = ["dev", "--ip", "127.0.0.1", "--port", &port, "--var", &issuer];
    process::run(wrangler(&dev).args(state))
}
