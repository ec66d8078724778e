//! Instants for people: to the minute, in UTC and saying so, since a page does not know where its reader is.

use super::Language;
use super::text::Text;
use grantlog_events::Timestamp;
use grantlog_projections::rendered::instant;
use maud::{Markup, html};

/// A `time` element: for machines with seconds, for people as their language writes it.
pub(super) fn moment(at: Timestamp, language: Language) -> Markup {
    let exact = instant::format(at);
    let seconds = exact.split('.').next().unwrap_or_default();
    html! { time datetime={ (seconds) "Z" } { (in_words(seconds, language).unwrap_or_else(|| seconds.to_owned())) } }
}

/// `2026-12-01T04:15:00` in words.
fn in_words(seconds: &str, language: Language) -> Option<String> {
    let (date, time) = seconds.split_once('T')?;
    let minutes = time.get(..5)?;
    let mut fields = date.split('-');
    let (year, month, day) = (fields.next()?, fields.next()?, fields.next()?);
    let month: usize = month.parse().ok()?;
    let name = Text::of(language).months.get(month.checked_sub(1)?)?;
    let day = day.trim_start_matches('0');
    Some(match language {
        Language::English => format!("{day} {name} {year}, {minutes} UTC"),
        Language::Japanese => format!("{year}年{name}{day}日 {minutes} (UTC)"),
    })
}

#[cfg(test)]
mod tests {
    use super::{Language, Timestamp, moment};

    #[test]
    fn a_moment_is_written_as_its_language_has_it_and_exact_for_machines() {
        let at = Timestamp(1_709_164_859_999);
        assert_eq!(
            moment(at, Language::English).into_string(),
            r#"<time datetime="2024-02-29T00:00:59Z">29 February 2024, 00:00 UTC</time>"#
        );
        assert_eq!(
            moment(at, Language::Japanese).into_string(),
            r#"<time datetime="2024-02-29T00:00:59Z">2024年2月29日 00:00 (UTC)</time>"#
        );
    }
}
