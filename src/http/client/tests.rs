//! Clients without a secret, and those that have one and keep it to themselves.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::http::tests::deployment::{Answer, Client, EXCHANGE, JWT_BEARER, Service, basic, encoded};
use http::{Request, header};
use serde_json::{Value, json};

/// A form with nothing but what stands in it.
fn bare(service: &Service, path: &str, authorization: Option<&str>, form: &[(&str, &str)]) -> Answer {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let request = authorization.into_iter().fold(request, |request, value| request.header("authorization", value));
    let body: Vec<String> = form.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    service.handle(request.body(body.join("&").into_bytes()).unwrap())
}

fn registered(service: &Service, method: &str) -> Client {
    service.register(&json!({
        "redirect_uris": ["https://app.example/cb"], "grant_types": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_method": method,
    }))
}

fn is_unproven(answer: Answer) {
    assert_eq!(answer.expect(401), unproven());
}

fn unproven() -> Value {
    json!({ "error": "invalid_client", "error_description": "The client could not be authenticated." })
}

/// Where a public client may come by its name alone, and what is asked there.
const OPEN: [(&str, &[(&str, &str)]); 4] = [
    ("/token", &[("grant_type", "authorization_code"), ("code", "x"), ("redirect_uri", "https://app.example/cb")]),
    ("/token", &[("grant_type", "refresh_token"), ("refresh_token", "x")]),
    ("/revoke", &[("token", "x")]),
    ("/par", &[("response_type", "code"), ("redirect_uri", "https://app.example/cb")]),
];

const CLOSED: [(&str, &[(&str, &str)]); 4] = [
    ("/token", &[("grant_type", "client_credentials")]),
    ("/token", &[("grant_type", JWT_BEARER), ("assertion", "x")]),
    ("/token", &[("grant_type", EXCHANGE), ("subject_token", "x"), ("subject_token_type", "x")]),
    ("/introspect", &[("token", "x")]),
];

#[test]
fn a_client_that_has_a_secret_or_a_key_does_not_come_without_it() {
    let service = Service::new();
    for client in
        [registered(&service, "client_secret_basic"), registered(&service, "client_secret_post"), service.keyed()]
    {
        for (path, form) in OPEN.into_iter().chain(CLOSED) {
            is_unproven(bare(&service, path, None, &[form, &[("client_id", &client.id)]].concat()));
        }
    }
}

#[test]
fn a_client_by_its_name_alone_is_taken_only_where_something_else_proves_what_is_asked() {
    let service = Service::new();
    let client = registered(&service, "none");
    let named = [("client_id", client.id.as_str())];
    for (path, form) in OPEN {
        let answer = bare(&service, path, None, &[form, &named].concat());
        assert_ne!(answer.status, 401, "{path} {form:?}");
    }
    for (path, form) in CLOSED {
        is_unproven(bare(&service, path, None, &[form, &named].concat()));
    }
    for (path, form) in OPEN.into_iter().chain(CLOSED) {
        is_unproven(bare(&service, path, None, form));
    }
}

/// RFC 6749 §2.3: it uses the one method that it registered.
#[test]
fn a_public_client_that_brings_a_secret_is_another_client_than_the_registered_one() {
    let service = Service::new();
    let mut client = registered(&service, "none");
    for secret in ["", "secret"] {
        secret.clone_into(&mut client.secret);
        for (path, form) in OPEN {
            is_unproven(bare(&service, path, Some(&basic(&client)), form));
        }
    }
    for (path, form) in OPEN {
        is_unproven(bare(&service, path, None, &[form, &[("client_id", &client.id), ("client_secret", "x")]].concat()));
    }
}
