use super::*;

/// I1, I2: `iss` in authorization responses is advertised; every URL begins with the configured issuer.
#[test]
fn the_document_names_only_what_exists_under_the_issuer() {
    let document = document("https://op.example");
    assert_eq!(document["issuer"], "https://op.example");
    assert_eq!(document["authorization_response_iss_parameter_supported"], true);
    for absent in ["authorization_endpoint", "pushed_authorization_request_endpoint", "end_session_endpoint"] {
        assert!(document.get(absent).is_none(), "{absent}");
    }
    let urls = document.as_object().into_iter().flatten().filter(|(name, _)| name.ends_with("_endpoint") || *name == "jwks_uri");
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
