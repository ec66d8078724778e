//! The tree as a Graphviz digraph. Names are quoted; none of them can hold a quote.

use super::{client, standing};
use crate::{cli, exit::Failure};
use grantlog_events::Jti;
use grantlog_projections::lineage::Lineage;
use std::io::Write;

pub(super) fn draw(lineage: &Lineage, asked: &Jti, out: &mut dyn Write) -> Result<(), Failure> {
    let grant = asked.address.place.at(lineage.grant);
    cli::line(out, format_args!("digraph \"{grant}\" {{\n  node [shape=box];"))?;
    for token in lineage.tokens.values() {
        let jti = token.event.jti();
        let pen = if jti == *asked { 2 } else { 1 };
        let label = format!("{jti}\\n{}\\n{}", client(token), standing(token));
        cli::line(out, format_args!("  \"{jti}\" [label=\"{label}\", penwidth={pen}];"))?;
        if let Some(parent) = token.event.ancestors.last().and_then(|seq| lineage.tokens.get(seq)) {
            cli::line(out, format_args!("  \"{}\" -> \"{jti}\";", parent.event.jti()))?;
        }
        if let Some(actor) = token.event.actors.first() {
            let label = &actor.party;
            cli::line(out, format_args!("  \"{}\" -> \"{jti}\" [style=dashed, label=\"{label}\"];", actor.jti))?;
        }
    }
    cli::line(out, "}")
}
