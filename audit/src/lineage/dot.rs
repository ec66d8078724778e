//! The tree as a Graphviz digraph. Names are quoted; none of them can hold a quote.

use super::{client, generation, standing};
use crate::{cli, exit::Failure};
use grantlog_events::{Jti, Place};
use grantlog_projections::lineage::{Lineage, Login, Token};
use std::io::Write;

pub(super) fn draw(lineage: &Lineage, asked: &Jti, out: &mut dyn Write) -> Result<(), Failure> {
    let place = asked.address.place;
    let grant = place.at(lineage.grant);
    cli::line(out, format_args!("digraph \"{grant}\" {{\n  node [shape=box];"))?;
    if let Some(login) = &lineage.login {
        above(login, place, lineage.grant, out)?;
    }
    for token in lineage.tokens.values() {
        let jti = token.event.jti();
        let pen = if jti == *asked { 2 } else { 1 };
        let generation = generation(token).map(|generation| format!("\\n{generation}")).unwrap_or_default();
        let label = format!("{jti}\\n{}\\n{}{generation}", client(token), standing(token));
        cli::line(out, format_args!("  \"{jti}\" [label=\"{label}\", penwidth={pen}];"))?;
        if let Some(parent) = parent(lineage, token, &grant.to_string()) {
            cli::line(out, format_args!("  \"{parent}\" -> \"{jti}\";"))?;
        }
        if let Some(actor) = token.event.actors.first() {
            let label = &actor.party;
            cli::line(out, format_args!("  \"{}\" -> \"{jti}\" [style=dashed, label=\"{label}\"];", actor.jti))?;
        }
    }
    cli::line(out, "}")
}

fn above(login: &Login, place: Place, grant: u64, out: &mut dyn Write) -> Result<(), Failure> {
    let (session, grant) = (place.at(login.session), place.at(grant));
    let lives = if login.session_lives { "active" } else { "over" };
    let standing = login.refusal.map_or("active", |refusal| refusal.name());
    let style = if login.outlives_session { " [style=dotted]" } else { "" };
    cli::line(out, format_args!("  \"{session}\" [shape=oval, label=\"session {session}\\n{lives}\"];"))?;
    let label = format!("grant {grant}\\n{}\\n{standing}", login.client);
    cli::line(out, format_args!("  \"{grant}\" [shape=oval, label=\"{label}\"];"))?;
    cli::line(out, format_args!("  \"{session}\" -> \"{grant}\"{style};"))
}

/// The token it descends from, or else the code that it rests on.
fn parent(lineage: &Lineage, token: &Token, grant: &str) -> Option<String> {
    match token.event.ancestors.last() {
        Some(seq) => lineage.tokens.get(seq).map(|parent| parent.event.jti().to_string()),
        None => lineage.login.as_ref().map(|_| grant.to_owned()),
    }
}
