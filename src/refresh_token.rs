//! A refresh token's text: the address its family begins at, its generation, its secret part.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Address, command::PresentedRefresh};
use std::fmt;

/// A refresh token as a client holds it; prints nothing of its secret part but by [`fmt::Display`].
#[derive(Clone, PartialEq, Eq)]
pub struct RefreshToken {
    /// Where its family begins.
    pub family: Address,
    /// From 1; each rotation counts on.
    pub generation: u64,
    /// The secret part.
    pub secret: [u8; 32],
}

impl RefreshToken {
    /// Reads a refresh token; `None` if the text has not the form of one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let family = Address::parse_dashed(parts.next()?).ok()?;
        let number = parts.next()?;
        let generation: u64 = number.parse().ok().filter(|generation: &u64| generation.to_string() == number)?;
        let secret = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?.try_into().ok()?;
        parts.next().is_none().then_some(Self { family, generation, secret })
    }

    /// What the log is told of it.
    #[must_use]
    pub fn presented(&self) -> PresentedRefresh {
        PresentedRefresh { family: self.family.seq, generation: self.generation }
    }
}

impl fmt::Display for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.family.dashed(), self.generation, URL_SAFE_NO_PAD.encode(self.secret))
    }
}

impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.[redacted]", self.family.dashed(), self.generation)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use grantlog_events::Place;

    #[test]
    fn a_refresh_token_is_read_as_it_is_written_and_in_no_other_form() {
        let family = Place { epoch: 1, shard: 5 }.at(42);
        let token = RefreshToken { family, generation: 3, secret: [7; 32] };
        let text = token.to_string();
        assert!(text.starts_with("1-5-42.3."), "{text}");
        assert_eq!(RefreshToken::parse(&text), Some(token.clone()));
        assert_eq!(format!("{token:?}"), "1-5-42.3.[redacted]");
        let secret = text.rsplit_once('.').unwrap().1;
        let others = [
            format!("1-5-42.03.{secret}"),
            format!("1-5-42.+3.{secret}"),
            format!("1-5-42.3.{secret}."),
            format!("1-5-42.3.{secret}A"),
            format!("01-5-42.3.{secret}"),
            format!("1-5-42-abcdefgh.3.{secret}"),
            "1-5-42.3.".to_owned(),
            String::new(),
        ];
        for other in others {
            assert_eq!(RefreshToken::parse(&other), None, "{other}");
        }
    }
}
