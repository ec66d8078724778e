//! The catalogue of events, `EVENTS.md`: every type with its number, what it says, and its body as auditors
//! read it. Made from the registry, the sentences beside it, and the pinned sample of each type.
//! `GOLDEN_UPDATE=1` writes it anew; the difference is then for a reviewer to read.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use grantlog_events::{Body, Event, Stored};
use grantlog_projections::rendered;
use serde_json::Value;
use std::{fmt::Write as _, fs, path::Path};

const SOURCE: &str = concat!(include_str!("../../events/src/body.rs"), include_str!("../../events/src/body/people.rs"));

/// Types that share a body; the body's own sentence does not tell them apart.
const SENTENCES: [(&str, &str); 10] = [
    ("subject_created", "A person was created."),
    ("subject_updated", "A person's attributes or standing changed."),
    ("token_delegated", "A token was exchanged, and an actor acts in the new one (RFC 8693)."),
    ("token_impersonated", "A token was exchanged, and nobody acts in the new one (RFC 8693)."),
    ("token_revoked", "A token is dead, and everything exchanged from it."),
    (
        "grant_revoked",
        "A grant, or a family of refresh tokens that an exchange began, is dead, and everything under it.",
    ),
    ("code_redeemed", "A code bought its tokens (RFC 6749 §4.1.3)."),
    ("token_refreshed", "A refresh token bought an access token and its successor (RFC 6749 §6)."),
    ("token_issued", "A root authorization and its first token; an assertion that bought it is spent with it."),
    ("refresh_refused", "A genuine refresh token was presented and refused; the envelope's outcome says why."),
];

fn sample(name: &str) -> Event {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../events/tests/golden/events/{name}.hex"));
    let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("no sample of {name}"));
    let digits: Vec<u8> = text.chars().filter_map(|c| c.to_digit(16)).map(|d| u8::try_from(d).unwrap()).collect();
    let bytes: Vec<u8> = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    Event::from_bytes(&bytes).unwrap()
}

/// The sentence that stands above the type's body in the source.
fn sentence(name: &str) -> String {
    if let Some((_, sentence)) = SENTENCES.iter().find(|(of, _)| *of == name) {
        return (*sentence).to_owned();
    }
    let (_, line) = SOURCE.split_once(&format!("\"{name}\" => ")).unwrap();
    let body = line.split_once('(').unwrap().1.split_once(')').unwrap().0;
    let above = SOURCE.split_once(&format!("pub struct {body} {{")).unwrap().0;
    let words = above.lines().rev().skip(1).map_while(|line| line.trim().strip_prefix("/// "));
    words.collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(" ")
}

fn catalogue() -> String {
    let mut text =
        "# Events\n\nEvery type of event: its number in the log, its name in `GET /audit/events`, what it says, \
        and an example of its body as auditors read it.\nMade by `GOLDEN_UPDATE=1 cargo test -p grantlog-projections \
        --test catalogue`.\n"
            .to_owned();
    for (number, name) in Body::REGISTRY {
        let body = serde_json::to_string_pretty(&rendered::body(&sample(name))).unwrap();
        write!(text, "\n## {number} `{name}`\n\n{}\n\n```json\n{body}\n```\n", sentence(name)).unwrap();
    }
    text
}

#[test]
fn the_catalogue_has_every_type_as_auditors_read_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("EVENTS.md");
    let text = catalogue();
    if std::env::var_os("GOLDEN_UPDATE").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let pinned = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(pinned, text, "EVENTS.md is another catalogue (GOLDEN_UPDATE=1 rewrites it)");
}

/// A position means nothing to an auditor who does not know the log; an address does.
#[test]
fn no_body_names_another_event_by_a_bare_position() {
    let counts = ["generation", "attempts", "epoch", "shards", "piece", "unrecorded", "idle_seconds"];
    for (_, name) in Body::REGISTRY {
        bare_numbers(&rendered::body(&sample(name)), &mut |member| {
            assert!(counts.contains(&member), "{name}: {member} is a bare number");
        });
    }
}

fn bare_numbers(value: &Value, found: &mut dyn FnMut(&str)) {
    let Value::Object(members) = value else { return };
    for (name, value) in members {
        match value {
            Value::Number(_) => found(name),
            Value::Object(_) if name == "metadata" || name == "jwk" => {}
            Value::Object(_) => bare_numbers(value, found),
            Value::Array(items) => items.iter().for_each(|item| bare_numbers(item, found)),
            _ => {}
        }
    }
}
