#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use super::*;

/// I1, I2: `iss` in authorization responses is advertised; every URL begins with the configured issuer.
#[test]
fn the_document_names_only_what_exists_under_the_issuer() {
    let document = document("https://op.example");
    assert_eq!(document["issuer"], "https://op.example");
    assert_eq!(document["authorization_response_iss_parameter_supported"], true);
    let endpoints = ["authorization_endpoint", "pushed_authorization_request_endpoint", "end_session_endpoint"];
    assert!(endpoints.iter().all(|name| document.get(*name).is_some()));
    assert_eq!(document["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(document["request_uri_parameter_supported"], false);
    let urls = document
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| name.ends_with("_endpoint") || *name == "jwks_uri");
    for (name, url) in urls {
        assert!(url.as_str().is_some_and(|url| url.starts_with("https://op.example/")), "{name}");
    }
}

#[test]
fn a_held_tag_is_found_among_others_and_if_weak() {
    let asking = |value: &str| http::Request::builder().header(header::IF_NONE_MATCH, value).body(Vec::new()).unwrap();
    for held in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*"] {
        assert!(is_held(&asking(held), "\"a\""), "{held}");
    }
    assert!(!is_held(&asking("\"b\""), "\"a\""));
}

mod over_http {
    use crate::http::tests::deployment::{ISSUER, Service};
    use crate::memory::When;

    fn get(deployment: &Service, path: &str, held: Option<&str>) -> crate::http::tests::deployment::Answer {
        let request = http::Request::get(path).header("host", "evil.example");
        let request = held.into_iter().fold(request, |request, tag| request.header("if-none-match", tag));
        deployment.handle(request.body(Vec::new()).unwrap())
    }

    /// I2: the issuer is that of the configuration, whatever `Host` says; both documents are one.
    #[test]
    fn the_issuer_comes_from_configuration() {
        let deployment = Service::new();
        let openid = get(&deployment, "/.well-known/openid-configuration", None);
        assert_eq!(openid.headers["cache-control"], "public, max-age=3600");
        let openid = openid.expect(200);
        assert_eq!(openid["issuer"], ISSUER);
        assert_eq!(openid, get(&deployment, "/.well-known/oauth-authorization-server", None).expect(200));
    }

    /// K2, K3: never empty, each algorithm with a key that signs and a spare; cacheable, and checked by tag.
    #[test]
    fn the_key_set_is_never_empty_and_may_be_cached() {
        let deployment = Service::new();
        let answer = get(&deployment, "/.well-known/jwks.json", None);
        assert_eq!(answer.headers["cache-control"], "public, max-age=3270, stale-while-revalidate=300");
        let tag = answer.headers["etag"].to_str().unwrap().to_owned();
        let keys = answer.expect(200)["keys"].as_array().cloned().unwrap();
        for algorithm in ["ES256", "RS256", "EdDSA"] {
            let of_algorithm: Vec<_> = keys.iter().filter(|key| key["alg"] == algorithm).collect();
            assert!(of_algorithm.len() >= 2, "{algorithm}");
            assert!(of_algorithm.iter().all(|key| key["kid"].is_string() && key.get("d").is_none()));
        }
        let unchanged = get(&deployment, "/.well-known/jwks.json", Some(&tag));
        assert_eq!(unchanged.headers["etag"].to_str().unwrap(), tag);
        unchanged.expect(304);
        get(&deployment, "/.well-known/jwks.json", Some("\"other\"")).expect(200);
    }

    /// V1: as long as the registry cannot be read nobody is told that all is well, or shown an empty set.
    #[test]
    fn without_the_registry_it_is_503() {
        let deployment = Service::unopened(&[]);
        deployment.world.faults().fail(0, When::Before, true);
        for path in ["/healthz", "/.well-known/jwks.json"] {
            get(&deployment, path, None).expect(503);
        }
        deployment.world.faults().mend();
        assert_eq!(get(&deployment, "/healthz", None).expect(200)["status"], "ok");
    }
}
