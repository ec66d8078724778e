//! Codes and refresh tokens that could never have bought what they bought are found (17).
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::{
    forgery::exchange,
    log::{self, people::OFFLINE},
    login::{Login, assert_found, assert_redemption_is_found, assert_sound, found_in},
};
use grantlog_events::{
    Body, Draft, Seconds, Timestamp,
    body::RefreshRefused,
    command::EraseSubject,
    decide::MAX_ANCESTORS,
    token::{Actor, IssuedToken, Party, RefreshGranted},
};

type Change = fn(&mut IssuedToken);

#[test]
fn an_honest_redemption_and_an_honest_refresh_are_no_forgery() {
    let mut login = Login::unredeemed("openid profile");
    let draft = login.redemption(|_| ());
    login.log().forge(draft);
    let code = login.code;
    let draft = login.refresh(code, 1, |_| ());
    login.log().forge(draft);
    assert_sound(&login);
}

/// R20: a code buys once.
#[test]
fn a_code_that_was_good_no_more_is_found() {
    assert_found("openid", "it was bought with the code 1.0.9, which was good no more (code_reused)", |login| {
        login.redemption(|_| ())
    });
    assert_redemption_is_found("it was bought with the code 1.0.9, which was good no more (code_expired)", |login| {
        let draft = login.redemption(|_| ());
        login.log().later(60);
        draft
    });
    assert_redemption_is_found("it was bought with the code 1.0.9, which was good no more (grant_revoked)", |login| {
        let draft = login.redemption(|_| ());
        let code = login.code;
        login.log().revoke_grant(code);
        draft
    });
    let words = "it was bought with the code 1.0.9, which was good no more (subject_tokens_revoked)";
    found_in(Login::unredeemed(OFFLINE), words, |login| {
        let draft = login.redemption(|_| ());
        let person = login.person.clone();
        login.log().revoke_subject(&person);
        draft
    });
    assert_redemption_is_found("it was bought with a code that was never given", |login| {
        let draft = login.redemption(|_| ());
        Draft { grant: grantlog_events::envelope::GrantOf::Position(login.session), ..draft }
    });
}

#[test]
fn what_a_code_did_not_allow_is_found() {
    let cases: [(&str, Change); 9] = [
        ("its scope \"openid profile email\" exceeds what was authorized", |token| {
            token.scope = log::scope("openid profile email");
        }),
        ("its scope is empty", |token| token.scope = log::scope("")),
        ("it is for an audience that was not authorized", |token| token.audience.push("https://x.example".to_owned())),
        ("it opens claims that nobody asked the person for", |token| token.claims.push("birthdate".to_owned())),
        ("it comes with an ID token where none is due", |token| token.scope = log::scope("profile")),
        ("it does not die with the session that 1.0.9 dies with", |token| token.session = None),
        ("it says other things of the login than 1.0.9", |token| token.amr.push("otp".to_owned())),
        ("its refresh token is not the first of its code", |token| token.refresh.as_mut().unwrap().generation = 2),
        ("its refresh token outlives the session", |token| {
            let refresh = token.refresh.as_mut().unwrap();
            refresh.until = refresh.until.after(Seconds(1));
        }),
    ];
    for (words, change) in cases {
        assert_redemption_is_found(words, |login| login.redemption(change));
    }
    assert_redemption_is_found("it gives another client what 1.0.9 allows", |login| Draft {
        client: Some(log::client("other")),
        ..login.redemption(|_| ())
    });
    assert_redemption_is_found("it descends from other tokens or actors than what 1.0.9 allows", |login| Draft {
        ancestors: vec![login.world.chain[0]],
        ..login.redemption(|_| ())
    });
    assert_redemption_is_found("it descends from other tokens or actors than what 1.0.9 allows", |login| {
        let jti = login.world.first.jti(login.world.chain[0]);
        let actor = Actor { party: Party::Client(log::client("app")), jti };
        Draft { actors: vec![actor], ..login.redemption(|_| ()) }
    });
    found_in(Login::unredeemed(OFFLINE), "it names another party than 1.0.9", |login| {
        let other = login.log().person(2);
        Draft { subject: Some(other), ..login.redemption(|_| ()) }
    });
}

/// R5: under any interleaving, one refresh token has one successor.
#[test]
fn a_second_successor_of_one_refresh_token_is_found() {
    assert_found("openid", "it is a second successor, of the generation 2", |login| {
        let draft = login.refresh(login.code, 1, |_| ());
        login.log().forge(draft.clone());
        draft
    });
    assert_found("openid", "it is a second successor, of the generation 1", |login| {
        login.again(login.first, |_, _| ())
    });
    assert_found("openid", "it is a second successor, of the generation 2", |login| {
        let code = login.code;
        let second = login.log().refresh(code, 1);
        login.again(second, |token, _| token.id_token = None)
    });
    assert_found("openid", "its generation is 3, though the last was 1", |login| {
        login.again(login.first, |_, refresh| refresh.generation = 3)
    });
    assert_found("openid", "its generation is 1, though the last was 2", |login| {
        let (code, first) = (login.code, login.first);
        login.log().refresh(code, 1);
        login.again(first, |_, _| ())
    });
}

/// R3, RA, VC: nothing is refreshed once the family is over, by whatever ended it.
#[test]
fn a_refresh_in_a_family_that_is_over_is_found() {
    type Ends = fn(&mut Login);
    let ends: [(&str, Ends); 6] = [
        ("grant_revoked", |login| {
            let code = login.code;
            login.log().revoke_grant(code);
        }),
        ("grant_revoked", |login| {
            let (code, generation) = (login.code, 1);
            login.log().refresh(code, generation);
            login.log().later(31).try_to_refresh(code, generation);
        }),
        ("subject_tokens_revoked", |login| {
            let person = login.person.clone();
            login.log().revoke_subject(&person);
        }),
        ("subject_suspended", |login| {
            let person = login.person.clone();
            login.log().suspend(&person, true);
        }),
        ("subject_erased", |login| {
            let subject = login.person.clone();
            login.log().grant(EraseSubject { subject });
        }),
        ("refresh_token_expired", |login| {
            login.log().later(log::people::LASTS.0);
        }),
    ];
    for (why, end) in ends {
        let words = format!("it refreshes in the family 1.0.9, which is over ({why})");
        assert_found(OFFLINE, &words, |login| {
            let draft = login.refresh(login.code, 1, |_| ());
            end(login);
            draft
        });
    }
}

#[test]
fn a_refresh_that_gains_something_is_found() {
    let cases: [(&str, Change); 6] = [
        ("its scope \"openid email\" exceeds what was authorized", |token| token.scope = log::scope("openid email")),
        ("it is for an audience that was not authorized", |token| token.audience = vec!["https://x".to_owned()]),
        ("it does not die with the session that 1.0.9 dies with", |token| token.session = None),
        ("it says other things of the login than 1.0.9", |token| token.auth_time = Some(Timestamp(1))),
        ("it refreshes and brings no refresh token", |token| token.refresh = None),
        ("its refresh token lives longer than it may", |token| {
            let refresh = token.refresh.as_mut().unwrap();
            refresh.until = refresh.until.after(Seconds(1));
        }),
    ];
    for (words, change) in cases {
        assert_found("openid", words, |login| login.refresh(login.code, 1, change));
    }
    assert_found("openid", "it gives another client what 1.0.9 allows", |login| Draft {
        client: Some(log::client("other")),
        ..login.refresh(login.code, 1, |_| ())
    });
    assert_found("openid", "it descends from other tokens or actors than what 1.0.9 allows", |login| Draft {
        ancestors: vec![login.first],
        ..login.refresh(login.code, 1, |_| ())
    });
    assert_found("openid", "it names 1.0.7, where no family begins", |login| {
        login.again(login.first, |_, refresh| refresh.family = 7)
    });
    assert_found("openid", "it left the grant of 1.0.9", |login| {
        let draft = login.refresh(login.code, 1, |_| ());
        Draft { grant: grantlog_events::envelope::GrantOf::Position(login.world.chain[0]), ..draft }
    });
}

/// The same refresh token with a new access token lives no longer than it did.
#[test]
fn a_lost_answer_that_prolongs_its_refresh_token_is_found() {
    assert_found(OFFLINE, "its refresh token lives longer than it may", |login| {
        let mut command = login.world.first.refreshing(login.code, 1);
        command.signing.lifetime = Seconds(5);
        let seq = login.log().grant(command);
        login.log().later(6);
        login.again(seq, |_, refresh| refresh.until = refresh.until.after(Seconds(6)))
    });
}

#[test]
fn a_replay_that_repeats_another_answer_is_found() {
    let words = "it repeats another answer than that of the last rotation";
    assert_found("openid", words, |login| login.replay(1, login.first));
    assert_found("openid", words, |login| {
        let (code, first) = (login.code, login.first);
        login.log().refresh(code, 1);
        login.replay(1, first)
    });
    assert_found("openid", "it notes a replay that was noted already", |login| {
        let code = login.code;
        let issued = login.log().refresh(code, 1);
        login.log().refresh(code, 1);
        login.replay(1, issued)
    });
    let refused = |login: &Login, generation| {
        login.of_grant(Body::RefreshRefused(RefreshRefused { family: login.code, generation, unrecorded: None }), "app")
    };
    assert_found("openid", "it refuses the generation 2, which was never given", |login| refused(login, 2));
    assert_found("openid", "it notes a refusal and says that it was granted", |login| refused(login, 1));
}

fn exchanged(login: &Login, change: impl FnOnce(&mut RefreshGranted)) -> Draft {
    let family = login.world.first.state.head.next;
    exchange(&login.world, login.first, |token| {
        token.claims.clear();
        token.id_token = None;
        let mut refresh = RefreshGranted { family, ..token.refresh.clone().unwrap() };
        change(&mut refresh);
        token.refresh = Some(refresh);
    })
}

#[test]
fn an_honest_exchange_with_a_refresh_token_is_no_forgery() {
    let mut login = Login::new("openid");
    let draft = exchanged(&login, |_| ());
    let family = login.log().forge(draft);
    let refreshed = login.log().later(1).refresh(family, 1);
    assert_eq!(login.world.first.event(refreshed).ancestors, [login.first, family]);
    login.log().later(1_000).refresh(family, 2);
    assert_sound(&login);
}

#[test]
fn an_exchanged_family_that_could_not_begin_is_found() {
    let words = "its refresh token does not begin a family of its own";
    assert_found("openid", words, |login| exchanged(login, |refresh| refresh.family = 9));
    assert_found("openid", words, |login| exchanged(login, |refresh| refresh.generation = 2));
    assert_found("openid", "its refresh token outlives the session", |login| {
        exchanged(login, |refresh| refresh.until = refresh.until.after(Seconds(1)))
    });
    assert_found("openid", "it brings a refresh token, and somebody acts", |login| {
        let actor = bundle::forgery::actor_of(&login.world.second, login.world.actor);
        bundle::forgery::delegation(exchanged(login, |_| ()), actor)
    });
    assert_found("openid", "it brings a refresh token that could not be used", |login| {
        while login.world.first.event(login.first).ancestors.len() + 1 < MAX_ANCESTORS {
            let parent = login.first;
            login.first = login.log().exchange(parent, None);
        }
        let refresh = RefreshGranted { family: 0, generation: 1, until: login.world.first.now.after(Seconds(60)) };
        let family = login.world.first.state.head.next;
        exchange(&login.world, login.first, |token| token.refresh = Some(RefreshGranted { family, ..refresh }))
    });
    assert_found("openid", "it left the session of its parent", |login| {
        exchange(&login.world, login.first, |token| {
            (token.id_token, token.refresh, token.session) = (None, None, None);
        })
    });
    assert_found("openid", "it comes with claims by name or an ID token", |login| {
        exchange(&login.world, login.first, |token| token.refresh = None)
    });
    assert_found("openid", "it issues a first token with what only a login brings", |login| {
        let session = Some(login.session);
        bundle::forgery::first_token(&login.world, Some(&login.person.clone()), |token| token.session = session)
    });
}

/// X5, X6: what is above a family ends it; its time is fixed.
#[test]
fn a_refresh_in_an_exchanged_family_that_could_not_be_is_found() {
    let begun = |login: &mut Login| {
        let first = login.first;
        login.log().exchange_with_refresh(first)
    };
    assert_found(OFFLINE, "it refreshes in the family 1.0.11, which is over (ancestor_revoked)", |login| {
        let family = begun(login);
        let draft = login.refresh(family, 1, |_| ());
        let first = login.first;
        login.log().revoke(first, "");
        draft
    });
    assert_found(OFFLINE, "its refresh token lives longer than it may", |login| {
        let family = begun(login);
        login.refresh(family, 1, |token| {
            let refresh = token.refresh.as_mut().unwrap();
            refresh.until = refresh.until.after(Seconds(1));
        })
    });
    assert_found(OFFLINE, "it outlives its exchanged family", |login| {
        let family = begun(login);
        login.log().later(log::people::LASTS.0 - 1);
        login.refresh(family, 1, |token| token.expires_at = token.expires_at.after(Seconds(60)))
    });
    assert_found(OFFLINE, "it descends from other tokens or actors than what 1.0.11 allows", |login| {
        let family = begun(login);
        Draft { ancestors: Vec::new(), ..login.refresh(family, 1, |_| ()) }
    });
    assert_found(OFFLINE, "it comes with an ID token where none is due", |login| {
        let family = begun(login);
        let id_token = login.world.first.event(login.first).body.issued().unwrap().id_token.clone();
        login.refresh(family, 1, |token| token.id_token = id_token)
    });
}
