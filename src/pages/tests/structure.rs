//! What every page has, whatever it shows: a title, one heading, labels, and no script but the one.

use super::markup::{named, tags};
use super::samples::{Words, all};
use crate::pages::policy::SUBMIT;
use crate::pages::{Language, form};
use std::collections::BTreeSet;

/// Runs `check` on every page in every language.
fn every_page(check: impl Fn(&str, Language, &str)) {
    for language in Language::ALL {
        for (name, page) in all(&Words::ordinary(), language) {
            check(&format!("{name} in {language:?}"), language, page.html.0.as_str());
        }
    }
}

#[test]
fn every_page_says_its_language_its_title_and_one_heading() {
    every_page(|name, language, html| {
        assert_eq!(named(html, "html").first().unwrap().value("lang"), Some(language.tag()), "{name}");
        let titles = named(html, "title");
        assert!(titles.len() == 1 && titles[0].text.ends_with(" – Grantlog"), "{name}");
        assert_eq!(named(html, "h1").len(), 1, "{name}");
        assert_eq!(named(html, "main").len(), 1, "{name}");
    });
}

#[test]
fn no_page_is_in_the_other_language() {
    let in_japanese = |html: &str| {
        let heading = html.split_once("<h1>").unwrap().1.split("</h1>").next().unwrap();
        !heading.replace("Photo Book", "").replace("photos.example", "").is_ascii()
    };
    every_page(|name, language, html| assert_eq!(in_japanese(html), language == Language::Japanese, "{name}"));
}

#[test]
fn every_input_that_is_seen_has_a_label_and_every_reference_its_element() {
    every_page(|name, _, html| {
        let ids: Vec<&str> = tags(html).iter().filter_map(|tag| tag.value("id")).collect();
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{name} repeats an id");
        let labelled: Vec<&str> = named(html, "label").iter().filter_map(|label| label.value("for")).collect();
        for input in named(html, "input").iter().filter(|input| input.value("type") != Some("hidden")) {
            assert!(labelled.contains(&input.value("id").unwrap()), "{name}");
            assert!(input.value("autocomplete").is_some(), "{name}");
        }
        for reference in ["for", "aria-describedby", "aria-labelledby"] {
            assert!(tags(html).iter().filter_map(|tag| tag.value(reference)).all(|id| ids.contains(&id)), "{name}");
        }
    });
}

#[test]
fn a_problem_is_announced_and_described_at_both_fields() {
    every_page(|name, _, html| {
        let again = name.starts_with("login-") && !name.starts_with("login-to-account");
        assert_eq!(html.contains(r#"role="alert""#), again, "{name}");
        assert_eq!(html.matches(r#"aria-describedby="problem""#).count(), if again { 2 } else { 0 }, "{name}");
        assert_eq!(html.contains("aria-invalid"), name.starts_with("login-wrong-credentials"), "{name}");
    });
}

#[test]
fn nothing_is_inline_but_the_one_script_of_the_form_post() {
    every_page(|name, _, html| {
        let scripts = named(html, "script");
        assert_eq!(scripts.len(), usize::from(name.starts_with("form-post")), "{name}");
        assert!(scripts.iter().all(|script| script.text == SUBMIT && script.attributes().count() == 0), "{name}");
        assert!(named(html, "style").is_empty(), "{name}");
        let mut attributes = tags(html).into_iter().flat_map(|tag| tag.attributes().collect::<Vec<_>>());
        assert!(!attributes.any(|attribute| attribute == "style" || attribute.starts_with("on")), "{name}");
    });
}

#[test]
fn every_form_posts_and_ours_carry_the_challenge() {
    let ours = [form::LOGIN, form::CONSENT, form::CHOICE, form::LOGOUT, form::ACCOUNT];
    every_page(|name, _, html| {
        for inside in html.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap()) {
            let whole = format!("<form{inside}</form>");
            let opening = &named(&whole, "form")[0];
            assert_eq!(opening.value("method"), Some("post"), "{name}");
            let own = ours.contains(&opening.value("action").unwrap());
            assert_eq!(own, !name.starts_with("form-post"), "{name}");
            let challenges =
                named(&whole, "input").iter().filter(|input| input.value("name") == Some("challenge")).count();
            assert_eq!(challenges, usize::from(own), "{name}");
            assert!(!named(&whole, "button").is_empty(), "{name} cannot be sent by hand");
        }
    });
}
