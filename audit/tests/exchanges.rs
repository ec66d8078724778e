//! Exchanges that could never have been decided are found (17): dead parents, greater tokens, lost actors.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::{
    World,
    forgery::{actor_of, assert_broken, assert_forgery_is_found, delegation, exchange, first_token, verify},
    log,
};
use grantlog_events::{
    Body, Draft, Place, Seconds,
    command::EraseSubject,
    envelope::GrantOf,
    token::{Actor, MayAct, Party},
};

#[test]
fn an_honest_exchange_is_no_forgery() {
    let mut world = World::new();
    let draft = exchange(&world, world.chain[0], |_| ());
    world.first.forge(draft);
    assert_eq!(verify(&world).code, 0, "{}", verify(&world).out);
}

/// X6: every ancestor counts.
#[test]
fn a_token_from_a_dead_parent_is_found() {
    type Ends = fn(&mut World);
    let ends: [(&str, Ends); 7] = [
        ("token_revoked", |world| {
            world.first.revoke(world.chain[1], "");
        }),
        ("ancestor_revoked", |world| {
            world.first.revoke(world.chain[0], "");
        }),
        ("ancestor_revoked", |world| {
            world.first.revoke_grant(world.chain[0]);
        }),
        ("subject_tokens_revoked", |world| {
            world.first.revoke_subject(&world.person.clone());
        }),
        ("subject_suspended", |world| {
            world.first.suspend(&world.person.clone(), true);
        }),
        ("subject_erased", |world| {
            world.first.grant(EraseSubject { subject: world.person.clone() });
        }),
        ("token_expired", |world| {
            world.first.later(900);
        }),
    ];
    for (why, end) in ends {
        assert_forgery_is_found("it was exchanged from the dead token", |world| {
            end(world);
            exchange(world, world.chain[1], |_| ())
        });
        let mut world = World::new();
        end(&mut world);
        let draft = exchange(&world, world.chain[1], |_| ());
        world.first.forge(draft);
        assert_broken(&world, why);
    }
}

#[test]
fn a_token_from_a_voided_exchange_is_found() {
    assert_forgery_is_found("it was exchanged from the dead token", |world| {
        world.first.void(world.delegated);
        exchange(world, world.delegated, |_| ())
    });
}

#[test]
fn a_greater_token_is_found() {
    assert_forgery_is_found("its scope \"openid profile email\" exceeds its parent's \"openid profile\"", |world| {
        exchange(world, world.chain[0], |token| token.scope = log::scope("openid profile email"))
    });
    assert_forgery_is_found("its scope is empty", |world| {
        exchange(world, world.chain[0], |token| token.scope = log::scope(""))
    });
    assert_forgery_is_found("it outlives the token it was exchanged from", |world| {
        exchange(world, world.chain[0], |token| token.expires_at = token.expires_at.after(Seconds(1)))
    });
    assert_forgery_is_found("it has 21 audiences", |world| {
        exchange(world, world.chain[0], |token| token.audience = (0..21).map(|number| number.to_string()).collect())
    });
}

#[test]
fn an_unknown_parent_is_found() {
    assert_forgery_is_found("it was exchanged from 1.0.0, which issued no token before it", |world| Draft {
        ancestors: vec![0],
        ..exchange(world, world.chain[0], |_| ())
    });
    assert_forgery_is_found("it was exchanged from 1.0.999", |world| Draft {
        ancestors: vec![999],
        ..exchange(world, world.chain[0], |_| ())
    });
    assert_forgery_is_found("it is an exchange from no token", |world| Draft {
        ancestors: Vec::new(),
        ..exchange(world, world.chain[0], |_| ())
    });
    assert_forgery_is_found("it begins a grant and has ancestors", |world| Draft {
        ancestors: vec![world.chain[0]],
        ..first_token(world, Some(&world.person), |_| ())
    });
}

#[test]
fn a_token_that_left_its_family_is_found() {
    assert_forgery_is_found("its ancestors are not its parent's with the parent added", |world| Draft {
        ancestors: vec![world.chain[1]],
        ..exchange(world, world.chain[1], |_| ())
    });
    assert_forgery_is_found("it left the grant of its parent", |world| Draft {
        grant: GrantOf::Itself,
        ..exchange(world, world.chain[0], |_| ())
    });
    assert_forgery_is_found("it names another party than its parent", |world| {
        let other = world.first.person(2);
        Draft { subject: Some(other), ..exchange(world, world.chain[0], |_| ()) }
    });
    assert_forgery_is_found("it says other things of the login than its parent", |world| {
        exchange(world, world.chain[0], |token| token.acr = Some("high".to_owned()))
    });
}

/// X12, X13: newest actor first, none cut.
#[test]
fn actors_in_another_order_or_cut_are_found() {
    let words = "its actors are not its parent's, newest first";
    assert_forgery_is_found(words, |world| {
        let actor = world.first.issue(None, "openid");
        let actor = actor_of(&world.first, actor);
        let mut draft = delegation(exchange(world, world.delegated, |_| ()), actor);
        draft.actors.reverse();
        draft
    });
    assert_forgery_is_found(words, |world| Draft { actors: Vec::new(), ..exchange(world, world.delegated, |_| ()) });
    assert_forgery_is_found("it is a delegation in which nobody acts", |world| {
        let draft = exchange(world, world.chain[0], |_| ());
        let Body::TokenImpersonated(token) = draft.body else { panic!("not an exchange") };
        Draft { body: Body::TokenDelegated(token), ..draft }
    });
}

/// X3: a token that names who may act never comes out without that actor.
#[test]
fn an_actor_that_may_not_act_is_found() {
    let demanding = |world: &mut World, party: Party| {
        let may_act = MayAct { sub: Some(party), client: None };
        let command = grantlog_events::command::Issue {
            may_act: Some(may_act),
            ..log::issue(Some(&world.person.clone()), "openid")
        };
        world.first.grant(command)
    };
    assert_forgery_is_found("its parent demands an actor, and nobody acts", |world| {
        let parent = demanding(world, Party::Client(log::client("app")));
        exchange(world, parent, |_| ())
    });
    assert_forgery_is_found("app acts, where only other may", |world| {
        let parent = demanding(world, Party::Client(log::client("other")));
        delegation(exchange(world, parent, |_| ()), actor_of(&world.second, world.actor))
    });
}

#[test]
fn an_actor_whose_token_is_dead_or_another_party_is_found() {
    assert_forgery_is_found("its actor's token", |world| {
        let actor = world.first.issue(None, "openid");
        world.first.revoke(actor, "");
        delegation(exchange(world, world.chain[0], |_| ()), actor_of(&world.first, actor))
    });
    assert_forgery_is_found("its actor's token", |world| {
        let actor = world.first.issue(None, "openid");
        let actor = Actor { party: Party::Client(log::client("other")), ..actor_of(&world.first, actor) };
        delegation(exchange(world, world.chain[0], |_| ()), actor)
    });
}

#[test]
fn an_actor_whose_token_another_log_never_issued_is_found() {
    let forged = |change: fn(&mut Actor)| {
        move |world: &mut World| {
            let mut actor = actor_of(&world.second, world.actor);
            change(&mut actor);
            delegation(exchange(world, world.chain[0], |_| ()), actor)
        }
    };
    assert_forgery_is_found("its actor's token", forged(|actor| actor.jti.address.seq = 0));
    assert_forgery_is_found("its actor's token", forged(|actor| actor.party = Party::Client(log::client("other"))));
    assert_forgery_is_found(
        "its actor's token",
        forged(|actor| actor.jti.address.place = Place { epoch: 7, shard: 0 }),
    );
    let mut world = World::new();
    let draft = forged(|actor| actor.jti.address.seq = 1000)(&mut world);
    world.first.forge(draft);
    assert_eq!(verify(&world).code, 0, "that log may have been read before the token was issued");
}
