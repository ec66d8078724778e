//! Bodies about people's sessions, consents, codes and refresh tokens, as JSON.

use super::{Members, hex, instant, spent};
use grantlog_events::{
    Body, Event, Timestamp,
    body::{CodeIssued, SessionEnded},
    token::IssuedToken,
};
use serde_json::{Value, json};

/// The JSON form of such a body; other bodies have none here.
pub(super) fn body(event: &Event, here: &impl Fn(u64) -> String) -> Value {
    match &event.body {
        Body::SessionStarted(session) => json!({
            "acr": session.acr,
            "amr": session.amr,
            "idle_seconds": session.idle.0,
            "until": instant::format(session.until),
            "challenge_spent": spent(&session.spent),
        }),
        Body::SessionRenewed(session) => json!({
            "session": here(session.session),
            "acr": session.acr,
            "amr": session.amr,
            "challenge_spent": spent(&session.spent),
        }),
        Body::SessionEnded(ended) => session_ended(ended, here),
        Body::LogoutDelivered(told) => json!({ "session": here(told.session), "attempts": told.attempts }),
        Body::LogoutAbandoned(told) => {
            json!({ "session": here(told.session), "attempts": told.attempts, "reason": told.reason })
        }
        Body::ConsentGranted(consent) => json!({ "scope": consent.scope.to_string() }),
        Body::ConsentWithdrawn(consent) => {
            let mut members = Members::default();
            members.put("by", consent.by.name());
            members.put_some("reason", (!consent.reason.is_empty()).then(|| consent.reason.clone()));
            members.put("grants", grants(&consent.grants, here));
            members.into()
        }
        Body::CodeIssued(code) => code_issued(code, here),
        Body::RefreshReplayed(token) => json!({
            "family": here(token.family),
            "generation": token.generation,
            "answered_with": here(token.issued),
        }),
        Body::RefreshRefused(token) => {
            let mut members = Members::default();
            members.put("family", here(token.family));
            members.put("generation", token.generation);
            members.put_some("unrecorded", token.unrecorded);
            members.into()
        }
        _ => json!({}),
    }
}

/// What only the tokens of people have.
pub(super) fn put_of_person(members: &mut Members, token: &IssuedToken, here: &impl Fn(u64) -> String) {
    members.put_some("session", token.session.map(here));
    members.put_list("claims", token.claims.iter().cloned().map(Value::from).collect());
    members.put_some(
        "refresh_token",
        token.refresh.as_ref().map(|refresh| {
            json!({
                "family": here(refresh.family),
                "generation": refresh.generation,
                "until": instant::format(refresh.until),
            })
        }),
    );
    members.put_some(
        "id_token",
        token.id_token.as_ref().map(|id_token| {
            json!({
                "kid": id_token.kid.as_str(),
                "alg": id_token.algorithm.name(),
                "expires_at": instant::format(id_token.expires_at),
            })
        }),
    );
}

fn session_ended(ended: &SessionEnded, here: &impl Fn(u64) -> String) -> Value {
    let mut members = Members::default();
    members.put("session", here(ended.session));
    members.put("by", ended.by.name());
    members.put_some("reason", (!ended.reason.is_empty()).then(|| ended.reason.clone()));
    members.put("until", instant::format(ended.until));
    members.put_list("grants", grants(&ended.grants, here));
    members.put_list("clients_to_tell", ended.notify.iter().map(|client| client.as_str().into()).collect());
    members.into()
}

fn code_issued(code: &CodeIssued, here: &impl Fn(u64) -> String) -> Value {
    let mut members = Members::default();
    members.put("session", here(code.session));
    members.put("redirect_uri_digest", hex(&code.redirect));
    members.put("scope", code.scope.to_string());
    members.put("audience", code.audience.clone());
    members.put_some("code_challenge", code.challenge.as_ref().map(|challenge| hex(challenge)));
    members.put("until", instant::format(code.until));
    members.put_list("claims", code.claims.iter().cloned().map(Value::from).collect());
    members.put("acr", code.acr.clone());
    members.put_list("amr", code.amr.iter().cloned().map(Value::from).collect());
    members.put("auth_time", instant::format(code.auth_time));
    members.put_some("request_spent", code.spent.as_ref().map(spent));
    members.put("outlives_session", code.offline);
    members.put("tell_of_logout", code.logout);
    members.put("session_until", instant::format(code.session_until));
    members.into()
}

fn grants(grants: &[(u64, Timestamp)], here: &impl Fn(u64) -> String) -> Vec<Value> {
    grants.iter().map(|(seq, until)| json!({ "grant": here(*seq), "until": instant::format(*until) })).collect()
}
