//! Token exchange: a live token buys another, never a greater one (RFC 8693).

use crate::{
    sample::{client, scope},
    shard::{Shard, delegate, exchange, issue, open_policy, presented, signing},
};
use grantlog_events::{
    Body, Refusal, Seconds,
    client::{Admitted, ExchangePolicy},
    command::{Exchange, Issue},
    decide::MAX_TARGETS,
    token::{MayAct, Party},
};

/// X2: with an actor token an exchange is a delegation, and says who acts.
#[test]
fn an_exchange_with_an_actor_is_a_delegation_that_names_the_actor() {
    let (mut shard, subject) = Shard::home();
    let (token, actor) = (shard.login(&subject), shard.machine_token("robot"));
    let event = shard.granted(delegate(&token, &actor));
    assert!(matches!(event.body, Body::TokenDelegated(_)));
    assert_eq!(event.subject, Some(subject));
    assert_eq!(event.actors[0].party, Party::Client(client("robot")));
    assert_eq!(event.actors[0].jti, actor.jti);
}

/// X2: impersonation is a right of its own and an event type of its own.
#[test]
fn impersonation_is_opt_in_and_recorded_as_what_it_is() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let closed = ExchangePolicy { impersonation: false, ..open_policy() };
    let refusal = shard.refused(Exchange { policy: Some(closed), ..exchange(&token) });
    assert_eq!(refusal, Refusal::ImpersonationNotAllowed);
    let event = shard.granted(exchange(&token));
    assert!(matches!(event.body, Body::TokenImpersonated(_)));
    assert_eq!(event.actors, []);
}

fn token_with_may_act(shard: &mut Shard, may_act: MayAct) -> grantlog_events::token::Presented {
    let event = shard.granted(Issue { may_act: Some(may_act), ..issue("app") });
    presented(&event)
}

/// X3: what the token says of `may_act` decides, not whether the request looks like a plain exchange.
#[test]
fn a_token_that_names_its_actor_is_never_exchanged_without_that_actor() {
    let (mut shard, _) = Shard::home();
    let robot = MayAct { sub: Some(Party::Client(client("robot"))), client: None };
    let token = token_with_may_act(&mut shard, robot);
    let (robot, other) = (shard.machine_token("robot"), shard.machine_token("other"));
    assert_eq!(shard.refused(exchange(&token)), Refusal::ActorRequired);
    assert_eq!(shard.refused(delegate(&token, &other)), Refusal::ActorNotNamedByMayAct);
    let child = shard.exchanged(delegate(&token, &robot));
    assert_eq!(shard.refused(exchange(&child)), Refusal::ActorRequired, "`may_act` stays with the child");
}

/// X3.
#[test]
fn may_act_by_client_looks_at_the_client_of_the_actor_token() {
    let (mut shard, subject) = Shard::home();
    let token = token_with_may_act(&mut shard, MayAct { sub: None, client: Some(client("app")) });
    let both = MayAct { sub: Some(Party::Client(client("robot"))), client: Some(client("app")) };
    let strict = token_with_may_act(&mut shard, both);
    let (person, robot) = (shard.login(&subject), shard.machine_token("robot"));
    shard.exchanged(delegate(&token, &person));
    assert_eq!(shard.refused(delegate(&token, &robot)), Refusal::ActorNotNamedByMayAct);
    assert_eq!(shard.refused(delegate(&strict, &robot)), Refusal::ActorNotNamedByMayAct);
    assert_eq!(shard.refused(delegate(&strict, &person)), Refusal::ActorNotNamedByMayAct);
}

/// X3: fail closed.
#[test]
fn a_may_act_that_names_nobody_admits_nobody() {
    let (mut shard, _) = Shard::home();
    let token = token_with_may_act(&mut shard, MayAct { sub: None, client: None });
    let robot = shard.machine_token("robot");
    assert_eq!(shard.refused(exchange(&token)), Refusal::ActorRequired);
    assert_eq!(shard.refused(delegate(&token, &robot)), Refusal::ActorNotNamedByMayAct);
}

#[test]
fn policy_says_whose_tokens_may_be_subject_and_whose_may_be_actor() {
    let (mut shard, subject) = Shard::home();
    let (token, actor) = (shard.login(&subject), shard.machine_token("robot"));
    let only = |name| Admitted::Only(vec![client(name)]);
    let subjects = ExchangePolicy { subject_clients: only("other"), ..open_policy() };
    let actors = ExchangePolicy { actors: only("other"), ..open_policy() };
    let with = |policy| Exchange { policy: Some(policy), ..delegate(&token, &actor) };
    assert_eq!(shard.refused(with(subjects)), Refusal::SubjectClientNotAdmitted);
    assert_eq!(shard.refused(with(actors)), Refusal::ActorClientNotAdmitted);
    assert_eq!(shard.refused(Exchange { policy: None, ..exchange(&token) }), Refusal::ClientMayNotExchange);
    let named = ExchangePolicy { subject_clients: only("app"), actors: only("robot"), ..open_policy() };
    shard.granted(with(named));
}

/// X12: an omitted scope means the subject's scope ∩ the client's.
#[test]
fn an_omitted_scope_is_all_that_token_and_client_share() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let child = shard.exchanged(Exchange { client_scope: scope("email address openid"), ..exchange(&token) });
    assert_eq!(child.scope, scope("openid email"));
}

#[test]
fn an_asked_scope_never_grows_beyond_token_and_client() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let ask =
        |asked: &str, held: &str| Exchange { scope: Some(scope(asked)), client_scope: scope(held), ..exchange(&token) };
    assert_eq!(shard.exchanged(ask("profile address", "openid profile address")).scope, scope("profile"));
    assert_eq!(shard.exchanged(ask("email profile", "openid profile")).scope, scope("profile"));
    let child = shard.exchanged(ask("profile", "openid profile"));
    let grandchild = Exchange { scope: Some(scope("openid profile")), ..exchange(&child) };
    assert_eq!(shard.exchanged(grandchild).scope, scope("profile"), "what was given up is not found again");
}

/// XB: nothing is put in the place of an empty intersection.
#[test]
fn an_empty_intersection_of_scopes_is_refused() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let disjoint = Exchange { client_scope: scope("address"), ..exchange(&token) };
    assert_eq!(shard.refused(disjoint), Refusal::ScopeEmpty);
    for asked in ["address", ""] {
        let asked = Exchange { scope: Some(scope(asked)), ..exchange(&token) };
        assert_eq!(shard.refused(asked), Refusal::ScopeEmpty);
    }
}

/// XC: `exp` of the new token never passes the subject token's.
#[test]
fn a_child_never_outlives_its_parent() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    shard.pass(200);
    let long = shard.exchanged(Exchange { signing: signing(3600), ..exchange(&token) });
    assert_eq!(long.expires_at, token.expires_at);
    let short = shard.exchanged(Exchange { signing: signing(60), ..exchange(&token) });
    assert_eq!(short.expires_at.since(shard.now), 59_500, "whole seconds, rounded down");
    let unbounded = shard.exchanged(Exchange { signing: signing(u64::MAX), ..exchange(&token) });
    assert_eq!(unbounded.expires_at, token.expires_at);
}

/// The boundary: a token dies at its `exp`, not after it (RFC 7519 §4.1.4, "on or after").
#[test]
fn a_token_is_dead_exactly_at_its_exp() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    shard.now = grantlog_events::Timestamp(token.expires_at.0 - 1);
    assert!(shard.lives(&token));
    shard.granted(exchange(&token));
    shard.now = token.expires_at;
    assert_eq!(shard.inspect(&token), Err(Refusal::TokenExpired));
    assert_eq!(shard.refused(exchange(&token)), Refusal::TokenExpired);
    shard.now = token.expires_at.after(Seconds(1));
    assert_eq!(shard.inspect(&token), Err(Refusal::TokenExpired));
}

/// XD: a repeated `audience` or `resource` counts each time.
#[test]
fn every_audience_and_resource_is_honoured_and_every_one_is_checked() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let targets = |audience: &[&str], resource: &[&str]| Exchange {
        audience: audience.iter().map(ToString::to_string).collect(),
        resource: resource.iter().map(ToString::to_string).collect(),
        ..exchange(&token)
    };
    let event = shard.granted(targets(&["aud-1", "aud-2", "aud-1"], &["https://rs.example/1", "https://rs.example/2"]));
    let issued = event.body.issued().unwrap();
    assert_eq!(issued.audience, ["aud-1", "aud-2", "https://rs.example/1", "https://rs.example/2"]);
    for (audience, resource) in [
        (&["evil", "aud-1"][..], &[][..]),
        (&["aud-1", "evil"], &[]),
        (&["aud-1"], &["https://evil.example", "https://rs.example/1"]),
        (&["https://rs.example/1"], &[]),
        (&[], &["aud-1"]),
    ] {
        assert_eq!(shard.refused(targets(audience, resource)), Refusal::TargetNotAdmitted);
    }
}

#[test]
fn without_an_audience_the_token_is_for_the_issuer() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let event = shard.granted(Exchange { audience: Vec::new(), ..exchange(&token) });
    assert_eq!(event.body.issued().unwrap().audience, ["https://op.example"]);
}

/// XI: the limit counts all of them, the same one twice too.
#[test]
fn ten_audiences_and_ten_resources_pass_and_one_more_of_either_does_not() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let ask = |audiences: usize, resources: usize| Exchange {
        audience: (0..audiences).map(|n| format!("aud-{n}")).collect(),
        resource: (0..resources).map(|n| format!("https://rs.example/{n}")).collect(),
        ..exchange(&token)
    };
    let event = shard.granted(ask(MAX_TARGETS, MAX_TARGETS));
    assert_eq!(event.body.issued().unwrap().audience.len(), 2 * MAX_TARGETS);
    assert_eq!(shard.refused(ask(MAX_TARGETS + 1, 0)), Refusal::TooManyTargets);
    assert_eq!(shard.refused(ask(0, MAX_TARGETS + 1)), Refusal::TooManyTargets);
    let same = Exchange { audience: vec!["aud-0".to_owned(); MAX_TARGETS + 1], ..exchange(&token) };
    assert_eq!(shard.refused(same), Refusal::TooManyTargets);
}

/// Asking for a refresh token where none is given is an error, not a silent no.
#[test]
fn asking_for_a_refresh_token_is_refused() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let asked = Exchange { refresh_token: true, ..exchange(&token) };
    assert_eq!(shard.refused(asked), Refusal::RefreshTokenNotAllowed);
}
