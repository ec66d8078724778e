//! `grantlog lineage`: a grant and all its tokens as a tree, with who acts in each; of a person's grant with the
//! session and the code it rests on.

mod dot;
mod tree;

use crate::{
    bundle::Bundle,
    exit::{Exit, Failure},
    state::{now, parse_jti},
};
use grantlog_projections::lineage::{Lineage, Token};
use std::{io::Write, path::PathBuf};

/// What `lineage` is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The export's directory.
    directory: PathBuf,
    /// The `jti` of any token of the grant.
    #[arg(long)]
    jti: String,
    /// Write Graphviz.
    #[arg(long)]
    dot: bool,
}

/// Draws the family of one token.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Exit, Failure> {
    let jti = parse_jti(&arguments.jti)?;
    let files = Bundle::open(&arguments.directory)?.read_place(jti.address.place)?;
    let lineage = Lineage::of(files.events()?, &jti, None, now());
    let lineage = lineage.ok_or_else(|| Failure::unreadable(format!("Nothing in the export issued {jti}.")))?;
    if arguments.dot {
        dot::draw(&lineage, &jti, out)?;
    } else {
        tree::draw(&lineage, &jti, out)?;
    }
    Ok(Exit::Sound)
}

/// `active`, or why it is not.
fn standing(token: &Token) -> &'static str {
    if token.voided { "voided" } else { token.refusal.map_or("active", |refusal| refusal.name()) }
}

/// Which refresh token of its family came with it, and whether both were given once more.
fn generation(token: &Token) -> Option<String> {
    let refresh = token.event.body.issued()?.refresh.as_ref()?;
    let again = if token.given_again { ", given again" } else { "" };
    Some(format!("generation {}{again}", refresh.generation))
}

fn client(token: &Token) -> &str {
    token.event.client.as_ref().map_or("nobody", |client| client.as_str())
}
