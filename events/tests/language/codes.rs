//! Codes: redeemed once, by their owner, while everything they came from stands.

use crate::{
    sample::{client, kid},
    shard::{Shard, caller, exchange, presented, signing},
    visit::{BOUND, CODE, LIFETIME, OFFLINE, held, logout, redeem, refresh, request},
};
use grantlog_events::{
    Body, EventId, Jti, Refusal, Seconds, Stored, Subject, Timestamp,
    body::{RevokedBy, SubjectProfile},
    command::{
        AuthorizationRequest, Caller, EraseSubject, HearClient, HearKey, RedeemCode, RevokeGrant, RevokeSubjectTokens,
        Signing, UpdateSubject,
    },
    token::Cause,
};

fn visit(wanted: &str) -> (Shard, Subject, u64, Jti) {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let code = shard.code(&subject, session, request("app", wanted));
    (shard, subject, session, code)
}

/// RFC 6749 §4.1.3, E13.
#[test]
fn a_code_buys_the_tokens_that_the_person_granted() {
    let (mut shard, subject, session, code) = visit(BOUND);
    let event = shard.granted(redeem("app", &code));
    let issued = event.body.issued().unwrap();
    assert!(matches!(event.body, Body::CodeRedeemed(_)));
    assert_eq!((event.grant, event.subject.as_ref()), (Some(code.address.seq), Some(&subject)));
    assert_eq!((issued.cause, issued.session), (Cause::Code, Some(session)));
    assert_eq!(
        issued.refresh.as_ref().map(|refresh| (refresh.family, refresh.generation)),
        Some((code.address.seq, 1))
    );
    assert!(shard.lives(&presented(&event)) && shard.refreshes(&held(&event)));
}

#[test]
fn without_a_right_to_refresh_only_an_access_token_comes() {
    let (mut shard, _, _, code) = visit(BOUND);
    let event = shard.granted(RedeemCode { refresh: None, ..redeem("app", &code) });
    assert_eq!(event.body.issued().unwrap().refresh, None);
    let none = crate::visit::Held {
        token: presented(&event),
        refresh: grantlog_events::command::PresentedRefresh { family: code.address.seq, generation: 1 },
    };
    assert_eq!(shard.refused_in_silence(refresh(&none)), Refusal::RefreshTokenUnknown);
    assert!(!shard.refreshes(&none));
}

/// V14: a code without its verifier ends nothing, before it was redeemed and after.
#[test]
fn a_code_in_the_wrong_hands_changes_nothing_and_stays_good() {
    let (mut shard, _, _, code) = visit(BOUND);
    let own = redeem("app", &code);
    let forged = Jti::of(code.address, &EventId::new(Timestamp(1), [1; 10]));
    let wrong = [
        (RedeemCode { challenge: Some([9; 32]), ..own.clone() }, Refusal::VerifierWrong),
        (RedeemCode { challenge: None, ..own.clone() }, Refusal::VerifierWrong),
        (RedeemCode { redirect: [9; 16], ..own.clone() }, Refusal::RedirectUriDiffers),
        (RedeemCode { caller: caller("thief"), ..own.clone() }, Refusal::TokenOfAnotherClient),
        (RedeemCode { code: forged, ..own.clone() }, Refusal::CodeUnknown),
    ];
    for (wrong, refusal) in wrong.clone() {
        assert_eq!(shard.refused_in_silence(wrong), refusal);
    }
    let bought = held(&shard.granted(own));
    for (wrong, refusal) in wrong {
        assert_eq!(shard.refused_in_silence(wrong), refusal);
    }
    assert!(shard.lives(&bought.token) && shard.refreshes(&bought));
}

/// A code without a challenge takes no verifier either (RFC 9700 §4.8.2: no downgrade).
#[test]
fn a_verifier_for_a_code_without_challenge_is_wrong() {
    let (mut shard, subject, session, _) = visit(BOUND);
    let bare = AuthorizationRequest { challenge: None, ..request("app", BOUND) };
    let code = shard.code(&subject, session, bare);
    assert_eq!(shard.refused_in_silence(redeem("app", &code)), Refusal::VerifierWrong);
    shard.granted(RedeemCode { challenge: None, ..redeem("app", &code) });
}

/// R20, RFC 6749 §4.1.2: by its proven owner, so what it bought ends, and only that.
#[test]
fn a_code_redeemed_again_by_its_owner_revokes_what_it_bought_and_nothing_else() {
    let (mut shard, subject, session, code) = visit(OFFLINE);
    let sibling = shard.code(&subject, session, request("app", OFFLINE));
    let sibling = held(&shard.granted(redeem("app", &sibling)));
    let bought = held(&shard.granted(redeem("app", &code)));
    let successor = shard.refreshed(&bought);
    let child = shard.exchanged(exchange(&successor.token));
    let (refusal, event) = shard.refused_on_record(redeem("app", &code));
    assert_eq!(refusal, Refusal::CodeReused);
    assert!(matches!(&event.body, Body::GrantRevoked(ended) if ended.by == RevokedBy::CodeReuse));
    for token in [&bought.token, &successor.token, &child] {
        assert_eq!(shard.inspect(token), Err(Refusal::GrantRevoked));
    }
    assert_eq!(shard.refused_on_record(refresh(&successor)).0, Refusal::GrantRevoked);
    assert_eq!(shard.refused_in_silence(redeem("app", &code)), Refusal::CodeReused, "once is enough");
    assert!(shard.lives(&sibling.token) && shard.refreshes(&sibling));
    assert!(shard.session_lives(&subject, session));
}

/// The revocation outlives every token of the grant: a view drops it no sooner.
#[test]
fn what_reuse_revokes_is_remembered_as_long_as_the_last_refresh_token() {
    let (mut shard, _, _, code) = visit(OFFLINE);
    let bought = held(&shard.granted(redeem("app", &code)));
    shard.pass(1_000);
    let last = shard.granted(refresh(&bought)).body.issued().unwrap().refresh.clone().unwrap();
    let (_, event) = shard.refused_on_record(redeem("app", &code));
    assert!(matches!(&event.body, Body::GrantRevoked(ended) if ended.until == last.until));
}

/// V10, VA: without a refresh token the access token is the last of it, long after the code's own time.
#[test]
fn what_a_code_bought_without_a_refresh_token_is_revoked_as_long_as_the_access_token_lives() {
    let (mut shard, _, _, code) = visit(OFFLINE);
    let token = presented(&shard.granted(RedeemCode { refresh: None, ..redeem("app", &code) }));
    shard.pass(CODE.0 + 1);
    let target = code.address.seq;
    let event = shard.granted(RevokeGrant { target, by: RevokedBy::Operator, reason: String::new() });
    assert!(matches!(&event.body, Body::GrantRevoked(ended) if ended.until == token.expires_at));
}

#[test]
fn a_code_is_good_until_its_time_is_over() {
    let (mut shard, subject, session, code) = visit(BOUND);
    let late = shard.code(&subject, session, request("app", BOUND));
    shard.pass(CODE.0);
    assert_eq!(shard.refused_in_silence(redeem("app", &code)), Refusal::CodeExpired);
    shard.now.0 -= 1;
    shard.granted(redeem("app", &late));
}

/// A code redeemed in time and shown again late is still the reuse that it is.
#[test]
fn reuse_of_a_code_is_judged_before_its_expiry() {
    let (mut shard, _, _, code) = visit(OFFLINE);
    let bought = held(&shard.granted(redeem("app", &code)));
    shard.pass(CODE.0);
    assert_eq!(shard.refused_on_record(redeem("app", &code)).0, Refusal::CodeReused);
    assert!(!shard.refreshes(&bought));
}

#[test]
fn a_code_dies_with_whatever_it_came_from() {
    type End = fn(&mut Shard, &Subject, u64, &Jti);
    let suspended = SubjectProfile { suspended: true, auditor: false, password: true };
    let suspend = UpdateSubject { subject: Subject::born(1, [1; 16]), profile: suspended, continued: 0, seen: None };
    let ends: [(End, Refusal); 6] = [
        (|shard, _, session, _| drop(shard.granted(logout(session))), Refusal::SessionEnded),
        (|shard, subject, _, _| drop(shard.run(EraseSubject { subject: subject.clone() })), Refusal::SubjectErased),
        (
            |shard, subject, _, _| {
                drop(shard.run(RevokeSubjectTokens { subject: subject.clone(), reason: String::new() }));
            },
            Refusal::SubjectTokensRevoked,
        ),
        (
            |shard, _, _, code| {
                let target = code.address.seq;
                drop(shard.granted(RevokeGrant { target, by: RevokedBy::Operator, reason: String::new() }));
            },
            Refusal::GrantRevoked,
        ),
        (|shard, _, _, _| drop(shard.granted(hear(1, true, false))), Refusal::ClientDeleted),
        (|shard, _, _, _| drop(shard.granted(hear(1, false, true))), Refusal::ClientTokensRevoked),
    ];
    for (end, why) in ends {
        let (mut shard, subject, session, code) = visit(if why == Refusal::SessionEnded { BOUND } else { OFFLINE });
        end(&mut shard, &subject, session, &code);
        let told = Caller { generation: 1, ..caller("app") };
        assert_eq!(shard.refused_in_silence(RedeemCode { caller: told, ..redeem("app", &code) }), why);
    }
    let (mut shard, _, _, code) = visit(OFFLINE);
    shard.run(suspend);
    assert_eq!(shard.refused_in_silence(redeem("app", &code)), Refusal::SubjectSuspended);
}

fn hear(generation: u64, deleted: bool, revoke_tokens: bool) -> HearClient {
    HearClient { client: client("app"), generation, registry_seq: generation, deleted, revoke_tokens }
}

#[test]
fn a_code_bound_to_a_session_is_not_redeemed_after_the_sessions_life() {
    for (wanted, is_refused) in [(BOUND, true), (OFFLINE, false)] {
        let (mut shard, subject) = Shard::home();
        let session = shard.enter(&subject);
        let end = shard.now.after(LIFETIME);
        while shard.now.after(Seconds(80_000)) < end {
            shard.pass(80_000);
            shard.code(&subject, session, request("app", wanted));
        }
        shard.now.0 = end.0 - 1_000;
        let code = shard.code(&subject, session, request("app", wanted));
        let early = shard.code(&subject, session, request("app", wanted));
        shard.now.0 = end.0 - 1;
        let bought = held(&shard.granted(redeem("app", &early)));
        shard.now = end;
        assert_eq!(shard.refreshes(&bought), !is_refused, "a refresh token is not longer than what it is bound to");
        if is_refused {
            assert_eq!(shard.refused_in_silence(redeem("app", &code)), Refusal::SessionEnded);
        } else {
            shard.granted(redeem("app", &code));
        }
    }
}

#[test]
fn a_stale_view_and_a_compromised_key_redeem_nothing() {
    let (mut shard, _, _, code) = visit(BOUND);
    shard.granted(hear(1, false, false));
    assert_eq!(shard.refused_in_silence(redeem("app", &code)), Refusal::ClientViewStale);
    let current = RedeemCode { caller: Caller { generation: 1, ..caller("app") }, ..redeem("app", &code) };
    shard.granted(HearKey { kid: kid("k1"), registry_seq: 1 });
    assert_eq!(shard.refused_in_silence(current.clone()), Refusal::KeyCompromised);
    let other = Signing { kid: kid("k2"), ..signing(600) };
    let bad_id_token = RedeemCode { signing: other.clone(), id_token: Some(signing(600)), ..current.clone() };
    assert_eq!(shard.refused_in_silence(bad_id_token), Refusal::KeyCompromised);
    shard.granted(RedeemCode { signing: other, ..current });
}

/// OIDC Core §3.1.3.3: with the scope `openid` and not without it; it says for how long it is good.
#[test]
fn an_id_token_comes_with_openid_and_only_with_it() {
    for (wanted, comes) in [("openid", true), ("profile", false)] {
        let (mut shard, _, _, code) = visit(wanted);
        let event = shard.granted(RedeemCode { id_token: Some(signing(300)), ..redeem("app", &code) });
        let until = Timestamp::at_seconds(shard.now.seconds()).after(Seconds(300));
        let id_token = event.body.issued().unwrap().id_token.as_ref().map(|id_token| id_token.expires_at);
        assert_eq!(id_token, comes.then_some(until));
    }
}

/// Anything that is not a code of this log is none.
#[test]
fn nothing_but_a_code_is_redeemed() {
    let (mut shard, subject, _, code) = visit(BOUND);
    let token = shard.login(&subject);
    let event = shard.granted(redeem("app", &code));
    for jti in [token.jti, event.jti(), Jti::of(shard.place().at(10_000), &event.id)] {
        assert_eq!(shard.refused_in_silence(redeem("app", &jti)), Refusal::CodeUnknown);
    }
    assert!(event.to_bytes().len() < 500, "{}", event.to_bytes().len());
}
