//! What a refresh brings: a token within the grant, for its own time, and the successor's time.

use crate::{
    sample::scope,
    shard::{Shard, signing},
    visit::{BOUND, Device, Held, LIFETIME, OFFLINE, UNUSED, held, redeem, refresh, request},
};
use grantlog_events::{
    Body, Refusal, Seconds, Subject,
    body::SubjectProfile,
    command::{AuthorizationRequest, CreateSubject, Refresh, UpdateSubject},
};

fn visit(wanted: &str) -> (Shard, Subject, Device) {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", wanted);
    (shard, subject, device)
}

/// V10: the two expire apart, and each use of a refresh token begins its time anew.
#[test]
fn a_refresh_token_unused_for_its_lifetime_is_over_and_the_access_token_has_its_own() {
    let (mut shard, _, device) = visit(OFFLINE);
    shard.now = device.held.token.expires_at;
    assert!(!shard.lives(&device.held.token) && shard.refreshes(&device.held));
    let second = shard.refreshed(&device.held);
    let end = shard.now.after(UNUSED);
    shard.now.0 = end.0 - 1;
    assert!(shard.refreshes(&second));
    shard.now = end;
    assert!(!shard.refreshes(&second));
    let (refusal, event) = shard.refused_on_record(refresh(&second));
    assert_eq!(refusal, Refusal::RefreshTokenExpired);
    assert!(matches!(event.body, Body::RefreshRefused(_)));
    shard.now.0 = end.0 - 1;
    let brief = Refresh { lifetime: Seconds(60), ..refresh(&second) };
    let third = held(&shard.granted(brief));
    shard.pass(60);
    assert!(shard.lives(&third.token) && !shard.refreshes(&third), "an access token outlives its refresh token");
}

/// What is bound to a session is good no longer than that, however often it is used.
#[test]
fn a_refresh_token_of_a_session_ends_with_the_sessions_life() {
    let (mut shard, subject, device) = visit(BOUND);
    let end = shard.state().session(&subject, device.session).unwrap().until;
    assert_eq!(end, shard.now.after(LIFETIME));
    shard.pass(LIFETIME.0 - 60);
    let last = shard.refreshed(&device.held);
    shard.now.0 = end.0 - 1;
    assert!(shard.refreshes(&last));
    shard.now = end;
    assert_eq!(shard.refused_on_record(refresh(&last)).0, Refusal::RefreshTokenExpired);
}

/// RFC 6749 §6: a token that wants less does not lessen the grant.
#[test]
fn asking_for_less_once_lessens_one_token_and_not_the_grant() {
    let (mut shard, _, device) = visit(OFFLINE);
    let less = Refresh { scope: Some(scope("openid")), ..refresh(&device.held) };
    let second = held(&shard.granted(less));
    assert_eq!(second.token.scope, scope("openid"));
    let third = shard.refreshed(&second);
    assert_eq!(third.token.scope, scope(OFFLINE));
}

#[test]
fn asking_for_more_than_was_granted_is_refused_on_record_and_the_token_stays_good() {
    let (mut shard, _, device) = visit(OFFLINE);
    for (wanted, refusal) in [("openid email", Refusal::ScopeExceedsClient), ("", Refusal::ScopeEmpty)] {
        let more = Refresh { scope: Some(scope(wanted)), ..refresh(&device.held) };
        let (why, event) = shard.refused_on_record(more);
        assert_eq!(why, refusal);
        assert!(matches!(event.body, Body::RefreshRefused(_)));
    }
    shard.refreshed(&device.held);
}

/// A client that has lost a scope gets it no more by refreshing.
#[test]
fn what_the_client_may_not_have_any_more_is_left_out() {
    let (mut shard, _, device) = visit(OFFLINE);
    let narrow = |scoped: &str| Refresh { client_scope: scope(scoped), ..refresh(&device.held) };
    assert_eq!(shard.refused_on_record(narrow("email")).0, Refusal::ScopeEmpty);
    let second = held(&shard.granted(narrow("openid email")));
    assert_eq!(second.token.scope, scope("openid"));
}

/// Who is no auditor any more keeps no way to the audit log.
#[test]
fn the_scope_audit_is_left_out_once_the_entitlement_is_gone() {
    let (mut shard, _) = Shard::home();
    let subject = Subject::born(1, [2; 16]);
    let profile = |auditor| SubjectProfile { suspended: false, auditor, password: true };
    let create = CreateSubject { subject: subject.clone(), profile: profile(true), continued: 0 };
    shard.granted(create);
    let session = shard.enter(&subject);
    let asked = AuthorizationRequest {
        client_scope: scope("openid audit offline_access"),
        ..request("app", "openid audit offline_access")
    };
    let code = shard.code(&subject, session, asked.clone());
    let late = shard.code(&subject, session, asked);
    let first = held(&shard.granted(redeem("app", &code)));
    let wide = |held: &Held| Refresh { client_scope: scope("openid audit offline_access"), ..refresh(held) };
    let second = held(&shard.granted(wide(&first)));
    assert!(second.token.scope.contains("audit"));
    let update = UpdateSubject { subject, profile: profile(false), continued: 0, seen: None };
    shard.granted(update);
    assert_eq!(held(&shard.granted(wide(&second))).token.scope, scope("openid offline_access"));
    assert_eq!(held(&shard.granted(redeem("app", &late))).token.scope, scope("openid offline_access"));
}

/// OIDC Core §12.2, §5.5: with the scope `openid`, and claims by name as long as the whole scope is asked for.
#[test]
fn a_refresh_brings_an_id_token_and_the_claims_that_were_asked_for() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let asked = AuthorizationRequest { claims: vec!["nickname".to_owned()], ..request("app", OFFLINE) };
    let code = shard.code(&subject, session, asked);
    let first = held(&shard.granted(redeem("app", &code)));
    let event = shard.granted(Refresh { id_token: Some(signing(300)), ..refresh(&first) });
    let issued = event.body.issued().unwrap();
    assert!(issued.id_token.is_some());
    assert_eq!(issued.claims, ["nickname"]);
    let less = Refresh { id_token: Some(signing(300)), scope: Some(scope("profile")), ..refresh(&held(&event)) };
    let event = shard.granted(less);
    let issued = event.body.issued().unwrap();
    assert!(issued.id_token.is_none() && issued.claims.is_empty());
}
