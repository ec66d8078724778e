//! What a page's response says about it: status, policy and how it may be kept.

use super::samples::{Words, all, destination};
use crate::pages::policy::SUBMIT;
use crate::pages::{Language, form_post_csp, respond, stylesheet, stylesheet_response};
use base64::{Engine, engine::general_purpose::STANDARD};
use http::header;
use sha2::{Digest, Sha256};

#[test]
fn no_page_is_cached_framed_or_told_of_to_others() {
    for language in Language::ALL {
        for (name, page) in all(&Words::ordinary(), language) {
            let response = respond(page);
            let value = |header| response.headers().get(header).unwrap().to_str().unwrap();
            assert_eq!(value(header::CONTENT_TYPE), "text/html; charset=utf-8", "{name}");
            assert_eq!(value(header::CONTENT_LANGUAGE), language.tag(), "{name}");
            assert_eq!(value(header::CACHE_CONTROL), "no-store", "{name}");
            assert_eq!(value(header::X_FRAME_OPTIONS), "DENY", "{name}");
            assert_eq!(value(header::REFERRER_POLICY), "no-referrer", "{name}");
            assert_eq!(value(header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{name}");
        }
    }
}

#[test]
fn the_form_posts_policy_allows_its_script_by_hash_and_its_destination() {
    let policy = form_post_csp(&destination());
    let hash = STANDARD.encode(Sha256::digest(SUBMIT));
    assert!(policy.contains(&format!("script-src 'sha256-{hash}';")));
    assert!(policy.contains("form-action https://photos.example;"));
    assert!(!policy.contains("unsafe"));
}

#[test]
fn every_page_links_to_the_stylesheet_that_is_served_for_ever() {
    let (path, bytes) = stylesheet();
    assert!(path.starts_with("/assets/style-") && path.len() == "/assets/style-01234567.css".len());
    for (name, page) in all(&Words::ordinary(), Language::English) {
        assert!(page.html.0.contains(&format!(r#"<link rel="stylesheet" href="{path}">"#)), "{name}");
    }
    let response = stylesheet_response();
    assert_eq!(response.body(), bytes);
    assert!(response.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
}
