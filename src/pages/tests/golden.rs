//! What each page looks like, pinned, a line for each tag. `GOLDEN_UPDATE=1` writes the files anew; the
//! difference is then for a reviewer to read.

use super::samples::{Words, all};
use crate::http::Response;
use crate::pages::{Language, Page, respond, stylesheet};
use http::header;
use serde_json::json;
use std::{collections::BTreeSet, fmt::Write, fs, path::PathBuf};

/// The pages that are pinned whole; their variants share all but a sentence.
const PINNED: [&str; 8] = [
    "login-wrong-credentials",
    "consent",
    "choice",
    "logout",
    "logged-out",
    "form-post",
    "account",
    "trouble-unregistered-redirect-uri",
];

fn is_pinned(file: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/pages/tests/golden").join(file);
    if std::env::var_os("GOLDEN_UPDATE").is_some() {
        fs::write(&path, text).unwrap();
    }
    let pinned = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(pinned, text, "{file} pins another page (GOLDEN_UPDATE=1 rewrites it)");
}

/// The stylesheet's name changes with its bytes, and no page with it.
fn lines(page: &Page) -> String {
    page.html.0.replace("><", ">\n<").replace(stylesheet().0, "/assets/style-(hash).css") + "\n"
}

#[test]
fn each_page_is_as_it_was() {
    for (name, page) in all(&Words::ordinary(), Language::English) {
        if PINNED.contains(&name) {
            is_pinned(&format!("{name}.html"), &lines(&page));
        }
    }
    for (name, page) in all(&Words::ordinary(), Language::Japanese) {
        if name == "consent" {
            is_pinned("consent.ja.html", &lines(&page));
        }
    }
}

#[test]
fn status_and_policy_of_each_page_are_as_they_were() {
    let mut table = String::new();
    for (name, page) in all(&Words::ordinary(), Language::English) {
        let response = respond(page);
        let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        let wait = response.headers().get(header::RETRY_AFTER).map_or("-", |wait| wait.to_str().unwrap());
        writeln!(table, "{name} | {} | Retry-After: {wait} | {policy}", response.status().as_u16()).unwrap();
    }
    is_pinned("policies.txt", &table);
}

/// Whole responses, under `target/pages`, for `tests/clients/variants.mjs` to open in a browser.
#[test]
fn every_page_is_laid_out_for_a_browser_under_a_name_of_its_own() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/pages");
    fs::create_dir_all(&folder).unwrap();
    let mut written = BTreeSet::new();
    let mut write = |file: &str, response: &Response| {
        let headers: Vec<(&str, &str)> =
            response.headers().iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        let body = String::from_utf8(response.body().clone()).unwrap();
        let whole = json!({ "status": response.status().as_u16(), "headers": headers, "body": body });
        fs::write(folder.join(file), whole.to_string()).unwrap();
        assert!(written.insert(file.to_owned()), "two pages are called {file}");
    };
    for language in Language::ALL {
        for (name, page) in all(&Words::ordinary(), language) {
            write(&format!("{name}.{}.json", language.tag()), &respond(page));
        }
    }
    let (path, _) = stylesheet();
    write(&path.replace('/', "_"), &crate::pages::stylesheet_response());
}
