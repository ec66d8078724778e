//! Bodies that are too large, of the wrong type, not UTF-8, not well-formed, or that repeat themselves.

use crate::{
    endpoints::{Endpoint, Operator, WITH_BODY, must_be_clean},
    untouched::writes_nothing,
};
use grantlog_tests::{Answer, Request, party::Cast, random::unique};
use serde_json::json;

/// Bad input: more than 64 KiB.
#[test]
fn a_body_of_more_than_64_kib_is_refused() {
    everywhere(|endpoint, request| {
        let filler = "a".repeat(65 * 1024);
        let body = if endpoint.takes_forms() {
            format!("grant_type={filler}")
        } else {
            json!({ "client_name": filler }).to_string()
        };
        vec![("oversize", request.content(endpoint.content_type(), body.into_bytes()))]
    });
}

/// Bad input: the wrong content type, or none.
#[test]
fn a_body_of_the_wrong_type_is_refused() {
    everywhere(|endpoint, request| {
        let good =
            if endpoint.takes_forms() { "token=x&grant_type=client_credentials" } else { "{\"userName\":\"x\"}" };
        let wrong = [
            "text/plain",
            "multipart/form-data; boundary=x",
            "application/xml",
            "",
            "\u{e9}",
            "application/json, application/x-www-form-urlencoded",
        ];
        let swapped = if endpoint.takes_forms() { "application/json" } else { "application/x-www-form-urlencoded" };
        let types = wrong.into_iter().chain([swapped]);
        types.map(|kind| ("wrong type", request.clone().content(kind, good.as_bytes().to_vec()))).collect()
    });
}

/// Bad input: invalid UTF-8, raw and percent-encoded, in names and values.
#[test]
fn a_body_that_is_not_utf_8_is_refused() {
    everywhere(|endpoint, request| {
        let bodies: Vec<Vec<u8>> = if endpoint.takes_forms() {
            [
                &b"token=\xff\xfe"[..],
                b"\xc3\x28=x",
                b"token=%ff",
                b"%c3%28=x&token=x",
                b"token=%",
                b"token=%g0",
                b"token=%4",
            ]
            .map(<[u8]>::to_vec)
            .to_vec()
        } else {
            [
                &b"{\"userName\":\"\xff\xfe\"}"[..],
                b"\xef\xbb\xbf{",
                b"{\"\xc3\x28\":1}",
                b"\xff",
                b"{\"userName\":\"\\ud800\"}",
            ]
            .map(<[u8]>::to_vec)
            .to_vec()
        };
        bodies.into_iter().map(|body| ("not UTF-8", request.clone().content(endpoint.content_type(), body))).collect()
    });
}

/// Bad input: nothing, no JSON, JSON of another shape, and JSON nested without end.
#[test]
fn a_body_that_makes_no_sense_is_refused() {
    everywhere(|endpoint, request| {
        let deep = "[".repeat(30_000);
        let bodies = [
            "",
            "{",
            "null",
            "[]",
            "7",
            "\"text\"",
            "{\"a\":}",
            "&&&===&&",
            "=",
            deep.as_str(),
            "{\"userName\":7,\"scope\":7,\"jti\":7}",
            "\0",
        ];
        bodies
            .iter()
            .map(|body| ("nonsense", request.clone().content(endpoint.content_type(), body.as_bytes().to_vec())))
            .collect()
    });
}

/// Bad input: a parameter that repeats, in every form endpoint.
#[test]
fn a_parameter_that_repeats_is_refused() {
    everywhere(|endpoint, request| {
        if !endpoint.takes_forms() {
            return Vec::new();
        }
        let forms = [
            vec![("token", "x"), ("token", "x")],
            vec![("grant_type", "client_credentials"), ("grant_type", "client_credentials"), ("token", "x")],
            vec![("unknown", "x"), ("unknown", "y"), ("token", "x"), ("grant_type", "client_credentials")],
        ];
        forms.into_iter().map(|form| ("repeated", request.clone().form(&form))).collect()
    });
}

/// Thousands of parameters are no good request either.
#[test]
fn a_flood_of_parameters_is_refused() {
    everywhere(|endpoint, request| {
        if !endpoint.takes_forms() {
            return Vec::new();
        }
        let names: Vec<(String, &str)> = (0..2_000).map(|n| (format!("p{n}"), "")).collect();
        let audiences: Vec<(&str, &str)> = vec![("audience", "https://a.example"); 2_000];
        vec![("flood", request.clone().form(&names)), ("flood of audiences", request.form(&audiences))]
    });
}

/// What would be a person, but for one attribute.
#[test]
fn a_person_that_makes_no_sense_is_refused() {
    let long = "x".repeat(5_000);
    let people = [
        json!({}),
        json!({ "userName": "" }),
        json!({ "userName": null }),
        json!({ "userName": long }),
        json!({ "userName": unique(), "emails": "a@b.example" }),
        json!({ "userName": unique(), "emails": [{ "value": 7 }] }),
        json!({ "userName": unique(), "active": "perhaps" }),
        json!({ "userName": unique(), "name": "a name" }),
        json!({ "userName": unique(), "password": 7 }),
        json!({ "userName": unique(), "groups": "all" }),
        json!({ "userName": "line\nbreak" }),
    ];
    writes_nothing(Operator::of, |cast, operator| {
        for person in &people {
            must_be_clean(&person.to_string(), &Endpoint::Scim.request(cast, operator).json(person).send());
        }
    });
}

/// Identifiers in paths and queries that are none.
#[test]
fn paths_and_queries_that_make_no_sense_are_refused() {
    let ids = [
        "x",
        "1-x",
        "..",
        "%00",
        "%ff",
        "1-AAAAAAAAAAAAAAAAAAAAAA",
        "99999999999999999999-1-1-aaaaaaaa",
        "1-1-1-zzzzzzzz",
        &"9".repeat(5_000),
    ];
    let queries = [
        "limit=0",
        "limit=-1",
        "limit=x",
        "limit=999999999999",
        "from=yesterday",
        "to=2026-13-01T00:00:00Z",
        "after=x",
        "type=nonsense",
        "raw=perhaps",
        "limit=1&limit=1",
        "subject=%ff",
    ];
    let tokens = |cast: &Cast| (cast.service.operator_token("scim"), cast.service.operator_token("audit"));
    writes_nothing(tokens, |cast, (scim, audit)| {
        let service = &cast.service;
        for id in ids {
            must_be_clean(id, &service.get(&format!("/scim/v2/Users/{id}")).bearer(scim).send());
            must_be_clean(id, &service.get(&format!("/audit/tokens/{id}")).bearer(audit).send());
            must_be_clean(id, &service.get(&format!("/register/{id}")).bearer("x").send());
            must_be_clean(
                id,
                &service.request("DELETE", &service.url(&format!("/scim/v2/Users/{id}"))).bearer(scim).send(),
            );
        }
        for query in queries {
            must_be_clean(query, &service.get(&format!("/audit/events?{query}")).bearer(audit).send());
        }
        for filter in [
            "",
            "x",
            "userName",
            "userName eq",
            "userName eq x",
            "userName eq \"unclosed",
            "id eq \"x\"",
            "userName ne \"x\"",
        ] {
            let url = format!("/scim/v2/Users?filter={}", grantlog_tests::request::encoded(filter));
            must_be_clean(filter, &service.get(&url).bearer(scim).send());
        }
    });
}

/// Sends what `attacks` makes of each endpoint's good request, and wants each refused and nothing written.
fn everywhere(attacks: impl Fn(Endpoint, Request) -> Vec<(&'static str, Request)>) {
    writes_nothing(Operator::of, |cast, operator| {
        for endpoint in WITH_BODY {
            for (what, request) in attacks(endpoint, endpoint.request(cast, operator)) {
                must_be_clean(&format!("{what} at {endpoint:?}"), &answered(&request));
            }
        }
    });
}

/// The answer, asked for again where it was lost: who closes a connection before all of a body was read
/// may reset it under the answer (RFC 9112 §9.6).
fn answered(request: &Request) -> Answer {
    let answer = (0..20).find_map(|_| request.clone().try_send().ok());
    answer.expect("one of twenty answers to a large body arrives")
}
