//! `grantlog rebuild`: has the service make every view anew from its log, beside the live one, and says
//! whether they are equal. Nothing is replaced.

use crate::{
    cli,
    exit::{Exit, Failure},
    progress,
    server::Server,
};
use serde::Deserialize;
use std::{collections::BTreeMap, io::Write};

/// What `rebuild` is asked.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The issuer's URL.
    #[arg(long, value_name = "URL")]
    issuer: String,
    /// An access token with the scope `admin`.
    #[arg(long, value_name = "TOKEN", env = "GRANTLOG_TOKEN", hide_env_values = true)]
    token: String,
    /// One view alone: users, clients, or `read_model.` and a table.
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
}

/// The token stays out of every output.
impl std::fmt::Debug for Arguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arguments").field("issuer", &self.issuer).field("view", &self.view).finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Answer {
    views: Vec<Compared>,
}

#[derive(Deserialize)]
struct Compared {
    log: String,
    view: String,
    rows: u64,
    equal: bool,
}

/// Compares, and says what differs.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Exit, Failure> {
    let server = Server::at(&arguments.issuer, &arguments.token)?;
    let bar = progress::of_waiting("rebuilding");
    let answer = server.post("/admin/rebuilds", "admin");
    bar.finish_and_clear();
    let answer: Answer = serde_json::from_slice(&answer?)
        .map_err(|error| Failure::unreadable(format!("The answer is not a comparison of views: {error}.")))?;
    let wanted = |compared: &&Compared| arguments.view.as_ref().is_none_or(|view| *view == compared.view);
    let compared: Vec<&Compared> = answer.views.iter().filter(wanted).collect();
    if compared.is_empty() {
        return Err(Failure::new(Exit::Usage, "There is no view of this name."));
    }
    report(&compared, out)
}

fn report(compared: &[&Compared], out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut views: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for one in compared {
        let (logs, rows) = views.entry(&one.view).or_default();
        *logs += 1;
        *rows += one.rows;
    }
    for (view, (logs, rows)) in views {
        cli::line(out, format_args!("{view}: {rows} rows of {logs} logs"))?;
    }
    let differing: Vec<_> = compared.iter().filter(|one| !one.equal).collect();
    for one in &differing {
        cli::line(out, format_args!("differs: {} of log {}", one.view, one.log))?;
    }
    if differing.is_empty() {
        cli::line(out, "every view is what its log gives")?;
        return Ok(Exit::Sound);
    }
    Ok(Exit::Differs)
}
