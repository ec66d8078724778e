//! `grantlog export`: every log of an issuer as a directory, page by page over `GET /audit/events`.
//!
//! What the server says is written down as it stands, also where it is wrong: judging is `verify`'s. The
//! manifest comes last and at once, so a directory with a manifest is a whole export.

mod page;
pub(crate) mod write;

use crate::{
    cli,
    exit::{Exit, Failure},
    manifest::NAME,
    progress,
    server::Server,
};
use page::Page;
use std::{io::Write, path::PathBuf};
use write::Directory;

/// How many events a page has.
const PAGE: &str = "1000";

/// What `export` is asked.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The issuer's URL.
    #[arg(long, value_name = "URL")]
    issuer: String,
    /// An access token with the scope `audit`.
    #[arg(long, value_name = "TOKEN", env = "GRANTLOG_TOKEN", hide_env_values = true)]
    token: String,
    /// The directory to write; it must not hold an export yet.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// The token stays out of every output.
impl std::fmt::Debug for Arguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arguments").field("issuer", &self.issuer).field("out", &self.out).finish_non_exhaustive()
    }
}

/// Exports, and says what there is now.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Exit, Failure> {
    let server = Server::at(&arguments.issuer, &arguments.token)?;
    if arguments.out.join(NAME).exists() {
        let sentence = format!("{} holds an export already; name another directory.", arguments.out.display());
        return Err(Failure::new(Exit::Usage, sentence));
    }
    let mut directory = Directory::create(&arguments.out)?;
    let events = copy(&server, &mut directory)?;
    let logs = directory.finish(server.issuer())?;
    cli::line(out, format_args!("exported {events} events of {logs} logs to {}", arguments.out.display()))?;
    Ok(Exit::Sound)
}

/// The page after a cursor, or the first.
fn page(server: &Server, after: Option<&str>) -> Result<Page, Failure> {
    let mut query = vec![("raw", "true"), ("limit", PAGE)];
    query.extend(after.map(|after| ("after", after)));
    Page::parse(&server.get("/audit/events", &query, "audit")?)
}

fn copy(server: &Server, directory: &mut Directory) -> Result<u64, Failure> {
    let bar = progress::of_events("exporting");
    let (mut events, mut after) = (0, None);
    loop {
        let page = page(server, after.as_deref())?;
        for event in &page.events {
            directory.write(event)?;
        }
        events += page.events.len() as u64;
        bar.inc(page.events.len() as u64);
        // A cursor that does not move would never end.
        match page.next {
            Some(next) if after.as_ref() != Some(&next) => after = Some(next),
            Some(_) => return Err(Failure::unreadable("The server gave the same page twice; the export was stopped.")),
            None => break,
        }
    }
    bar.finish_and_clear();
    Ok(events)
}
