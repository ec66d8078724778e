//! Families that begin with an exchange: good for one fixed time, dead with whatever they descend from, and what
//! they descend from is remembered for as long as they live.

use crate::{
    sample::scope,
    shard::{Shard, caller, delegate, exchange, issue, open_policy, presented, signing},
    visit::{BOUND, Device, Held, LIFETIME, OFFLINE, UNUSED, held, logout, refresh, revoke_refresh, withdraw},
};
use grantlog_events::{
    Body, Event, Refusal, Seconds, Subject, Timestamp,
    body::{ConsentWithdrawn, RevokedBy, SessionEnded},
    client::ExchangePolicy,
    command::{EndSession, Exchange, Issue, Refresh, RevokeGrant, RevokeIssued, RevokeSubjectTokens, RevokeToken},
    decide::{Answer, MAX_ANCESTORS},
    token::{MayAct, Presented},
};

const DAY: Seconds = Seconds(86_400);

fn with_refresh(token: &Presented) -> Exchange {
    Exchange {
        policy: Some(ExchangePolicy { refresh_token: true, ..open_policy() }),
        refresh_token: true,
        refresh_lifetime: Some(DAY),
        ..exchange(token)
    }
}

fn visit(wanted: &str) -> (Shard, Subject, Device) {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", wanted);
    (shard, subject, device)
}

fn until(event: &Event) -> Timestamp {
    event.body.issued().unwrap().refresh.as_ref().unwrap().until
}

#[test]
fn an_exchange_with_a_refresh_token_begins_a_family_of_its_own() {
    let (mut shard, _, device) = visit(OFFLINE);
    let parent = &device.held.token;
    let begun = shard.granted(with_refresh(parent));
    let first = held(&begun);
    assert_eq!((first.refresh.family, first.refresh.generation), (begun.seq, 1));
    assert!(shard.refreshes(&first));
    shard.pass(3_600);
    let event = shard.granted(refresh(&first));
    let issued = event.body.issued().unwrap();
    assert_eq!(event.ancestors, [parent.jti.address.seq, begun.seq]);
    assert_eq!((event.grant, issued.cause.name()), (Some(parent.grant), "refresh_token"));
    assert_eq!((&issued.scope, &issued.audience), (&scope(BOUND), &vec!["aud-0".to_owned()]));
    assert!(shard.lives(&presented(&event)) && !shard.lives(parent));
    assert!(shard.refreshes(&device.held), "the family above knows nothing of it");
}

/// RFC 8693 gives no ID token, and neither does what follows from it.
#[test]
fn a_refresh_in_an_exchanged_family_brings_no_id_token() {
    let (mut shard, _, device) = visit(OFFLINE);
    let first = held(&shard.granted(with_refresh(&device.held.token)));
    let event = shard.granted(Refresh { id_token: Some(signing(300)), ..refresh(&first) });
    let issued = event.body.issued().unwrap();
    assert!(issued.id_token.is_none() && issued.scope.contains("openid"));
}

/// Those above it remember for how long: it must not grow.
#[test]
fn an_exchanged_family_is_good_for_one_fixed_time_however_often_it_is_used() {
    let (mut shard, _, device) = visit(OFFLINE);
    let begun = shard.granted(with_refresh(&device.held.token));
    let end = shard.now.after(DAY);
    assert_eq!(until(&begun), end);
    let mut last = held(&begun);
    for _ in 0..3 {
        shard.pass(7 * 3_600);
        let event = shard.granted(refresh(&last));
        assert_eq!(until(&event), end);
        last = held(&event);
    }
    shard.now.0 = end.0 - 60_000;
    let event = shard.granted(refresh(&last));
    assert!(event.body.issued().unwrap().expires_at <= end, "no token of it is longer than the family");
    shard.now = end;
    assert_eq!(shard.refused_on_record(refresh(&held(&event))).0, Refusal::RefreshTokenExpired);
}

/// X5, X6, VA: at any time of the family's life, from any place above it.
#[test]
fn revoking_what_a_family_descends_from_ends_it_at_any_time_and_is_remembered_as_long() {
    type Revoke = fn(&mut Shard, &Device, &Presented) -> Event;
    let revokes: [Revoke; 4] = [
        |shard, _, parent| shard.granted(RevokeToken { caller: caller("app"), token: parent.clone() }),
        |shard, _, parent| {
            let target = parent.jti.address.seq;
            shard.granted(RevokeIssued { target, by: RevokedBy::Operator, reason: String::new() })
        },
        |shard, device, _| {
            let target = device.code.address.seq;
            shard.granted(RevokeGrant { target, by: RevokedBy::Operator, reason: String::new() })
        },
        |shard, device, _| shard.granted(revoke_refresh(&device.held)),
    ];
    for revoke in revokes {
        let (mut shard, _, mut device) = visit(OFFLINE);
        // The grant's own refresh token is over long before the family below.
        device.held = held(&shard.granted(Refresh { lifetime: Seconds(60), ..refresh(&device.held) }));
        let parent = device.held.token.clone();
        let long = Exchange { refresh_lifetime: Some(Seconds(60 * DAY.0)), ..with_refresh(&parent) };
        let begun = shard.granted(long);
        let family = held(&begun);
        shard.pass(40 * DAY.0);
        let second = shard.refreshed(&family);
        assert!(!shard.lives(&parent) && !shard.refreshes(&device.held));
        let event = revoke(&mut shard, &device, &parent);
        let (Body::TokenRevoked(ended) | Body::GrantRevoked(ended)) = &event.body else { panic!("not revoked") };
        assert_eq!(ended.until, until(&begun), "a view that forgets sooner brings it back to life");
        assert!(!shard.lives(&second.token) && !shard.refreshes(&second));
        let (refusal, _) = shard.refused_on_record(refresh(&second));
        assert!(matches!(refusal, Refusal::AncestorRevoked | Refusal::GrantRevoked));
    }
}

/// VA: what ends with a session or a consent is remembered as long.
#[test]
fn ending_a_lost_device_or_a_consent_is_remembered_as_long_as_the_family_below() {
    for with_consent in [false, true] {
        let (mut shard, subject, device) = visit(OFFLINE);
        let long = Exchange { refresh_lifetime: Some(Seconds(60 * DAY.0)), ..with_refresh(&device.held.token) };
        let begun = shard.granted(long);
        let event = if with_consent {
            shard.granted(withdraw(&subject, device.session, "app"))
        } else {
            shard.granted(EndSession { with_grants: true, ..logout(device.session) })
        };
        let (Body::SessionEnded(SessionEnded { grants, .. }) | Body::ConsentWithdrawn(ConsentWithdrawn { grants, .. })) =
            &event.body
        else {
            panic!("nothing ended")
        };
        assert_eq!(grants[..], [(device.code.address.seq, until(&begun))]);
        assert!(!shard.refreshes(&held(&begun)));
    }
}

/// VA: the longest below counts, and a shorter one that comes later does not shorten it.
#[test]
fn the_longest_family_below_is_the_one_that_is_remembered() {
    let (mut shard, _, device) = visit(OFFLINE);
    let parent = &device.held.token;
    let middle = shard.exchanged(exchange(parent));
    let lasting = |days| Some(Seconds(days * DAY.0));
    shard.granted(Exchange { refresh_lifetime: lasting(1), ..with_refresh(&middle) });
    let long = shard.granted(Exchange { refresh_lifetime: lasting(90), ..with_refresh(&middle) });
    shard.granted(Exchange { refresh_lifetime: lasting(2), ..with_refresh(&middle) });
    shard.granted(Exchange { refresh_lifetime: lasting(3), ..with_refresh(parent) });
    for token in [&middle, parent] {
        let revocation = RevokeToken { caller: caller(token.client.as_str()), token: (*token).clone() };
        let event = shard.granted(revocation);
        assert!(matches!(&event.body, Body::TokenRevoked(ended) if ended.until == until(&long)));
    }
    let event = shard.granted(revoke_refresh(&device.held));
    assert!(matches!(&event.body, Body::GrantRevoked(ended) if ended.until == until(&long)));
}

/// A token refreshed in the family and exchanged again: the chain goes through the family's beginning.
#[test]
fn a_family_below_a_family_dies_with_the_upper_one() {
    let (mut shard, _, device) = visit(OFFLINE);
    let upper = held(&shard.granted(with_refresh(&device.held.token)));
    let upper = shard.refreshed(&upper);
    let begun = shard.granted(Exchange { caller: caller("third"), ..with_refresh(&upper.token) });
    let lower = held(&begun);
    assert_eq!(begun.ancestors.len(), 3);
    let event = shard.granted(revoke_refresh(&upper));
    assert!(matches!(&event.body, Body::GrantRevoked(ended) if ended.until == until(&begun)));
    assert_eq!(shard.inspect(&lower.token), Err(Refusal::AncestorRevoked));
    assert_eq!(shard.refused_on_record(refresh(&lower)).0, Refusal::AncestorRevoked);
    assert!(shard.lives(&device.held.token) && shard.refreshes(&device.held));
}

/// RB: reuse below ends what is below.
#[test]
fn reuse_in_an_exchanged_family_ends_that_family_only() {
    let (mut shard, _, device) = visit(OFFLINE);
    let first = held(&shard.granted(with_refresh(&device.held.token)));
    let sibling = held(&shard.granted(with_refresh(&device.held.token)));
    let second = shard.refreshed(&first);
    assert_eq!(shard.replayed(&first).0, second.token.jti.address.seq);
    shard.pass(31);
    let (refusal, event) = shard.refused_on_record(refresh(&first));
    assert_eq!(refusal, Refusal::RefreshTokenReused);
    assert!(matches!(&event.body, Body::GrantRevoked(ended) if ended.target == first.refresh.family));
    assert_eq!(shard.inspect(&second.token), Err(Refusal::AncestorRevoked));
    assert_eq!(shard.inspect(&first.token), Err(Refusal::TokenRevoked));
    assert!(shard.refreshes(&sibling) && shard.lives(&sibling.token));
    assert!(shard.refreshes(&device.held) && shard.lives(&device.held.token));
}

/// V15: what was bound to a session stays bound, and is no longer than it.
#[test]
fn a_family_exchanged_from_a_session_ends_with_the_session() {
    let (mut shard, subject, device) = visit(BOUND);
    let long = Exchange { refresh_lifetime: Some(UNUSED), ..with_refresh(&device.held.token) };
    let begun = shard.granted(long);
    let end = shard.state().session(&subject, device.session).unwrap().until;
    assert_eq!((until(&begun), end), (end, shard.now.after(LIFETIME)));
    let family = shard.refreshed(&held(&begun));
    assert_eq!(family.token.session, Some(device.session));
    let row = shard.state().grant(&family.token.party, begun.seq).unwrap();
    assert_eq!((row.session, row.offline), (Some(device.session), false));
    let event = shard.granted(EndSession { with_grants: true, ..logout(device.session) });
    assert!(matches!(&event.body, Body::SessionEnded(body) if body.grants.is_empty()), "bound: it needs no name");
    assert_eq!(shard.inspect(&family.token), Err(Refusal::SessionEnded));
    assert_eq!(shard.refused_on_record(refresh(&family)).0, Refusal::SessionEnded);
    assert!(!shard.refreshes(&family));
}

/// VC.
#[test]
fn revoking_everything_of_a_person_reaches_exchanged_families() {
    let (mut shard, subject, device) = visit(OFFLINE);
    let family = held(&shard.granted(with_refresh(&device.held.token)));
    let family = shard.refreshed(&family);
    shard.run(RevokeSubjectTokens { subject, reason: String::new() });
    assert_eq!(shard.refused_on_record(refresh(&family)).0, Refusal::SubjectTokensRevoked);
    assert!(!shard.lives(&family.token) && !shard.refreshes(&family));
}

/// Only where policy gives one, nobody acts, and a person is behind it.
#[test]
fn no_refresh_token_comes_without_policy_or_lifetime_or_with_an_actor_or_for_a_machine() {
    let (mut shard, _, device) = visit(OFFLINE);
    let token = &device.held.token;
    let machine = shard.machine_token("batch");
    let robot = shard.machine_token("robot");
    let delegated = shard.exchanged(delegate(token, &robot));
    let refused = [
        Exchange { policy: Some(open_policy()), ..with_refresh(token) },
        Exchange { refresh_lifetime: None, ..with_refresh(token) },
        Exchange { actor_token: Some(robot), ..with_refresh(token) },
        with_refresh(&machine),
        with_refresh(&delegated),
    ];
    for exchange in refused {
        let (refusal, event) = shard.refused_on_record(exchange);
        assert_eq!(refusal, Refusal::RefreshTokenNotAllowed);
        assert!(matches!(event.body, Body::ExchangeRefused(_)));
    }
    let unasked = Exchange { refresh_token: false, ..with_refresh(token) };
    assert_eq!(shard.granted(unasked).body.issued().unwrap().refresh, None);
}

/// A token of the family has one ancestor more than the token that began it, and no event names more than 32.
#[test]
fn no_family_begins_where_its_tokens_would_have_too_many_ancestors() {
    let (mut shard, _, device) = visit(OFFLINE);
    let mut token = device.held.token;
    for _ in 0..30 {
        token = shard.exchanged(exchange(&token));
    }
    let deepest = held(&shard.granted(with_refresh(&token)));
    assert_eq!(shard.granted(refresh(&deepest)).ancestors.len(), MAX_ANCESTORS);
    token = shard.exchanged(exchange(&token));
    assert_eq!(shard.refused_on_record(with_refresh(&token)).0, Refusal::RefreshTokenNotAllowed);
    shard.granted(exchange(&token));
}

/// A client may get a refresh token for what an assertion bought; its grant is the assertion's token.
#[test]
fn a_family_below_an_assertions_token_dies_with_that_grant() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let begun = shard.granted(with_refresh(&token));
    let family = held(&begun);
    shard.pass(3_600);
    let family = shard.refreshed(&family);
    let event = shard.granted(RevokeGrant { target: token.grant, by: RevokedBy::Operator, reason: String::new() });
    assert!(matches!(&event.body, Body::GrantRevoked(ended) if ended.until == until(&begun)));
    assert!(!shard.lives(&family.token) && !shard.refreshes(&family));
}

/// The family's own beginning can be revoked like any token, also long after it has expired.
#[test]
fn revoking_the_token_that_began_a_family_ends_the_family() {
    let (mut shard, _, device) = visit(OFFLINE);
    let begun = shard.granted(with_refresh(&device.held.token));
    shard.pass(3_600);
    let family = shard.refreshed(&held(&begun));
    let event = shard.granted(RevokeToken { caller: caller("svc"), token: presented(&begun) });
    assert!(matches!(&event.body, Body::TokenRevoked(ended) if ended.until == until(&begun)));
    assert_eq!(shard.inspect(&family.token), Err(Refusal::AncestorRevoked));
    assert_eq!(shard.refused_on_record(refresh(&family)).0, Refusal::GrantRevoked);
    assert_eq!(shard.writes_nothing(revoke_refresh(&family)), Answer::Stands(event.seq));
}

/// A refresh replayed after its access token expired, within the grace: the fixed time stays.
#[test]
fn a_replay_in_an_exchanged_family_is_the_same_generation_again() {
    let (mut shard, _, device) = visit(OFFLINE);
    let first = held(&shard.granted(with_refresh(&device.held.token)));
    let short = Refresh { signing: signing(5), ..refresh(&first) };
    let second = held(&shard.granted(short.clone()));
    shard.pass(6);
    let again: Held = held(&shard.granted(short));
    assert_eq!(again.refresh, second.refresh);
    assert!(shard.lives(&again.token));
}

/// X3: such a token is exchanged by its actor alone, and with an actor no refresh token comes.
#[test]
fn a_token_that_names_who_may_act_brings_no_refresh_token() {
    let (mut shard, subject) = Shard::home();
    let named = MayAct { sub: None, client: Some(crate::sample::client("robot")) };
    let login = Issue { subject: Some(subject), may_act: Some(named), ..issue("app") };
    let token = presented(&shard.granted(login));
    let robot = shard.machine_token("robot");
    assert_eq!(shard.refused_on_record(with_refresh(&token)).0, Refusal::ActorRequired);
    let by_robot = Exchange { actor_token: Some(robot), ..with_refresh(&token) };
    assert_eq!(shard.refused_on_record(by_robot).0, Refusal::RefreshTokenNotAllowed);
}
