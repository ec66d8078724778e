//! The table of what is said of each refusal: a golden file, so that no line of it changes by accident.

use crate::http::stop::{self, OAuthError};
use ::http::header;
use grantlog_events::Refusal;
use std::{collections::BTreeSet, fmt::Write, fs, path::PathBuf};

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/http/tests/golden/errors.txt")
}

fn table() -> String {
    let mut table = String::from("refusal | at the token endpoint | of an exchange\n");
    for refusal in Refusal::ALL {
        let public = |error: OAuthError| {
            let (code, status) = error.public();
            format!("{} {code}", status.as_u16())
        };
        let (plain, exchange) = (OAuthError::from(*refusal), OAuthError::of_exchange(*refusal));
        writeln!(table, "{} {} | {} | {}", refusal.number(), refusal.name(), public(plain), public(exchange)).unwrap();
    }
    table.push_str("\nerror | status | code | WWW-Authenticate without and with a sentence | body\n");
    for error in OAuthError::ALL {
        let (code, status) = error.public();
        let challenge = |sentence| {
            let response = stop::response(*error, sentence);
            let challenge = response.headers().get(header::WWW_AUTHENTICATE);
            challenge.map_or_else(|| "-".to_owned(), |value| value.to_str().unwrap().to_owned())
        };
        let body = String::from_utf8(stop::response(*error, "A sentence.").into_body()).unwrap();
        writeln!(
            table,
            "{error:?} | {} | {code} | {} | {} | {body}",
            status.as_u16(),
            challenge(""),
            challenge("A sentence.")
        )
        .unwrap();
    }
    let failure = stop::unavailable();
    let retry_after = failure.headers()[header::RETRY_AFTER].to_str().unwrap().to_owned();
    let body = String::from_utf8(failure.body().clone()).unwrap();
    writeln!(table, "\na failure | {} | Retry-After: {retry_after} | {body}", failure.status().as_u16()).unwrap();
    table
}

/// `GOLDEN_UPDATE=1` writes the table anew; the difference is then for a reviewer to read.
#[test]
fn what_is_said_of_each_refusal_is_as_it_was() {
    if std::env::var_os("GOLDEN_UPDATE").is_some() {
        fs::write(golden(), table()).unwrap();
    }
    assert_eq!(table(), fs::read_to_string(golden()).unwrap());
}

#[test]
fn every_error_is_in_the_table_once_and_is_a_4xx_that_nobody_caches() {
    let names: BTreeSet<String> = OAuthError::ALL.iter().map(|error| format!("{error:?}")).collect();
    assert_eq!(names.len(), OAuthError::ALL.len());
    for error in OAuthError::ALL {
        let response = stop::response(*error, "");
        assert!(response.status().is_client_error(), "{error:?}");
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    }
    // RFC 8693 §2.2.2: a bad token in an exchange is no `invalid_grant`.
    assert!(Refusal::ALL.iter().all(|refusal| OAuthError::of_exchange(*refusal) != OAuthError::InvalidGrant));
}
