//! Instants as RFC 3339 text with milliseconds in UTC, both ways, without a clock or a time zone.
//!
//! The civil-date arithmetic is the usual one on eras of 400 years (proleptic Gregorian). Reading is
//! strict: every field two or four digits, a real day, a zone; before 1970 there was no log.

use grantlog_events::Timestamp;

const MILLIS_A_DAY: u64 = 86_400_000;
const DAYS_AN_ERA: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_DAY: i64 = 719_468;
/// 9999-12-31T23:59:59.999Z: four digits of year are all that RFC 3339 has.
const LAST: u64 = 253_402_300_799_999;

/// `1970-01-01T00:00:00.000Z` and so on; an instant after the year 9999 is shown as its last.
#[must_use]
pub fn format(at: Timestamp) -> String {
    let millis = at.0.min(LAST);
    let (days, rest) = (millis / MILLIS_A_DAY, millis % MILLIS_A_DAY);
    let (year, month, day) = civil(i64::try_from(days).unwrap_or_default());
    let (hour, minute, second, milli) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60, rest % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Reads RFC 3339 text; digits beyond milliseconds are cut, which no comparison with events can tell.
#[must_use]
pub fn parse(text: &str) -> Option<Timestamp> {
    let (date, time) = text.split_once('T')?;
    let [year, month, day] = fields(date, '-', [4, 2, 2])?;
    let (clock, offset) = zone(time)?;
    let (clock, millis) = fraction(clock)?;
    let [hour, minute, second] = fields(clock, ':', [2, 2, 2])?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let days = day_number(year, month, day)?;
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset * 60;
    u64::try_from(seconds * 1000 + millis).ok().map(Timestamp)
}

/// The time of day and the zone's distance from UTC in minutes.
fn zone(time: &str) -> Option<(&str, i64)> {
    if let Some(clock) = time.strip_suffix('Z') {
        return Some((clock, 0));
    }
    let at = time.rfind(['+', '-'])?;
    let (clock, zone) = time.split_at_checked(at)?;
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let [hours, minutes] = fields(zone.get(1..)?, ':', [2, 2])?;
    (hours < 24 && minutes < 60).then_some((clock, sign * (hours * 60 + minutes)))
}

fn fraction(clock: &str) -> Option<(&str, i64)> {
    let Some((clock, digits)) = clock.split_once('.') else { return Some((clock, 0)) };
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    let millis = format!("{digits:0<3}").get(..3).and_then(number)?;
    number(digits)?;
    Some((clock, millis))
}

fn fields<const N: usize>(text: &str, separator: char, widths: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut read = [0; N];
    for (field, width) in read.iter_mut().zip(widths) {
        *field = parts.next().filter(|part| part.len() == width).and_then(number)?;
    }
    parts.next().is_none().then_some(read)
}

fn number(digits: &str) -> Option<i64> {
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Year, month and day of a number of days since 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH_DAY;
    let (era, day_of_era) = (days.div_euclid(DAYS_AN_ERA), days.rem_euclid(DAYS_AN_ERA));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// Days since 1970-01-01, if there is such a day.
fn day_number(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) {
        return None;
    }
    let shifted_year = year - i64::from(month <= 2);
    let (era, year_of_era) = (shifted_year.div_euclid(400), shifted_year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * DAYS_AN_ERA + day_of_era - EPOCH_DAY;
    (civil(days) == (year, month, day)).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_instants_are_written_and_read_alike() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_164_800_001, "2024-02-29T00:00:00.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (LAST, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(format(Timestamp(millis)), text);
            assert_eq!(parse(text), Some(Timestamp(millis)), "{text}");
        }
    }

    #[test]
    fn every_day_of_nine_centuries_reads_back_as_itself() {
        for day in 0..330_000 {
            let at = Timestamp(day * MILLIS_A_DAY + day);
            assert_eq!(parse(&format(at)), Some(at));
        }
    }

    #[test]
    fn zones_and_fractions_are_understood() {
        let at = parse("2024-05-01T10:00:00Z");
        assert_eq!(parse("2024-05-01T12:00:00+02:00"), at);
        assert_eq!(parse("2024-05-01T04:30:00-05:30"), at);
        assert_eq!(parse("2024-05-01T10:00:00.1239999Z"), at.map(|at| Timestamp(at.0 + 123)));
        assert_eq!(parse("2024-05-01T10:00:00.5Z"), at.map(|at| Timestamp(at.0 + 500)));
    }

    #[test]
    fn what_is_not_a_real_instant_is_refused() {
        for text in [
            "",
            "2024-05-01",
            "2024-02-30T00:00:00Z",
            "2023-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-00-01T00:00:00Z",
            "2024-05-01T24:00:00Z",
            "2024-05-01T10:60:00Z",
            "2024-05-01T10:00:60Z",
            "2024-05-01T10:00:00",
            "2024-05-01T10:00:00.Z",
            "2024-05-01T10:00:00.1234567890Z",
            "2024-05-01T10:00:00.12aZ",
            "2024-5-1T10:00:00Z",
            "+024-05-01T10:00:00Z",
            "1969-12-31T23:59:59Z",
            "2024-05-01T10:00:00+0200",
            "2024-05-01T10:00:00Zé",
            "1.0.5",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
