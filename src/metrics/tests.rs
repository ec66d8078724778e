//! The names are pinned; a report comes once a minute and holds no more than was counted.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::{Account, Endpoint, Metric};
use grantlog_events::{Refusal, Timestamp};
use std::{collections::BTreeSet, fmt::Write, fs, path::PathBuf};

const NOW: Timestamp = Timestamp(1_770_000_000_000);

/// Dashboards and alerts hang on these. `GOLDEN_UPDATE=1` writes the list anew.
#[test]
fn the_names_of_metrics_are_as_they_were() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/metrics/names.txt");
    let mut list = String::new();
    for metric in Metric::all() {
        writeln!(list, "{} {:?}", metric.name(), metric.kind()).unwrap();
    }
    if std::env::var_os("GOLDEN_UPDATE").is_some() {
        fs::write(&path, &list).unwrap();
    }
    assert_eq!(list, fs::read_to_string(path).unwrap());
    let names: BTreeSet<String> = Metric::all().into_iter().map(Metric::name).collect();
    assert_eq!(names.len(), Metric::all().len(), "a name is used twice");
}

#[test]
fn a_report_comes_at_once_and_then_once_a_minute_when_something_changed() {
    let account = Account::default();
    let first = account.count(Metric::Unauthenticated, 1, NOW).unwrap();
    assert_eq!(first.line(), r#"{"metrics":{"unauthenticated":1}}"#);
    for later in 0..60 {
        assert_eq!(account.count(Metric::Unauthenticated, 1, Timestamp(NOW.0 + later * 999)), None);
    }
    let second = account.count(Metric::Unauthenticated, 1, Timestamp(NOW.0 + 60_000)).unwrap();
    assert_eq!(second.line(), r#"{"metrics":{"unauthenticated":61}}"#);
}

#[test]
fn sums_and_peaks_begin_anew_with_each_report_and_instants_stay() {
    let account = Account::default();
    account.count(Metric::Unauthenticated, 1, NOW);
    for (metric, value) in [
        (Metric::Refused(Refusal::TokenExpired), 2),
        (Metric::Refused(Refusal::TokenExpired), 3),
        (Metric::ProjectorLag, 7),
        (Metric::ProjectorLag, 4),
        (Metric::AlarmSucceeded, NOW.0),
    ] {
        account.count(metric, value, NOW);
    }
    let due = |later| account.count(Metric::Unauthenticated, 1, Timestamp(NOW.0 + later)).unwrap().line();
    let (refused, at) = (r#""refused.token_expired":5"#, NOW.0);
    let lag = r#""projector_lag_events":7"#;
    assert_eq!(
        due(60_000),
        format!(r#"{{"metrics":{{"alarm_succeeded_at":{at},{lag},{refused},"unauthenticated":1}}}}"#)
    );
    assert_eq!(due(120_000), format!(r#"{{"metrics":{{"alarm_succeeded_at":{at},"unauthenticated":1}}}}"#));
}

#[test]
fn a_path_counts_for_an_endpoint_of_ours_or_for_none() {
    assert_eq!(Endpoint::of_path("/scim/v2/Users/1-abc"), Endpoint::Scim);
    for path in ["/", "", "/ada@example.org", "/other", "/tokens"] {
        assert_eq!(Endpoint::of_path(path), Endpoint::Other, "{path}");
    }
}
