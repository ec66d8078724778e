//! `grantlog state`: a token's history as recorded at an instant, from an export.

use crate::{
    bundle::Bundle,
    cli,
    exit::{Exit, Failure},
};
use grantlog_events::{Address, Jti, Timestamp};
use grantlog_projections::{
    rendered::instant,
    token_history::{self, At},
};
use std::{
    io::Write,
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

/// What `state` is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The export's directory.
    directory: PathBuf,
    /// The token's `jti`.
    #[arg(long)]
    jti: String,
    /// RFC 3339, or the address `epoch.shard.seq` of the last event to take into account.
    #[arg(long, value_name = "T")]
    at: Option<String>,
}

/// Tells the history as JSON.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Exit, Failure> {
    let jti = parse_jti(&arguments.jti)?;
    let at = arguments.at.as_deref().map(|at| bound(at, &jti)).transpose()?;
    let files = Bundle::open(&arguments.directory)?.read_place(jti.address.place)?;
    if let Some(At::Address(seq)) = at
        && seq >= files.len()
    {
        return Err(Failure::unreadable(format!("The export has no event {}.", files.at(seq))));
    }
    let issued = files.event(jti.address.seq).filter(|event| event.jti() == jti);
    let history = match issued {
        Some(issued) => token_history::of(files.events()?, &issued, at, now()),
        None => None,
    };
    let history = history.ok_or_else(|| Failure::unreadable(format!("Nothing had issued {jti} by then.")))?;
    cli::json(out, &history.to_json())?;
    Ok(Exit::Sound)
}

/// Reads `--jti`.
pub(crate) fn parse_jti(text: &str) -> Result<Jti, Failure> {
    Jti::parse(text).map_err(|_| Failure::new(Exit::Usage, format!("--jti is {text:?}, which is not a jti.")))
}

/// An address of another log bounds nothing here.
fn bound(text: &str, jti: &Jti) -> Result<At, Failure> {
    if let Ok(address) = Address::parse(text) {
        if address.place == jti.address.place {
            return Ok(At::Address(address.seq));
        }
        return Err(Failure::new(Exit::Usage, format!("--at is {text}, which is in another log than {jti}.")));
    }
    let neither = || Failure::new(Exit::Usage, format!("--at is {text:?}, neither RFC 3339 nor an address."));
    instant::parse(text).map(At::Instant).ok_or_else(neither)
}

/// The machine's clock; before 1970 nothing has expired.
pub(crate) fn now() -> Timestamp {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    Timestamp(u64::try_from(millis).unwrap_or(u64::MAX))
}
