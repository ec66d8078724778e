//! The shapes a configured value can have.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use std::borrow::Cow;

#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// 32 bytes, base64url without padding.
    Key,
    /// An absolute http or https URL without query or fragment (RFC 8414 §2), without a last slash.
    Issuer,
    /// Any text but the empty one.
    Text,
    Number,
    /// A number from 1 to 1,024.
    Count,
    /// A number from the least to the most that the Worker takes.
    Seconds(u32, u32),
    Consistency,
}

impl Shape {
    /// The error is what was wanted, to follow "is not".
    pub(super) fn check(self, value: &str) -> Result<(), Cow<'static, str>> {
        let (holds, wanted) = match self {
            Self::Key => (is_key(value), "32 bytes of base64url without padding".into()),
            Self::Issuer => (is_issuer(value), "an http or https URL without query, fragment or last slash".into()),
            Self::Text => (!value.is_empty(), "a text of at least one character".into()),
            Self::Number => (value.parse::<u32>().is_ok(), "a whole number".into()),
            Self::Count => (number_in(value, 1, 1_024), "a whole number from 1 to 1024".into()),
            Self::Seconds(least, most) => {
                (number_in(value, least, most), format!("a whole number of seconds from {least} to {most}").into())
            }
            Self::Consistency => (matches!(value, "kv" | "log"), "kv or log".into()),
        };
        if holds { Ok(()) } else { Err(wanted) }
    }
}

fn is_key(value: &str) -> bool {
    BASE64_URL_SAFE_NO_PAD.decode(value).is_ok_and(|bytes| bytes.len() == 32)
}

fn number_in(value: &str, least: u32, most: u32) -> bool {
    value.parse::<u32>().is_ok_and(|number| (least..=most).contains(&number))
}

fn is_issuer(value: &str) -> bool {
    let rest = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"));
    let Some(rest) = rest else { return false };
    let (authority, _) = rest.split_once('/').unwrap_or((rest, ""));
    let clean = rest.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '?' | '#' | '@' | '\\' | '"'));
    clean && !authority.is_empty() && !rest.ends_with('/') && has_sound_port(authority)
}

fn has_sound_port(authority: &str) -> bool {
    let after_host = authority.rsplit_once(']').map_or(authority, |(_, after)| after);
    match after_host.rsplit_once(':') {
        Some((host, port)) => (authority.contains(']') || !host.is_empty()) && number_in(port, 1, 65_535),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn a_key_is_32_bytes_of_unpadded_base64url() {
        let sound = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
        assert!(Shape::Key.check(sound).is_ok());
        for bad in ["", &sound[1..], &format!("{sound}="), &sound.replace('A', "+")] {
            assert!(Shape::Key.check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_issuer_is_an_absolute_url_and_no_more() {
        for sound in ["http://127.0.0.1:8787", "https://id.example", "https://id.example/tenant", "http://[::1]:80"] {
            assert!(Shape::Issuer.check(sound).is_ok(), "{sound}");
        }
        for bad in [
            "",
            "id.example",
            "ftp://x",
            "http://",
            "http://x/",
            "http://x?y",
            "http://x#y",
            "http://x:0",
            "http://:1",
            "http://a b",
        ] {
            assert!(Shape::Issuer.check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn counts_and_seconds_have_a_least_and_a_most() {
        let day = Shape::Seconds(1, 86_400);
        assert!(Shape::Count.check("64").is_ok() && day.check("900").is_ok());
        for bad in ["0", "-1", "1.5", "x", "", "86401", "99999999999"] {
            assert!(Shape::Count.check(bad).is_err() && day.check(bad).is_err(), "{bad}");
        }
        assert_eq!(day.check("0"), Err("a whole number of seconds from 1 to 86400".into()));
        assert!(Shape::Seconds(0, 300).check("0").is_ok(), "no grace is a choice");
    }
}
