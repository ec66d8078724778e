//! The second half: the end of the first token, and what the log says of it.

use crate::{
    life::{Tokens, traced},
    transcript::{Told, Transcript},
};
use grantlog_tests::{audit::Auditor, jwt, party::Cast};
use serde_json::Value;

pub(crate) struct End {
    auditor: Auditor,
    /// An instant at which everything was alive, as the log's clock tells it.
    before: String,
}

pub(crate) fn revoke(transcript: &mut Transcript, cast: &Cast, tokens: &Tokens) -> End {
    let auditor = Auditor::of(&cast.service);
    let before = last_recorded(&auditor.history(&jwt::jti(&tokens.onward)));
    transcript.step("The frontend revokes the first token (RFC 7009)", |told| {
        told.asked("POST /revoke");
        let answer = traced(cast.frontend.form("revocation_endpoint", &[("token", &tokens.first)]));
        told.counted("/revoke", &answer);
        told.came(&format!("{}", answer.status));
        told.holds("acknowledged, so it is durable", answer.status == 200);
    });
    transcript.step("Its descendants are refused everywhere, at once", |told| refused(told, cast, &tokens.delegated));
    End { auditor, before }
}

fn refused(told: &mut Told, cast: &Cast, child: &str) {
    told.asked("GET /userinfo with the exchanged token");
    let answer = cast.service.userinfo(child).send();
    told.came(&format!("{} {}", answer.status, answer.header("www-authenticate")));
    told.holds(
        "401 invalid_token",
        answer.status == 401 && answer.header("www-authenticate").contains("invalid_token"),
    );
    told.asked("POST /token, exchanging it");
    let answer = cast.backend.exchange(child).audience(&cast.service.issuer).send();
    told.came(&format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body)));
    told.holds("400 invalid_request", answer.status == 400 && answer.error().as_deref() == Some("invalid_request"));
    told.asked("POST /introspect");
    let answer = cast.backend.introspect(child);
    told.came(&String::from_utf8_lossy(&answer.body));
    told.holds("inactive, and nothing else is said", answer.json() == serde_json::json!({ "active": false }));
}

pub(crate) fn look_back(transcript: &mut Transcript, cast: &Cast, tokens: &Tokens, end: &End) {
    let jti = jwt::jti(&tokens.first);
    let now = transcript.step("Ask the log for the first token's history", |told| {
        told.asked(&format!("GET /audit/tokens/{jti}"));
        let now = end.auditor.history(&jti);
        told.came(&format!("state {}, revoked_at {}, reason {}", now["state"], now["revoked_at"], now["reason"]));
        told.holds("revoked now", now["state"] == "revoked");
        told.holds("the subject is the person", now["subject"] == cast.user.id);
        now
    });
    transcript.step("Ask for its state as it was before the revocation", |told| {
        told.asked(&format!("GET /audit/tokens/{jti}?at={}", end.before));
        let then = end.auditor.history_at(&jti, &end.before);
        told.came(&format!(
            "state {}, {} events instead of {}",
            then["state"],
            length(&then["events"]),
            length(&now["events"])
        ));
        told.holds("active then", then["state"] == "active");
    });
    transcript.step("Draw what came from it", |told| draw(told, end, tokens));
}

/// The tree as the log tells it, from the first token down.
fn draw(told: &mut Told, end: &End, tokens: &Tokens) {
    let root = jwt::jti(&tokens.first);
    let lines = branch(&end.auditor, &root, 0);
    told.came(&lines.join("\n"));
    told.holds("three generations, each with its state", lines.len() == 3);
    let onward = end.auditor.history(&jwt::jti(&tokens.onward));
    let lineage = serde_json::json!([root, jwt::jti(&tokens.delegated)]);
    told.holds("the youngest knows its ancestors, oldest first", onward["lineage"] == lineage);
    told.holds("and died with them", onward["state"] == "revoked");
}

fn branch(auditor: &Auditor, jti: &str, depth: usize) -> Vec<String> {
    let history = auditor.history(jti);
    let text = |member: &str| history[member].as_str().unwrap_or("?").to_owned();
    let mark = if depth == 0 { "" } else { "└─ " };
    let mut lines = vec![format!(
        "{}{mark}{jti}  {}  for {}  \"{}\"",
        "   ".repeat(depth),
        text("state"),
        text("client_id"),
        text("scope")
    )];
    for child in history["children"].as_array().into_iter().flatten() {
        lines.extend(branch(auditor, child.as_str().expect("a child is a jti"), depth + 1));
    }
    lines
}

fn last_recorded(history: &Value) -> String {
    let events = history["events"].as_array().expect("a history has events");
    let times = events.iter().filter_map(|event| event["recorded_at"].as_str());
    times.max().expect("an event has its time").to_owned()
}

fn length(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}
