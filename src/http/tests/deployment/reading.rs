//! What is in an answer and in a token.

use super::Answer;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Jti, Place};
use serde_json::Value;

#[track_caller]
pub(in crate::http) fn token_in(answer: Answer) -> String {
    answer.expect(200)["access_token"].as_str().unwrap().to_owned()
}

/// A part of a JWT, opened: 0 is the header, 1 the claims.
pub(in crate::http) fn part(token: &str, number: usize) -> Value {
    let part = token.split('.').nth(number).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

pub(in crate::http) fn claims(token: &str) -> Value {
    part(token, 1)
}

pub(in crate::http) fn jti_of(token: &str) -> Jti {
    Jti::parse(claims(token)["jti"].as_str().unwrap()).unwrap()
}

pub(in crate::http) fn place_of(token: &str) -> Place {
    jti_of(token).address.place
}

/// The refusal that an answer's sentence names.
#[track_caller]
pub(in crate::http) fn refusal(answer: Answer, status: u16, error: &str) -> String {
    let body = answer.expect(status);
    assert_eq!(body["error"], error, "{body}");
    body["error_description"].as_str().unwrap_or_default().to_owned()
}
