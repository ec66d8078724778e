//! Many at once: one refresh token, one code, one login.

use crate::cast;
use grantlog_tests::{Answer, Service, parallel, relying_party::Tokens};
use std::collections::BTreeSet;

const MANY: usize = 50;

fn refresh_tokens(answers: &[Answer]) -> BTreeSet<String> {
    answers.iter().map(|answer| answer.text("refresh_token")).collect()
}

/// R2, R5: under any interleaving one token has one successor, and nobody is logged out.
#[test]
fn fifty_refreshes_of_one_token_at_once_all_get_the_same_successor() {
    let service = Service::shared();
    let (party, person, browser) = cast(&service);
    let tokens = party.tokens(&browser, &person, &[]);
    let answers = parallel::each(MANY, &[(); MANY], |_, ()| party.refresh(tokens.refresh()).expect(200));
    let successors = refresh_tokens(&answers);
    assert_eq!(successors.len(), 1, "{successors:?}");
    let access: BTreeSet<String> =
        answers.iter().map(|answer| grantlog_tests::jwt::jti(&answer.access_token())).collect();
    assert_eq!(access.len(), 1, "one access token, signed again: {access:?}");
    let successor = successors.first().unwrap();
    assert!(party.is_active(&answers[0].access_token()));
    let _ = party.refresh(successor).expect(200);
}

/// R1, R13: a chain of refreshes in which every answer is lost once.
#[test]
fn a_client_that_loses_every_answer_once_stays_logged_in() {
    let service = Service::shared();
    let (party, person, browser) = cast(&service);
    let mut token = party.tokens(&browser, &person, &[]).refresh().to_owned();
    for _ in 0..10 {
        let lost = party.refresh(&token).expect(200).text("refresh_token");
        let again = Tokens(party.refresh(&token).expect(200).json());
        assert_eq!(again.refresh(), lost);
        assert!(party.is_active(again.access()));
        token = lost;
    }
}

/// R15: where a request comes from has no part in it.
#[test]
fn a_replay_from_another_address_within_the_window_passes() {
    let service = Service::shared();
    let (party, person, browser) = cast(&service);
    let tokens = party.tokens(&browser, &person, &[]);
    let from = |address: &str| {
        let form = [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh())];
        let request = party.client.form("token_endpoint", &form).header("cf-connecting-ip", address);
        request.send().expect(200).text("refresh_token")
    };
    assert_eq!(from("192.0.2.1"), from("198.51.100.9"));
}

/// R20: of many who redeem a code at once, one gets tokens; nobody gets a 5xx.
#[test]
fn a_code_redeemed_by_many_at_once_is_redeemed_once() {
    let service = Service::shared();
    let (party, person, browser) = cast(&service);
    let code = party.code(&browser, &person, &[]);
    let answers = parallel::each(16, &[(); 16], |_, ()| party.redeem(&code));
    let granted: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(granted.len(), 1);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.must_refuse(400, "invalid_grant");
    }
    // It was shown again by its owner: what it bought is dead (RFC 6749 §4.1.2).
    assert!(!party.is_active(&granted[0].access_token()));
}
