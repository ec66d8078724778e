//! Tokens that are none of ours: refused cleanly wherever tokens are taken, and nothing is written.

use super::{
    deployment::{Client, Service, changed, claims, part, refusal},
    signing::{Leaked, encode},
};
use ::http::header;
use serde_json::{Value, json};

struct Stage {
    service: Service,
    key: Leaked,
    app: Client,
    backend: Client,
    token: String,
}

fn stage() -> Stage {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let token = service.login(&app, &service.person());
    Stage { key: Leaked::of(&service.world), service, app, backend, token }
}

/// 400 at exchange (as subject and as actor), inactive, 401 at userinfo and for operators, nothing to revoke.
#[track_caller]
fn is_refused(stage: &Stage, bad: &str, what: &str) {
    let Stage { service, app, backend, token, .. } = stage;
    let before = service.heads();
    refusal(service.exchange(backend, bad, &[]), 400, "invalid_request");
    refusal(service.delegate(backend, token, bad), 400, "invalid_request");
    assert_eq!(service.introspect(backend, bad).expect(200), json!({ "active": false }), "{what}");
    for path in ["/userinfo", "/audit/events", "/scim/v2/Users?filter=x"] {
        let answer = service.send(::http::Method::GET, path, bad, None);
        assert_eq!(answer.status, 401, "{what} {path}");
        let challenge =
            answer.headers.get(header::WWW_AUTHENTICATE).unwrap_or_else(|| panic!("{path}")).to_str().unwrap();
        assert!(challenge.contains("error=\"invalid_token\""), "{what} {path}: {challenge}");
        assert!(bad.len() < 20 || !challenge.contains(bad), "{what}: the token is repeated");
    }
    service.revoke(app, bad).expect(200);
    assert_eq!(service.heads(), before, "{what}: something was appended");
}

#[test]
fn a_header_that_brings_its_own_key_or_asks_for_more_is_refused() {
    let stage = stage();
    let header = part(&stage.token, 0);
    let own_key: Value = serde_json::from_str(stage.key.jwk()).unwrap();
    for change in [
        json!({ "jku": "https://evil.example/jwks.json" }),
        json!({ "x5u": "https://evil.example/cert.pem" }),
        json!({ "x5c": ["MIIB"] }),
        json!({ "jwk": stage.service.outside.jwk() }),
        json!({ "jwk": own_key }),
        json!({ "crit": ["exp"], "exp": 1 }),
        json!({ "crit": [] }),
        json!({ "jku": null, "crit": null, "typ": "JWT" }),
    ] {
        let header = changed(&header, &change);
        is_refused(&stage, &stage.key.sign(&stage.service.world, &header, &claims(&stage.token)), &change.to_string());
    }
    // The thief's own key, in the header and behind the signature.
    let header = changed(&header, &json!({ "jwk": stage.service.outside.jwk() }));
    is_refused(&stage, &stage.service.outside.sign(&stage.service.world, &header, &claims(&stage.token)), "own key");
}

#[test]
fn alg_none_and_a_public_key_as_a_secret_are_refused() {
    let stage = stage();
    let claims = encode(claims(&stage.token).to_string().as_bytes());
    for algorithm in ["none", "None", "nOnE", "", "HS256", "HS512", "ES384", "PS256"] {
        let header = json!({ "alg": algorithm, "kid": stage.key.kid(), "typ": "at+jwt" });
        let message = format!("{}.{claims}", encode(header.to_string().as_bytes()));
        is_refused(&stage, &format!("{message}."), algorithm);
        for secret in [stage.key.jwk().as_bytes(), stage.key.kid().as_bytes(), b""] {
            use hmac::{KeyInit, Mac};
            let mut mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(secret).unwrap();
            mac.update(message.as_bytes());
            is_refused(&stage, &format!("{message}.{}", encode(&mac.finalize().into_bytes())), algorithm);
        }
    }
    // An algorithm of ours, but not the key's.
    for algorithm in ["RS256", "EdDSA"] {
        let header = json!({ "alg": algorithm, "kid": stage.key.kid(), "typ": "at+jwt" });
        is_refused(
            &stage,
            &stage.key.sign(&stage.service.world, &header, &super::deployment::claims(&stage.token)),
            algorithm,
        );
    }
}

/// XF, XA: well-formed and wrongly signed; rightly signed and of another kind.
#[test]
fn flipped_and_foreign_signatures_and_other_kinds_of_token_are_refused() {
    let stage = stage();
    let (message, signature) = stage.token.rsplit_once('.').unwrap();
    for at in [0, 20, 60] {
        let mut bytes = signature.as_bytes().to_vec();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        is_refused(&stage, &format!("{message}.{}", String::from_utf8(bytes).unwrap()), "flipped");
    }
    let header = part(&stage.token, 0);
    is_refused(
        &stage,
        &stage.service.outside.sign(&stage.service.world, &header, &claims(&stage.token)),
        "foreign key under our kid",
    );
    for typ in [json!("JWT"), json!("logout+jwt"), json!("rt+jwt"), json!("id_token"), json!(null), json!("")] {
        let header = changed(&header, &json!({ "typ": typ }));
        is_refused(&stage, &stage.key.sign(&stage.service.world, &header, &claims(&stage.token)), &typ.to_string());
    }
    is_refused(&stage, &stage.service.assertion(&stage.service.person(), &json!({})), "an assertion");
}

/// XH, X14: rightly signed, and without what every token of ours has, or with what none has.
#[test]
fn tokens_without_exp_or_jti_of_another_issuer_or_bound_are_refused() {
    let stage = stage();
    for change in [
        json!({ "exp": null }),
        json!({ "exp": "1" }),
        json!({ "exp": -1 }),
        json!({ "jti": null }),
        json!({ "jti": "x" }),
        json!({ "jti": "01-0-0-00000000" }),
        json!({ "iss": "https://other.example" }),
        json!({ "iss": null }),
        json!({ "sub": null }),
        json!({ "sub": "" }),
        json!({ "client_id": null }),
        json!({ "aud": null }),
        json!({ "aud": [] }),
        json!({ "lin": [] }),
        json!({ "lin": null }),
        json!({ "cnf": { "jkt": "x" } }),
        json!({ "scope": 7 }),
    ] {
        is_refused(
            &stage,
            &stage.key.token(&stage.service.world, &changed(&claims(&stage.token), &change)),
            &change.to_string(),
        );
    }
    let bound = changed(&claims(&stage.token), &json!({ "cnf": {} }));
    is_refused(&stage, &stage.key.token(&stage.service.world, &bound), "bound");
}

#[test]
fn truncated_and_huge_tokens_are_refused() {
    let stage = stage();
    let token = &stage.token;
    for length in [
        0,
        1,
        10,
        token.find('.').unwrap(),
        token.find('.').unwrap() + 1,
        token.rfind('.').unwrap(),
        token.rfind('.').unwrap() + 1,
        token.len() - 1,
    ] {
        let cut = token.get(..length).unwrap();
        if cut.is_empty() {
            refusal(stage.service.exchange(&stage.backend, cut, &[]), 400, "invalid_request");
        } else {
            is_refused(&stage, cut, &format!("the first {length} bytes"));
        }
    }
    for bad in ["....", "..", "a.b.c", "a.b.c.d", "null.null.null", "e30.e30.e30", "💥.💥.💥"] {
        if bad.is_ascii() {
            is_refused(&stage, bad, bad);
        }
    }
    is_refused(&stage, &"A".repeat(40_000), "huge");
    is_refused(&stage, &format!("{token}{}", "A".repeat(20_000)), "huge signature");
    let padded = changed(&claims(token), &json!({ "x": "x".repeat(20_000) }));
    is_refused(&stage, &stage.key.token(&stage.service.world, &padded), "huge and rightly signed");
    is_refused(&stage, &format!("{token}="), "padded");
}

/// XE: an unknown `kid` is read for once, by any number of tokens, and then refused from memory.
#[test]
fn an_unknown_kid_costs_at_most_one_reading_of_the_ring() {
    let stage = stage();
    let service = &stage.service;
    service.wait(2_000);
    service.machine(&stage.app);
    let mut readings = 0;
    for number in 0..20 {
        let header = json!({ "alg": "ES256", "kid": format!("unknown-{number}"), "typ": "at+jwt" });
        let bad = stage.key.sign(&service.world, &header, &claims(&stage.token));
        service.world.faults().start_counting();
        match number % 3 {
            0 => drop(refusal(service.exchange(&stage.backend, &bad, &[]), 400, "invalid_request")),
            1 => assert_eq!(service.userinfo(&bad).status, 401),
            _ => assert_eq!(service.introspect(&stage.backend, &bad).expect(200), json!({ "active": false })),
        }
        let calls = service.world.faults().counted().calls;
        readings += calls.iter().filter(|call| **call == "log.ask").count();
    }
    assert_eq!(readings, 1);
    let without = json!({ "alg": "ES256", "typ": "at+jwt" });
    is_refused(&stage, &stage.key.sign(&service.world, &without, &claims(&stage.token)), "no kid");
}
