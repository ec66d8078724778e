//! Whatever others call themselves, a page keeps its structure.

use super::markup::{named, tags};
use super::samples::{Words, all};
use crate::pages::Language;
use proptest::prelude::*;

/// What has meaning in HTML, in attributes, in scripts, and to the direction of writing.
const MEANT: [&str; 14] = [
    "<script>alert(1)</script>",
    "</title>",
    "<!--",
    "-->",
    "]]>",
    "\" onfocus=\"alert(1)",
    "' x='",
    "&lt;",
    "&",
    "<",
    ">",
    "\u{202e}",
    "\0",
    "</bdi></main>",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece =
        prop_oneof![prop::sample::select(&MEANT[..]).prop_map(str::to_owned), any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// The names of all tags with those of their attributes.
fn skeleton(html: &str) -> Vec<(String, Vec<String>)> {
    tags(html).iter().map(|tag| (tag.name.to_owned(), tag.attributes().map(str::to_owned).collect())).collect()
}

fn every_ampersand_begins_a_reference(html: &str) -> bool {
    html.split('&').skip(1).all(|after| ["lt;", "gt;", "amp;", "quot;"].iter().any(|name| after.starts_with(name)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_words_of_others_change_the_structure_of_a_page(text in hostile()) {
        for language in Language::ALL {
            let (plain, hostile) = (all(&Words::only("x"), language), all(&Words::only(&text), language));
            for ((name, plain), (_, hostile)) in plain.into_iter().zip(hostile) {
                prop_assert_eq!(skeleton(&plain.html.0), skeleton(&hostile.html.0), "{}", name);
                prop_assert!(every_ampersand_begins_a_reference(&hostile.html.0), "{}", name);
                prop_assert_eq!(plain.policy, hostile.policy, "{}", name);
            }
        }
    }
}

#[test]
fn a_name_is_set_apart_from_the_words_around_it() {
    for (name, page) in all(&Words::only("\u{202e}evil"), Language::English) {
        let html = &page.html.0;
        let shown = tags(html).into_iter().filter(|tag| tag.text.contains('\u{202e}'));
        assert!(shown.into_iter().all(|tag| tag.name == "bdi" || tag.name == "title"), "{name}");
        assert_eq!(named(html, "bdi").len(), named(html, "/bdi").len(), "{name}");
    }
}
