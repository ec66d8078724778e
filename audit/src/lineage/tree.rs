//! The tree as indented lines; the token that was asked for is marked.

use super::{client, standing};
use crate::{cli, exit::Failure};
use grantlog_events::Jti;
use grantlog_projections::lineage::{Lineage, Token};
use std::io::Write;

pub(super) fn draw(lineage: &Lineage, asked: &Jti, out: &mut dyn Write) -> Result<(), Failure> {
    cli::line(out, format_args!("grant {}", asked.address.place.at(lineage.grant)))?;
    match lineage.tokens.get(&lineage.grant) {
        Some(root) => branch(lineage, root, asked, out),
        None => Ok(()),
    }
}

/// An exchange adds an ancestor, and no token has more than 32: so deep this goes.
fn branch(lineage: &Lineage, token: &Token, asked: &Jti, out: &mut dyn Write) -> Result<(), Failure> {
    let event = &token.event;
    let indent = "  ".repeat(event.ancestors.len() + 1);
    let mark = if event.jti() == *asked { " <" } else { "" };
    let scope = event.body.issued().map(|issued| issued.scope.to_string()).unwrap_or_default();
    let standing = standing(token);
    cli::line(out, format_args!("{indent}{} {standing} to {} scope \"{scope}\"{mark}", event.jti(), client(token)))?;
    for actor in &event.actors {
        cli::line(out, format_args!("{indent}  acting: {} with {}", actor.party, actor.jti))?;
    }
    lineage.children(event.seq).try_for_each(|child| branch(lineage, child, asked, out))
}
