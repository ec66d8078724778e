//! Consent: asked once, remembered, widened, withdrawn.

use crate::{
    sample::{client, scope},
    shard::{Shard, exchange, open_policy},
    visit::{BOUND, CODE, IDLE, OFFLINE, held, redeem, refresh, request, revoke_refresh, silent, withdraw},
};
use grantlog_events::{
    Body, Refusal, Seconds, Stored, Subject,
    client::ExchangePolicy,
    command::{AuthorizationRequest, Authorize, Exchange},
    decide::Answer,
    envelope::MAX_EVENT,
};

#[test]
fn without_consent_there_is_no_code_and_with_it_none_is_asked_again() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let asked = silent(&subject, session, request("app", BOUND));
    assert_eq!(shard.refused_in_silence(asked.clone()), Refusal::ConsentRequired);
    shard.code(&subject, session, request("app", BOUND));
    assert!(matches!(shard.granted(asked.clone()).body, Body::CodeIssued(_)));
    let less = silent(&subject, session, request("app", "openid"));
    shard.granted(less);
    let elsewhere = silent(&subject, session, request("other", "openid"));
    assert_eq!(shard.refused_in_silence(elsewhere), Refusal::ConsentRequired);
}

/// Who has just logged in is logged in, whatever is still to be asked.
#[test]
fn a_login_stands_although_consent_is_still_to_be_asked() {
    let (mut shard, subject) = Shard::home();
    let asked = AuthorizationRequest { consents: false, ..request("app", BOUND) };
    let started = shard.granted(Authorize { request: Some(asked), ..shard.authenticate(&subject, None) });
    assert!(matches!(started.body, Body::SessionStarted(_)));
    assert!(shard.session_lives(&subject, started.seq));
}

#[test]
fn asking_for_more_asks_again_and_adds_to_what_was_given() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    shard.code(&subject, session, request("app", "openid profile"));
    let more = request("app", "openid email");
    assert_eq!(shard.refused_in_silence(silent(&subject, session, more.clone())), Refusal::ConsentRequired);
    shard.code(&subject, session, more);
    assert_eq!(shard.state().consent(&subject, &client("app")).unwrap().scope, scope("openid profile email"));
    shard.granted(silent(&subject, session, request("app", "profile email")));
}

/// OIDC Core §5.5: claims asked for by name need the consent that their scope would, and grant no scope.
#[test]
fn claims_by_name_are_consented_to_like_their_scope_and_do_not_grant_it() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    shard.code(&subject, session, request("app", "openid"));
    let named =
        AuthorizationRequest { implied: scope("email"), claims: vec!["email".to_owned()], ..request("app", "openid") };
    assert_eq!(shard.refused_in_silence(silent(&subject, session, named.clone())), Refusal::ConsentRequired);
    let code = shard.code(&subject, session, named);
    let token = shard.granted(redeem("app", &code));
    let issued = token.body.issued().unwrap();
    assert_eq!((&issued.scope, &issued.claims[..]), (&scope("openid"), &["email".to_owned()][..]));
}

/// OIDC Core §3.1.2.1, `prompt=consent`.
#[test]
fn consent_that_must_be_asked_now_is_not_the_remembered_one() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    shard.code(&subject, session, request("app", BOUND));
    let asked = AuthorizationRequest { ask_consent: true, ..request("app", BOUND) };
    assert_eq!(shard.refused_in_silence(silent(&subject, session, asked.clone())), Refusal::ConsentRequired);
    let given = Authorize { request: Some(asked), ..silent(&subject, session, request("app", BOUND)) };
    assert!(matches!(shard.granted(given).body, Body::CodeIssued(_)), "a consent that is not new leaves no event");
}

/// V12: what was given under it, at this client and no other.
#[test]
fn withdrawing_consent_ends_what_the_client_got_and_nothing_of_others() {
    let (mut shard, subject) = Shard::home();
    let mut own = shard.device(&subject, "app", OFFLINE);
    own.held = shard.refreshed(&own.held);
    let bound = shard.device(&subject, "app", BOUND);
    let code = shard.code(&subject, own.session, request("app", OFFLINE));
    let other = shard.device(&subject, "other", OFFLINE);
    let child = shard.exchanged(exchange(&own.held.token));
    let event = shard.granted(withdraw(&subject, own.session, "app"));
    assert!(matches!(&event.body, Body::ConsentWithdrawn(body) if body.grants.len() == 3));
    for token in [&own.held.token, &bound.held.token, &child] {
        assert_eq!(shard.inspect(token), Err(Refusal::GrantRevoked));
    }
    assert_eq!(shard.refused_on_record(refresh(&own.held)).0, Refusal::GrantRevoked);
    assert_eq!(shard.refused_in_silence(redeem("app", &code)), Refusal::GrantRevoked);
    let again = silent(&subject, own.session, request("app", "openid"));
    assert_eq!(shard.refused_in_silence(again), Refusal::ConsentRequired);
    assert!(shard.lives(&other.held.token) && shard.refreshes(&other.held));
    shard.granted(silent(&subject, own.session, request("other", BOUND)));
    assert_eq!(shard.writes_nothing(withdraw(&subject, own.session, "app")), Answer::NothingToDo);
}

/// What a client exchanged for itself with a refresh token ends with the consent to that client.
#[test]
fn withdrawing_consent_ends_the_families_that_the_client_exchanged_for() {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", OFFLINE);
    let with_refresh = Exchange {
        policy: Some(ExchangePolicy { refresh_token: true, ..open_policy() }),
        refresh_token: true,
        refresh_lifetime: Some(Seconds(86_400)),
        ..exchange(&device.held.token)
    };
    let exchanged = held(&shard.granted(with_refresh));
    shard.granted(withdraw(&subject, device.session, "svc"));
    assert!(!shard.refreshes(&exchanged) && !shard.lives(&exchanged.token));
    assert!(shard.refreshes(&device.held) && shard.lives(&device.held.token));
}

#[test]
fn consent_is_withdrawn_by_who_is_logged_in_and_only_their_own() {
    let (mut shard, subject) = Shard::home();
    let stranger = Subject::born(1, [2; 16]);
    shard.create(&stranger);
    let theirs = shard.enter(&stranger);
    let device = shard.device(&subject, "app", OFFLINE);
    assert_eq!(shard.writes_nothing(withdraw(&stranger, theirs, "app")), Answer::NothingToDo);
    assert_eq!(shard.refused_in_silence(withdraw(&stranger, device.session, "app")), Refusal::LoginRequired);
    assert!(shard.refreshes(&device.held));
    shard.pass(IDLE.0);
    assert_eq!(shard.refused_in_silence(withdraw(&subject, device.session, "app")), Refusal::LoginRequired);
}

/// What is over already is not named again; what only the refresh token keeps is.
#[test]
fn withdrawing_names_the_grants_that_could_still_give_something() {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", OFFLINE);
    let revoked = shard.device(&subject, "app", OFFLINE);
    shard.granted(revoke_refresh(&revoked.held));
    shard.code(&subject, device.session, request("app", BOUND));
    let last = shard.code(&subject, device.session, request("app", BOUND));
    shard.pass(CODE.0 - 1);
    let ended = shard.granted(withdraw(&subject, device.session, "app"));
    assert!(matches!(&ended.body, Body::ConsentWithdrawn(body) if body.grants.len() == 3));
    assert_eq!(shard.refused_in_silence(redeem("app", &last)), Refusal::GrantRevoked);
    let late = shard.device(&subject, "app", OFFLINE);
    shard.code(&subject, late.session, request("app", BOUND));
    shard.pass(3_600);
    let ended = shard.granted(withdraw(&subject, late.session, "app"));
    assert!(matches!(&ended.body, Body::ConsentWithdrawn(body) if body.grants.len() == 1));
    assert!(!shard.refreshes(&late.held));
}

/// A consent without anything under it any more can still be withdrawn.
#[test]
fn a_consent_with_no_grant_left_is_forgotten() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    shard.code(&subject, session, request("app", BOUND));
    shard.pass(3_600);
    let event = shard.granted(withdraw(&subject, session, "app"));
    assert!(matches!(&event.body, Body::ConsentWithdrawn(body) if body.grants.is_empty()));
    assert!(shard.state().consent(&subject, &client("app")).is_none());
}

/// The person's session is their own: it stays.
#[test]
fn withdrawing_consent_logs_nobody_out() {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", BOUND);
    let event = shard.granted(withdraw(&subject, device.session, "app"));
    assert!(event.to_bytes().len() < MAX_EVENT);
    assert!(shard.session_lives(&subject, device.session));
}
