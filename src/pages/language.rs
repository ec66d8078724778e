//! Which language a page is in: the client's `ui_locales` (OIDC Core §3.1.2.1) before the browser's
//! `Accept-Language` (RFC 9110 §12.5.4), each by lookup (RFC 4647 §3.4); English where neither decides.

/// A language of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// Every language, the default first.
    pub const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// The tag for `lang` and `Content-Language` (BCP 47).
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }
}

/// Chooses the language. Neither list can fail: what is malformed in it matches nothing.
#[must_use]
pub fn language(ui_locales: Option<&str>, accept_language: Option<&str>) -> Language {
    let asked = ui_locales.unwrap_or_default().split_ascii_whitespace();
    asked.chain(by_weight(accept_language.unwrap_or_default())).find_map(lookup).unwrap_or(Language::English)
}

/// The ranges of an `Accept-Language`, heaviest first, equals in their order; weight 0 means "not this".
fn by_weight(accept_language: &str) -> impl Iterator<Item = &str> {
    let mut ranges: Vec<(u16, &str)> = accept_language.split(',').filter_map(weighted).collect();
    ranges.retain(|(weight, _)| *weight > 0);
    ranges.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    ranges.into_iter().map(|(_, range)| range)
}

/// A range and its weight in thousandths.
fn weighted(element: &str) -> Option<(u16, &str)> {
    let mut parts = element.split(';').map(str::trim);
    let range = parts.next()?;
    let Some(parameter) = parts.next() else { return Some((1000, range)) };
    let (name, value) = parameter.split_once('=')?;
    name.trim().eq_ignore_ascii_case("q").then(|| thousandths(value.trim())).flatten().map(|weight| (weight, range))
}

/// A `qvalue` (RFC 9110 §12.4.2): `0` to `1` with at most three decimals.
fn thousandths(qvalue: &str) -> Option<u16> {
    let (whole, decimals) = qvalue.split_once('.').unwrap_or((qvalue, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let decimals: u16 = format!("{decimals:0<3}").parse().ok()?;
    match whole {
        "0" => Some(decimals),
        "1" if decimals == 0 => Some(1000),
        _ => None,
    }
}

/// Shortens the range from its end until a language has it. Both our tags are one subtag, so the first decides;
/// the wildcard names no language and is passed over.
fn lookup(range: &str) -> Option<Language> {
    let primary = range.split('-').next()?;
    Language::ALL.into_iter().find(|language| primary.eq_ignore_ascii_case(language.tag()))
}

#[cfg(test)]
mod tests {
    use super::{Language::English, Language::Japanese, language};

    #[test]
    fn the_clients_wish_comes_before_the_browsers() {
        assert_eq!(language(Some("ja"), Some("en")), Japanese);
        assert_eq!(language(Some("fr de"), Some("ja")), Japanese);
        assert_eq!(language(Some("fr ja en"), None), Japanese);
    }

    #[test]
    fn a_range_is_shortened_until_a_language_has_it() {
        assert_eq!(language(None, Some("JA-jp-u-ca-japanese")), Japanese);
        assert_eq!(language(Some("ja-Latn-hepburn"), None), Japanese);
        assert_eq!(language(Some("jam"), None), English);
    }

    #[test]
    fn the_heaviest_range_wins_and_equals_keep_their_order() {
        assert_eq!(language(None, Some("en;q=0.7, ja;q=0.9")), Japanese);
        assert_eq!(language(None, Some("ja, en")), Japanese);
        assert_eq!(language(None, Some("fr, ja ; Q=0.001, en;q=0")), Japanese);
    }

    #[test]
    fn what_is_refused_unknown_or_malformed_gives_english() {
        for nothing in ["", "*", "fr", "ja;q=0", "ja;q=2", "ja;q=0.0000", "ja;level=1", ",;,", "日本語"] {
            assert_eq!(language(None, Some(nothing)), English, "{nothing}");
        }
        assert_eq!(language(None, None), English);
    }
}
