//! The tree as indented lines; the token that was asked for is marked.
//!
//! Of a person's grant the session is the root. What was refreshed stands beside the first token, since a
//! refresh token is nobody's ancestor; in a family that an exchange began it stands under the exchange.

use super::{client, generation, standing};
use crate::{cli, exit::Failure};
use grantlog_events::Jti;
use grantlog_projections::lineage::{Lineage, Login, Token};
use std::io::Write;

const INDENT: &str = "  ";

pub(super) fn draw(lineage: &Lineage, asked: &Jti, out: &mut dyn Write) -> Result<(), Failure> {
    let place = asked.address.place;
    let grant = place.at(lineage.grant);
    match &lineage.login {
        Some(login) => {
            let session = place.at(login.session);
            let lives = if login.session_lives { "active" } else { "over" };
            cli::line(out, format_args!("session {session} {lives} of {}", login.subject))?;
            cli::line(out, format_args!("{INDENT}grant {grant} {}", of_login(login)))?;
        }
        None => cli::line(out, format_args!("grant {grant}"))?,
    }
    let depth = if lineage.login.is_some() { 2 } else { 1 };
    lineage.roots().try_for_each(|root| branch(lineage, root, asked, depth, out))
}

fn of_login(login: &Login) -> String {
    let standing = login.refusal.map_or("active", |refusal| refusal.name());
    let bound = if login.outlives_session { "outlives the session" } else { "dies with the session" };
    format!("{standing} to {} scope \"{}\" {bound}", login.client, login.scope)
}

/// An exchange adds an ancestor, and no token has more than 32: so deep this goes.
fn branch(lineage: &Lineage, token: &Token, asked: &Jti, depth: usize, out: &mut dyn Write) -> Result<(), Failure> {
    let event = &token.event;
    let indent = INDENT.repeat(event.ancestors.len() + depth);
    let mark = if event.jti() == *asked { " <" } else { "" };
    let scope = event.body.issued().map(|issued| issued.scope.to_string()).unwrap_or_default();
    let (jti, standing, client) = (event.jti(), standing(token), client(token));
    let generation = generation(token).map(|generation| format!(" {generation}")).unwrap_or_default();
    cli::line(out, format_args!("{indent}{jti} {standing} to {client} scope \"{scope}\"{generation}{mark}"))?;
    for actor in &event.actors {
        cli::line(out, format_args!("{indent}{INDENT}acting: {} with {}", actor.party, actor.jti))?;
    }
    lineage.children(event.seq).try_for_each(|child| branch(lineage, child, asked, depth, out))
}
