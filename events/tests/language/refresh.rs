//! Refresh: each use rotates, one token has one successor, and reuse ends the family and nothing else.

use crate::{
    sample::{client, kid},
    shard::{Shard, caller, exchange, presented, signing},
    visit::{BOUND, Device, GRACE, Held, OFFLINE, UNUSED, held, logout, refresh, revoke_refresh},
};
use grantlog_events::{
    Body, Refusal, Subject, Timestamp,
    body::RevokedBy,
    command::{
        Caller, HearClient, HearKey, InspectRefresh, PresentedRefresh, Refresh, RevokeGrant, RevokeRefresh,
        RevokeSubjectTokens, Signing,
    },
    decide::Answer,
    token::Cause,
};

fn visit(wanted: &str) -> (Shard, Subject, Device) {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", wanted);
    (shard, subject, device)
}

/// E13, R11, R14: the event names the successor, and so does every answer.
#[test]
fn a_refresh_is_an_event_that_names_the_successor() {
    let (mut shard, subject, device) = visit(OFFLINE);
    let before = shard.state().event(device.held.token.jti.address.seq).unwrap().body.issued().unwrap().clone();
    shard.pass(10);
    let event = shard.granted(refresh(&device.held));
    let issued = event.body.issued().unwrap();
    let granted = issued.refresh.as_ref().unwrap();
    assert!(matches!(event.body, Body::TokenRefreshed(_)));
    assert_eq!((event.grant, event.subject.as_ref()), (Some(device.code.address.seq), Some(&subject)));
    assert_eq!((granted.family, granted.generation), (device.code.address.seq, 2));
    assert_eq!(granted.until, shard.now.after(UNUSED));
    assert_eq!((&issued.scope, &issued.audience, issued.session), (&before.scope, &before.audience, None));
    assert_eq!((&issued.acr, &issued.amr, issued.auth_time), (&before.acr, &before.amr, before.auth_time));
    assert_eq!(issued.cause, Cause::Refresh);
    assert!(event.ancestors.is_empty());
    assert!(shard.lives(&presented(&event)));
    assert!(shard.refreshes(&held(&event)) && !shard.refreshes(&device.held));
}

/// R1, R2, R5, R11, R14, R15: nothing of the request but the token matters.
#[test]
fn fifty_replays_of_one_token_have_one_successor_and_leave_one_event() {
    let (mut shard, _, device) = visit(OFFLINE);
    let successor = shard.refreshed(&device.held);
    let seq = successor.token.jti.address.seq;
    let (stands, noted) = shard.replayed(&device.held);
    assert_eq!(stands, seq);
    assert!(matches!(&noted[..], [event] if matches!(&event.body, Body::RefreshReplayed(body) if body.issued == seq)));
    for _ in 1..50 {
        shard.now.0 += 500;
        assert_eq!(shard.replayed(&device.held), (seq, Vec::new()));
    }
    assert!(shard.lives(&successor.token) && shard.refreshes(&successor));
    assert_eq!(shard.log().filter(|event| matches!(event.body, Body::TokenRefreshed(_))).count(), 1);
}

/// R3: the window, from its first instant to its last; a clock that went back closes it.
#[test]
fn the_grace_window_is_open_from_the_rotation_to_its_last_millisecond() {
    let ages: [(i64, bool); 8] = [
        (-1_000, false),
        (-1, false),
        (0, true),
        (29_000, true),
        (30_000, true),
        (30_001, false),
        (31_000, false),
        (86_400_000, false),
    ];
    for (age, is_open) in ages {
        let (mut shard, _, device) = visit(OFFLINE);
        let successor = shard.refreshed(&device.held);
        shard.now = Timestamp(shard.now.0.checked_add_signed(age).unwrap());
        if is_open {
            assert_eq!(shard.replayed(&device.held).0, successor.token.jti.address.seq, "{age}");
            assert!(shard.refreshes(&successor));
        } else {
            let (refusal, event) = shard.refused_on_record(refresh(&device.held));
            assert_eq!(refusal, Refusal::RefreshTokenReused, "{age}");
            assert!(matches!(&event.body, Body::GrantRevoked(ended) if ended.by == RevokedBy::RefreshReuse));
            assert!(!shard.refreshes(&successor) && !shard.lives(&successor.token), "{age}");
        }
    }
}

/// R13.
#[test]
fn a_replay_does_not_move_the_window() {
    let (mut shard, _, device) = visit(OFFLINE);
    shard.refreshed(&device.held);
    for _ in 0..3 {
        shard.pass(10);
        shard.replayed(&device.held);
    }
    shard.now.0 += 1;
    assert_eq!(shard.refused_on_record(refresh(&device.held)).0, Refusal::RefreshTokenReused);
}

/// R3: the first use of the successor closes it, however short a time ago the rotation was.
#[test]
fn using_the_successor_closes_the_window_of_its_predecessor() {
    let (mut shard, _, device) = visit(OFFLINE);
    let second = shard.refreshed(&device.held);
    shard.replayed(&device.held);
    let third = shard.refreshed(&second);
    let (stands, noted) = shard.replayed(&second);
    assert_eq!(
        (stands, noted.len()),
        (third.token.jti.address.seq, 1),
        "each rotation has a window and a note of its own"
    );
    assert_eq!(shard.refused_on_record(refresh(&device.held)).0, Refusal::RefreshTokenReused);
    assert!(!shard.refreshes(&third));
}

/// R1: the answer is a working access token, even where the first one is over within the grace.
#[test]
fn a_replay_after_the_access_token_expired_gets_a_new_one_with_the_same_successor() {
    let (mut shard, _, device) = visit(OFFLINE);
    let short = Refresh { signing: signing(5), ..refresh(&device.held) };
    let first = held(&shard.granted(short.clone()));
    let rotated = shard.now;
    shard.now = first.token.expires_at;
    assert!(!shard.lives(&first.token));
    let second = held(&shard.granted(short.clone()));
    assert_eq!(second.refresh, first.refresh);
    assert!(shard.lives(&second.token) && shard.refreshes(&second));
    assert_eq!(shard.state().grant(&second.token.party, second.refresh.family).unwrap().rotated_at, Some(rotated));
    let until = |held: &Held| {
        let seq = held.token.jti.address.seq;
        shard.state().event(seq).unwrap().body.issued().unwrap().refresh.as_ref().unwrap().until
    };
    assert_eq!(until(&first), until(&second), "a replay prolongs nothing");
    let seq = second.token.jti.address.seq;
    assert_eq!(shard.replayed(&device.held).0, seq);
    shard.now = rotated.after(GRACE);
    shard.now.0 += 1;
    assert_eq!(shard.refused_on_record(short).0, Refusal::RefreshTokenReused);
}

/// R1: what signed the first answer was replaced within the grace, and can sign it no more.
#[test]
fn a_replay_after_the_keys_changed_gets_a_new_token_with_the_same_successor() {
    let changes: [fn(&mut Refresh); 2] = [
        |command| command.signing.kid = kid("es256-next"),
        |command| command.id_token.as_mut().unwrap().kid = kid("rs256-next"),
    ];
    for change in changes {
        let (mut shard, _, device) = visit(OFFLINE);
        let mut command = Refresh { id_token: Some(signing(300)), ..refresh(&device.held) };
        let first = held(&shard.granted(command.clone()));
        shard.pass(29);
        change(&mut command);
        let second = held(&shard.granted(command.clone()));
        assert_eq!(second.refresh, first.refresh);
        assert!(shard.lives(&second.token) && shard.refreshes(&second));
        shard.pass(1);
        assert_eq!(shard.run(command.clone()).answer, Answer::Stands(second.token.jti.address.seq));
        shard.pass(1);
        assert_eq!(shard.refused_on_record(command).0, Refusal::RefreshTokenReused, "counted from the first rotation");
    }
}

/// RB, R3: families are per grant.
#[test]
fn reuse_ends_the_family_and_no_other_of_the_same_person_and_client() {
    let (mut shard, subject, device) = visit(OFFLINE);
    let other = shard.device(&subject, "app", OFFLINE);
    let second = shard.refreshed(&device.held);
    let child = shard.exchanged(exchange(&second.token));
    shard.pass(31);
    shard.refused_on_record(refresh(&device.held));
    for token in [&device.held.token, &second.token, &child] {
        assert_eq!(shard.inspect(token), Err(Refusal::GrantRevoked));
    }
    let (refusal, event) = shard.refused_on_record(refresh(&second));
    assert_eq!(refusal, Refusal::GrantRevoked);
    assert!(matches!(event.body, Body::RefreshRefused(_)));
    assert!(shard.session_lives(&subject, device.session));
    assert!(shard.lives(&other.held.token));
    shard.refreshed(&other.held);
}

/// RA: a check of anything else that came first would leave the thief's successor alive.
#[test]
fn reuse_is_judged_before_expiry_and_before_what_else_ended() {
    let (mut shard, _, device) = visit(OFFLINE);
    let second = shard.refreshed(&device.held);
    shard.pass(UNUSED.0 + 1);
    let (refusal, event) = shard.refused_on_record(refresh(&device.held));
    assert_eq!(refusal, Refusal::RefreshTokenReused);
    assert!(matches!(event.body, Body::GrantRevoked(_)));
    let (refusal, event) = shard.refused_on_record(refresh(&device.held));
    assert_eq!(refusal, Refusal::RefreshTokenReused);
    assert!(matches!(event.body, Body::RefreshRefused(_)), "the family ends once");
    let (mut shard, _, device) = visit(BOUND);
    shard.refreshed(&device.held);
    shard.granted(logout(device.session));
    shard.pass(31);
    let (_, event) = shard.refused_on_record(refresh(&device.held));
    assert!(matches!(event.body, Body::GrantRevoked(_)));
    assert!(!shard.refreshes(&second));
}

/// V14: who cannot prove to own a refresh token ends nothing with it.
#[test]
fn a_refresh_token_in_the_wrong_hands_changes_nothing() {
    let (mut shard, _, device) = visit(OFFLINE);
    let second = shard.refreshed(&device.held);
    shard.pass(31);
    let thief = caller("thief");
    for held in [&device.held, &second] {
        let by_another = Refresh { caller: thief.clone(), ..refresh(held) };
        assert_eq!(shard.refused_in_silence(by_another), Refusal::TokenOfAnotherClient);
        let revocation = RevokeRefresh { caller: thief.clone(), ..revoke_refresh(held) };
        assert_eq!(shard.refused_in_silence(revocation), Refusal::TokenOfAnotherClient);
        shard.refresh_is_proven = false;
        assert_eq!(shard.refused_in_silence(refresh(held)), Refusal::RefreshTokenUnknown);
        assert_eq!(shard.refused_in_silence(revoke_refresh(held)), Refusal::RefreshTokenUnknown);
        assert!(!shard.refreshes(held));
        shard.refresh_is_proven = true;
    }
    assert!(shard.refreshes(&second));
    shard.refreshed(&second);
}

#[test]
fn a_generation_or_a_family_that_never_was_is_unknown() {
    let (mut shard, _, device) = visit(OFFLINE);
    shard.refreshed(&device.held);
    let family = device.held.refresh.family;
    for (family, generation) in [(family, 0), (family, 3), (family, u64::MAX), (family + 1, 1), (0, 1), (10_000, 1)] {
        let unknown = Held { refresh: PresentedRefresh { family, generation }, ..device.held.clone() };
        assert_eq!(shard.refused_in_silence(refresh(&unknown)), Refusal::RefreshTokenUnknown);
        assert_eq!(shard.refused_in_silence(revoke_refresh(&unknown)), Refusal::RefreshTokenUnknown);
        assert!(!shard.refreshes(&unknown));
    }
}

/// V12: by the client's own word, with any genuine token of the family, and once.
#[test]
fn a_client_revokes_the_family_with_any_of_its_refresh_tokens() {
    for with_old in [false, true] {
        let (mut shard, subject, device) = visit(OFFLINE);
        let other = shard.device(&subject, "app", OFFLINE);
        let second = shard.refreshed(&device.held);
        shard.pass(100);
        let event = shard.granted(revoke_refresh(if with_old { &device.held } else { &second }));
        assert!(matches!(&event.body, Body::GrantRevoked(ended) if ended.by == RevokedBy::Client));
        assert_eq!(shard.writes_nothing(revoke_refresh(&second)), Answer::Stands(event.seq));
        assert_eq!(shard.inspect(&second.token), Err(Refusal::GrantRevoked));
        assert!(!shard.refreshes(&second) && shard.refreshes(&other.held));
    }
}

/// VC, proven by what the log itself leaves: rotated or not, none is left.
#[test]
fn revoking_everything_of_a_person_reaches_rotated_families() {
    let (mut shard, subject, device) = visit(OFFLINE);
    let mut rotated = device.held;
    for _ in 0..5 {
        shard.pass(60);
        rotated = shard.refreshed(&rotated);
    }
    let fresh = shard.device(&subject, "other", OFFLINE);
    shard.run(RevokeSubjectTokens { subject: subject.clone(), reason: "stolen".to_owned() });
    for held in [&rotated, &fresh.held] {
        assert_eq!(shard.inspect(&held.token), Err(Refusal::SubjectTokensRevoked));
        assert_eq!(shard.refused_on_record(refresh(held)).0, Refusal::SubjectTokensRevoked);
        assert!(!shard.refreshes(held));
    }
}

/// XG, V12.
#[test]
fn a_family_dies_with_its_client_and_with_everything_of_it() {
    for (deleted, refusal) in [(true, Refusal::ClientDeleted), (false, Refusal::ClientTokensRevoked)] {
        let (mut shard, subject, device) = visit(OFFLINE);
        let other = shard.device(&subject, "other", OFFLINE);
        let hear =
            HearClient { client: client("app"), generation: 1, registry_seq: 1, deleted, revoke_tokens: !deleted };
        shard.granted(hear);
        assert_eq!(shard.refused_in_silence(refresh(&device.held)), Refusal::ClientViewStale);
        assert_eq!(shard.refused_in_silence(revoke_refresh(&device.held)), Refusal::ClientViewStale);
        assert!(!shard.refreshes(&device.held));
        let told = Refresh { caller: Caller { generation: 1, ..caller("app") }, ..refresh(&device.held) };
        match shard.run(told).answer {
            Answer::Refused(why) => assert_eq!(why, refusal),
            answer => panic!("{answer:?}"),
        }
        shard.refreshed(&other.held);
    }
}

#[test]
fn an_operator_revokes_a_grant_by_the_position_of_its_code() {
    let (mut shard, _, device) = visit(OFFLINE);
    let second = shard.refreshed(&device.held);
    let target = device.code.address.seq;
    let grant = RevokeGrant { target, by: RevokedBy::Operator, reason: "lost".to_owned() };
    let event = shard.granted(grant.clone());
    assert_eq!(shard.writes_nothing(grant), Answer::Stands(event.seq));
    assert_eq!(shard.refused_on_record(refresh(&second)).0, Refusal::GrantRevoked);
    assert!(!shard.lives(&second.token));
}

/// A key that leaked signs nothing more; neither does it end a family.
#[test]
fn a_compromised_key_signs_no_refresh() {
    let (mut shard, _, device) = visit(OFFLINE);
    shard.granted(HearKey { kid: kid("k1"), registry_seq: 1 });
    assert_eq!(shard.refused_in_silence(refresh(&device.held)), Refusal::KeyCompromised);
    let other = Signing { kid: kid("k2"), ..signing(600) };
    let bad_id_token = Refresh { signing: other.clone(), id_token: Some(signing(600)), ..refresh(&device.held) };
    assert_eq!(shard.refused_in_silence(bad_id_token), Refusal::KeyCompromised);
    shard.granted(Refresh { signing: other, ..refresh(&device.held) });
}

/// Asking about a refresh token says which of three it is.
#[test]
fn only_the_good_one_of_a_family_is_live() {
    let (mut shard, _, device) = visit(OFFLINE);
    let second = shard.refreshed(&device.held);
    let ask = |held: &Held| InspectRefresh { token: held.refresh.clone() };
    assert_eq!(shard.refused_in_silence(ask(&device.held)), Refusal::RefreshTokenReused, "not even in its grace");
    assert_eq!(shard.writes_nothing(ask(&second)), Answer::Stands(second.token.jti.address.seq));
}
