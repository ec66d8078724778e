//! Our own signing key in the hands of a thief: a token without its event is no token (DESIGN §4).

use super::{
    deployment::{Client, Service, changed, claims, jti_of, part, refusal, token_in},
    signing::Leaked,
};
use ::http::Method;
use grantlog_events::key::Algorithm;
use serde_json::{Value, json};

struct Theft {
    service: Service,
    key: Leaked,
    app: Client,
    backend: Client,
    /// A token that was exchanged twice, so that it has a grant and ancestors.
    genuine: String,
}

fn theft() -> Theft {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let root = service.login(&app, &service.person());
    let child = token_in(service.exchange(&backend, &root, &[]));
    let genuine = token_in(service.exchange(&backend, &child, &[]));
    Theft { key: Leaked::of(&service.world), service, app, backend, genuine }
}

/// Refused wherever the log is asked, and nothing comes of it.
#[track_caller]
fn is_no_token(theft: &Theft, forged: &str, what: &str) {
    let Theft { service, backend, genuine, .. } = theft;
    let before = service.heads();
    let said = refusal(service.exchange(backend, forged, &[]), 400, "invalid_request");
    assert_eq!(said, "Refused: token unknown.", "{what}");
    for client in [backend, &theft.app] {
        assert_eq!(service.introspect(client, forged).expect(200), json!({ "active": false }), "{what}");
    }
    assert_eq!(service.heads(), before, "{what}: something was appended");
    // As an actor it obtains nothing; where the exchange was appended first, it is taken back.
    refusal(service.delegate(backend, genuine, forged), 400, "invalid_request");
    let before = service.heads();
    let asked = service.revoke(&theft.app, forged).status;
    assert!(asked == 200 || asked == 401, "{what}: {asked}");
    assert_eq!(service.heads(), before, "{what}: a revocation was appended");
}

#[test]
fn a_token_signed_with_a_leaked_key_whose_event_says_the_same_is_the_token() {
    let Theft { service, key, backend, genuine, .. } = theft();
    let copy = key.token(&service.world, &claims(&genuine));
    assert!(service.is_active(&backend, &copy), "the forger's hand is right");
    service.exchange(&backend, &copy, &[]).expect(200);
}

#[test]
fn a_token_whose_event_says_otherwise_in_any_compared_field_is_no_token() {
    let theft = theft();
    let genuine = claims(&theft.genuine);
    let other = theft.service.person();
    let jti = jti_of(&theft.genuine);
    let suffix = if jti.suffix == "00000000" { "11111111" } else { "00000000" };
    let place = jti.address.place;
    let named = |seq: u64, suffix: &str| format!("{}-{}-{seq}-{suffix}", place.epoch, place.shard);
    let lin = genuine["lin"].as_array().unwrap().clone();
    for (what, change) in [
        ("client", json!({ "client_id": theft.app.id })),
        ("subject", json!({ "sub": other.as_str() })),
        ("machine", json!({ "sub": theft.app.id })),
        ("later exp", json!({ "exp": genuine["exp"].as_u64().unwrap() + 1 })),
        ("earlier exp", json!({ "exp": genuine["exp"].as_u64().unwrap() - 1 })),
        ("more scope", json!({ "scope": format!("{} groups", genuine["scope"].as_str().unwrap()) })),
        ("less scope", json!({ "scope": "openid" })),
        ("no scope", json!({ "scope": "" })),
        ("another grant", json!({ "lin": [lin[0].as_u64().unwrap() + 1, lin[1], lin[2]] })),
        ("no ancestors", json!({ "lin": [lin[0]] })),
        ("fewer ancestors", json!({ "lin": [lin[0], lin[1]] })),
        ("more ancestors", json!({ "lin": [lin[0], lin[1], lin[2], 99] })),
        ("ancestors in another order", json!({ "lin": [lin[0], lin[2], lin[1]] })),
        ("suffix", json!({ "jti": named(jti.address.seq, suffix) })),
        ("another event's position", json!({ "jti": named(jti.address.seq - 1, &jti.suffix) })),
        ("an event that issued nothing", json!({ "jti": named(0, &jti.suffix) })),
        ("no event", json!({ "jti": named(1_000_000, &jti.suffix) })),
        ("a shard that is none", json!({ "jti": format!("1-99-1-{}", jti.suffix) })),
        ("an epoch that is none", json!({ "jti": format!("7-0-1-{}", jti.suffix) })),
        ("the registry", json!({ "jti": format!("0-0-5-{}", jti.suffix) })),
        ("another shard", json!({ "jti": format!("1-{}-{}-{}", (place.shard + 1) % 8, jti.address.seq, jti.suffix) })),
    ] {
        is_no_token(&theft, &theft.key.token(&theft.service.world, &changed(&genuine, &change)), what);
    }
}

/// The kid is in the header: one of our other keys did not sign the token that the event issued.
#[test]
fn a_token_signed_with_another_of_our_keys_than_its_event_names_is_no_token() {
    let theft = theft();
    for algorithm in [Algorithm::Rs256, Algorithm::EdDsa] {
        let other = Leaked::with(&theft.service.world, algorithm);
        assert_ne!(other.kid(), part(&theft.genuine, 0)["kid"]);
        is_no_token(&theft, &other.token(&theft.service.world, &claims(&theft.genuine)), algorithm.name());
    }
}

/// Operator endpoints ask the log too: a forged operator's token opens none of them.
#[test]
fn a_forged_operators_token_opens_no_endpoint() {
    let theft = theft();
    let service = &theft.service;
    let genuine = service.operator("scim");
    let all = json!({ "scope": "client:register scim admin audit" });
    let nowhere = changed(&all, &json!({ "jti": "1-0-999999-00000000" }));
    for change in [all, nowhere, json!({ "jti": "1-99-0-00000000", "scope": "client:register scim admin audit" })] {
        let forged = theft.key.token(&service.world, &changed(&claims(&genuine), &change));
        let before = service.heads();
        for (method, path, body) in [
            (Method::POST, "/register".to_owned(), Some(service.app_metadata(&json!({})))),
            (Method::GET, format!("/register/{}", theft.app.id), None),
            (Method::DELETE, format!("/register/{}", theft.app.id), None),
            (Method::POST, "/scim/v2/Users".to_owned(), Some(json!({ "userName": "eve" }))),
            (Method::GET, "/scim/v2/Users?filter=userName%20eq%20%22x%22".to_owned(), None),
            (Method::POST, "/admin/revocations".to_owned(), Some(json!({ "client_id": theft.app.id }))),
            (Method::GET, "/audit/events".to_owned(), None),
            (Method::GET, format!("/audit/tokens/{}", jti_of(&genuine)), None),
        ] {
            let answer = service.send(method, &path, &forged, body.as_ref());
            assert_eq!(answer.status, 401, "{path} {answer:?}");
            assert_eq!(answer.body.get("error").and_then(Value::as_str).unwrap_or("invalid_token"), "invalid_token");
        }
        assert_eq!(service.heads(), before);
    }
}

/// Where the log is asked, `/userinfo` refuses it as well; KV cannot know (DESIGN §4 names the other two).
#[test]
fn userinfo_from_the_log_refuses_a_forged_token() {
    let service = Service::with(&[("USERINFO_CONSISTENCY", "log")]);
    let token = service.login(&service.app(), &service.person());
    let key = Leaked::of(&service.world);
    service.userinfo(&key.token(&service.world, &claims(&token))).expect(200);
    for change in [
        json!({ "jti": "1-0-999999-00000000" }),
        json!({ "jti": "1-99-0-00000000" }),
        json!({ "scope": "openid profile" }),
    ] {
        let forged = key.token(&service.world, &changed(&claims(&token), &change));
        assert_eq!(service.userinfo(&forged).status, 401, "{change}");
    }
}

/// V12, K: once the key is revoked nothing it ever signed is believed, nor does it sign.
#[test]
fn a_revoked_key_takes_with_it_all_it_signed() {
    let theft = theft();
    let Theft { service, key, app, backend, genuine } = &theft;
    service.end(&json!({ "kid": key.kid(), "reason": "leaked" })).expect(200);
    service.forget();
    let forged = key.token(&service.world, &changed(&claims(genuine), &json!({ "jti": "1-0-999999-00000000" })));
    for token in [genuine, &forged] {
        refusal(service.exchange(backend, token, &[]), 400, "invalid_request");
        assert!(!service.is_active(backend, token));
        assert_eq!(service.userinfo(token).status, 401);
    }
    let fresh = service.login(app, &service.person());
    assert_ne!(part(&fresh, 0)["kid"], key.kid());
    assert_eq!(service.userinfo(&fresh).status, 200);
}

/// What a thief changes beside the compared fields is told as the event has it, and opens no door.
#[test]
fn what_else_a_forged_token_says_is_told_as_its_event_says_it() {
    let Theft { service, key, backend, genuine, .. } = theft();
    let lies =
        json!({ "aud": backend.id, "act": { "sub": "nobody" }, "acr": "highest", "iat": 1, "may_act": { "sub": "x" } });
    let forged = key.token(&service.world, &changed(&claims(&genuine), &lies));
    let told = service.introspect(&backend, &forged).expect(200);
    assert_eq!(told, service.introspect(&backend, &genuine).expect(200));
    let stranger = service.app();
    let for_stranger = key.token(&service.world, &changed(&claims(&genuine), &json!({ "aud": stranger.id })));
    assert_eq!(service.introspect(&stranger, &for_stranger).expect(200), json!({ "active": false }));
}
