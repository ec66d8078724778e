//! Sessions, codes and consents that could never have been decided are found (17).
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::{
    log::{self, people::OFFLINE},
    login::{Login, assert_found, assert_redemption_is_found, assert_sound},
};
use grantlog_events::{
    Body, Draft, Outcome, Refusal, Seconds, Timestamp,
    body::{
        AssertionSpent, ConsentGranted, ConsentWithdrawn, Ended, LoginRefused, LogoutDelivered, RevokedBy,
        SessionRenewed, SessionStarted,
    },
    command::{HearClient, HearKey, RefuseLogin, SettleLogout},
};

/// Every type of event of people, as shards decide them.
#[test]
fn a_persons_whole_life_is_sound() {
    let mut login = Login::new(OFFLINE);
    let (person, session, code, first) = (login.person.clone(), login.session, login.code, login.first);
    let log = login.log();
    log.later(1).renew(&person, session);
    log.later(1).refresh(code, 1);
    log.later(1).refresh(code, 1);
    log.later(1).refresh(code, 2);
    let exchange = log.later(1).exchange_with_refresh(first);
    let refreshed = log.later(1).refresh(exchange, 1);
    log.later(1).exchange(refreshed, None);
    log.revoke(refreshed, "");
    log.run(&RefuseLogin { subject: person.clone() }.into());
    let bound = log.code(&person, session, "openid");
    log.later(1).redeem(bound);
    let reused = log.redemption(bound);
    log.later(1).run(&reused.into());
    log.later(1).try_to_refresh(bound, 1);
    log.later(60).try_to_refresh(code, 1);
    let last = log.code(&person, session, OFFLINE);
    log.later(1).redeem(last);
    log.later(1).withdraw(&person, session);
    log.end_session(session, true);
    let client = log::client("app");
    let settled = SettleLogout { subject: person.clone(), session, client, attempts: 1, abandoned: None };
    log.grant(settled);
    let elsewhere = log.log_in(&person);
    let code = log.code(&person, elsewhere, OFFLINE);
    log.redeem(code);
    log.end_session(elsewhere, true);
    log.log_in(&person);
    log.revoke_subject(&person);
    assert_sound(&login);
    for (number, name) in Body::REGISTRY.iter().filter(|(number, _)| (80..95).contains(number)) {
        let is_there = login.world.first.events.iter().any(|(event, _)| event.body.number() == *number);
        assert!(is_there || *name == "logout_abandoned", "no {name}");
    }
}

/// A lost answer that is asked for again after its access token has expired.
#[test]
fn the_same_generation_with_a_new_access_token_is_sound() {
    let mut login = Login::new("openid");
    let code = login.code;
    let mut command = login.world.first.refreshing(code, 1);
    command.signing.lifetime = Seconds(5);
    let once = login.log().grant(command.clone());
    let twice = login.log().later(6).grant(command);
    assert_ne!(once, twice);
    assert_sound(&login);
}

#[test]
fn a_session_that_ends_twice_is_found() {
    assert_found("openid", "it ends the session 1.0.7, which 1.0.11 ended already", |login| {
        let end = login.end(false, |_| ());
        login.log().forge(end.clone());
        end
    });
}

#[test]
fn an_end_of_a_session_that_does_not_hold_is_found() {
    assert_found("openid", "it ends 1.0.8, which is no session of its person", |login| {
        login.end(false, |ended| ended.session = 8)
    });
    assert_found("openid", "its end of the session 1.0.7 is forgotten", |login| {
        login.end(false, |ended| ended.until = Timestamp(ended.until.0 - 1))
    });
    assert_found("openid", "it tells other clients of the session's end", |login| {
        login.end(false, |ended| ended.notify.clear())
    });
    assert_found(OFFLINE, "its revocation of 1.0.9 is forgotten before that has expired", |login| {
        login.end(true, |ended| ended.grants[0].1 = Timestamp(ended.grants[0].1.0 - 1))
    });
    assert_found(OFFLINE, "it ends 1.0.9, which was not given in its session", |login| {
        let Body::SessionEnded(of_first) = login.end(true, |_| ()).body else { panic!("no end") };
        let person = login.person.clone();
        let other = login.log().log_in(&person);
        let mut log = login.world.first.clone();
        let end = log.end_session(other, false);
        let Body::SessionEnded(mut ended) = log.event(end).body.clone() else { panic!("no end") };
        ended.grants = of_first.grants;
        login.about_person(Body::SessionEnded(ended))
    });
}

fn started(login: &Login, challenge: [u8; 16]) -> SessionStarted {
    let until = login.world.first.now.after(Seconds(60));
    let spent = AssertionSpent { assertion: challenge, until };
    SessionStarted { acr: "0".to_owned(), amr: Vec::new(), idle: Seconds(60), until, spent }
}

#[test]
fn a_login_that_could_not_be_is_found() {
    assert_found("openid", "its sign-in challenge was already spent", |login| {
        let draft = login.about_person(Body::SessionStarted(started(login, [8; 16])));
        login.log().forge(draft.clone());
        draft
    });
    assert_found("openid", "it lets in 1-", |login| {
        let person = login.person.clone();
        login.log().suspend(&person, true);
        login.about_person(Body::SessionStarted(started(login, [8; 16])))
    });
    let renewed = |login: &Login| {
        let SessionStarted { acr, amr, spent, .. } = started(login, [8; 16]);
        Body::SessionRenewed(SessionRenewed { session: login.session, acr, amr, spent })
    };
    assert_found("openid", "it rests on the session 1.0.7, which did not live", |login| {
        let session = login.session;
        login.log().end_session(session, false);
        login.about_person(renewed(login))
    });
    assert_found("openid", "its sign-in challenge was already spent", |login| {
        let draft = login.about_person(renewed(login));
        login.log().forge(draft.clone());
        draft
    });
    assert_found("openid", "it is about a login of nobody", |login| Draft::of(renewed(login)));
    assert_found("openid", "it notes a refusal and says that it was granted", |login| {
        login.about_person(Body::LoginRefused(LoginRefused {}))
    });
}

#[test]
fn a_client_that_was_told_of_a_logout_without_cause_is_found() {
    assert_found("openid", "it says that app was told of a logout, which was not owed to it", |login| {
        let told = LogoutDelivered { session: login.session, attempts: 1 };
        login.of_grant(Body::LogoutDelivered(told), "app")
    });
}

#[test]
fn a_code_that_could_not_be_given_is_found() {
    assert_found("openid", "it rests on the session 1.0.7, which did not live", |login| {
        let code = login.another_code(|_| ());
        let session = login.session;
        login.log().end_session(session, false);
        code
    });
    assert_found("openid", "it rests on the session 1.0.7, which did not live", |login| {
        let code = login.another_code(|_| ());
        login.log().later(8 * 86_400);
        code
    });
    assert_found("openid", "its scope \"openid email\" is not what the person consented to", |login| {
        login.another_code(|code| code.scope = log::scope("openid email"))
    });
    assert_found(OFFLINE, "it outlives its session without being asked to", |login| {
        login.another_code(|code| code.offline = false)
    });
    for change in [
        (|code| code.acr = "high".to_owned()) as fn(&mut grantlog_events::body::CodeIssued),
        |code| code.auth_time = Timestamp(code.auth_time.0 + 1),
        |code| code.session_until = code.session_until.after(Seconds(1)),
    ] {
        assert_found("openid", "it says other things of the login than its session", |login| {
            login.another_code(change)
        });
    }
    assert_found("openid", "its pushed request was already spent", |login| {
        let spent = AssertionSpent { assertion: [6; 16], until: Timestamp(u64::MAX) };
        let code = login.another_code(|code| code.spent = Some(spent));
        login.log().forge(code.clone());
        code
    });
    assert_found("openid", "it gives a code under a grant that is not its own", |login| {
        let code = login.code_body();
        login.of_grant(Body::CodeIssued(code), "app")
    });
    assert_found("openid", "it gives a code to the deleted client app", |login| {
        let client = log::client("app");
        let heard = HearClient { client, generation: 1, registry_seq: 4, deleted: true, revoke_tokens: false };
        login.log().grant(heard);
        login.another_code(|_| ())
    });
}

#[test]
fn a_consent_that_shrinks_or_ends_what_is_another_clients_is_found() {
    assert_found("openid profile", "it takes back a part of a consent", |login| {
        login.of_grant(Body::ConsentGranted(ConsentGranted { scope: log::scope("openid") }), "app")
    });
    let withdrawn =
        |grants| Body::ConsentWithdrawn(ConsentWithdrawn { by: RevokedBy::Person, reason: String::new(), grants });
    assert_found("openid", "it ends 1.0.9, which is another client's", |login| {
        login.of_grant(withdrawn(vec![(login.code, Timestamp(u64::MAX))]), "other")
    });
    assert_found("openid", "its revocation of 1.0.9 is forgotten before that has expired", |login| {
        login.of_grant(withdrawn(vec![(login.code, login.world.first.now)]), "app")
    });
    assert_found("openid", "it ends 1.0.10, which is not what it ends", |login| {
        login.of_grant(withdrawn(vec![(login.first, Timestamp(u64::MAX))]), "app")
    });
}

/// VA, VC: the end of a grant is remembered for as long as its refresh token, or one that was exchanged from it.
#[test]
fn a_revocation_of_a_grant_that_does_not_hold_is_found() {
    let ended = |target, until| Ended { target, by: RevokedBy::Client, reason: String::new(), until, machine: None };
    assert_found("openid", "its revocation of 1.0.9 is forgotten before that has expired", |login| {
        let until = login.world.first.event(login.first).body.issued().unwrap().expires_at;
        login.of_grant(Body::GrantRevoked(ended(login.code, until)), "app")
    });
    assert_found(OFFLINE, "its revocation of 1.0.10 is forgotten before that has expired", |login| {
        let first = login.first;
        login.log().exchange_with_refresh(first);
        let until = login.world.first.event(first).body.issued().unwrap().expires_at;
        login.of_grant(Body::TokenRevoked(ended(first, until)), "app")
    });
    assert_found("openid", "it ends 1.0.9, which is not what it ends", |login| {
        login.of_grant(Body::TokenRevoked(ended(login.code, Timestamp(u64::MAX))), "app")
    });
}

/// V10, V15: what belongs to a session is not issued when that is over, by whichever way.
#[test]
fn a_token_bound_to_a_session_that_is_over_is_found() {
    assert_redemption_is_found("it is bound to the session 1.0.7, which 1.0.10 ended", |login| {
        let draft = login.redemption(|_| ());
        let session = login.session;
        login.log().end_session(session, false);
        draft
    });
    assert_found("openid", "it is bound to the session 1.0.7, which 1.0.11 ended", |login| {
        let draft = login.refresh(login.code, 1, |_| ());
        let session = login.session;
        login.log().end_session(session, false);
        draft
    });
    assert_found("openid", "it is bound to 1.0.9, which is no session of its person", |login| {
        login.refresh(login.code, 1, |token| token.session = Some(login.code))
    });
}

#[test]
fn an_id_token_under_a_compromised_key_is_found() {
    assert_redemption_is_found("it issues an ID token under the compromised key k9", |login| {
        let kid = grantlog_events::Kid::parse("k9").unwrap();
        login.log().grant(HearKey { kid: kid.clone(), registry_seq: 4 });
        login.redemption(|token| token.id_token.as_mut().unwrap().kid = kid)
    });
}

#[test]
fn a_refused_login_is_sound() {
    let mut login = Login::new("openid");
    let draft = login.about_person(Body::LoginRefused(LoginRefused {}));
    login.log().forge(Draft { outcome: Outcome::Refused(Refusal::CredentialsWrong), ..draft });
    assert_sound(&login);
}
