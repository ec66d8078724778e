//! `serve`: the release build under workerd, without the development proxy.
//!
//! This process becomes node by `exec`, so its id is the one to signal, and workerd dies with it
//! (see `xtask/serve/workerd.sh`). The lock on the state directory goes along as node's standard
//! input and ends with it, however it ends.

mod free_port;
mod lock;
mod server;

pub(crate) use free_port::free_port;
pub(crate) use lock::lock;
pub(crate) use server::Server;

use crate::build;
use crate::config::Config;
use crate::failure::Failure;
use crate::project::absolute;
use crate::wrangler::QUIET;
use serde_json::json;
use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where `serve` and `dev` keep their state unless told otherwise.
pub(crate) const STATE: &str = ".wrangler/grantlog";
/// Set by whoever has built already and must not have the build change under it.
pub(crate) const PREBUILT: &str = "GRANTLOG_PREBUILT";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Port on 127.0.0.1
    #[arg(long, default_value_t = 8787)]
    port: u16,
    /// Directory of the state, made if absent [default: .wrangler/grantlog]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// URL by which clients know the service [default: the address it listens on]
    #[arg(long, value_name = "URL")]
    issuer: Option<String>,
}

impl Options {
    /// Fixes the state directory, which the caller gave relative to where it is.
    pub(crate) fn seen_from_here(self) -> Result<Self, Failure> {
        let state = self.state.map(absolute).transpose()?;
        Ok(Self { state, ..self })
    }
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let config = Config::load(options.issuer.as_deref(), options.port)?;
    let state = absolute(options.state.as_deref().unwrap_or(Path::new(STATE)))?;
    let lock = lock(&state)?;
    if env::var_os(PREBUILT).is_none() {
        build::run()?;
    }
    let settings = json!({
        "issuer": config.value("ISSUER"),
        "port": options.port,
        "state": state,
        "bindings": config.values(),
    });
    let error = Command::new("node")
        .arg("xtask/serve/serve.mjs")
        .env("GRANTLOG_SERVE", settings.to_string())
        .envs(QUIET)
        .stdin(lock)
        .exec();
    Err(Failure::new(format!("node cannot be started: {error}")))
}
