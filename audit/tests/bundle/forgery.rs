//! Events that are well formed and well chained and that no decision led to.

use super::{Ended as Run, Export, World, log};
use grantlog_events::{
    Body, Draft, Subject, Timestamp,
    body::{Ended, RevokedBy, TokenIssued},
    envelope::GrantOf,
    token::{Actor, Cause, IssuedToken},
};

/// What an honest impersonation of `parent` by the gateway would be.
pub fn exchange(world: &World, parent: u64, change: impl FnOnce(&mut IssuedToken)) -> Draft {
    let parent = world.first.event(parent);
    let mut token = parent.body.issued().unwrap().clone();
    token.cause = Cause::Exchange;
    change(&mut token);
    Draft {
        ancestors: parent.ancestors.iter().copied().chain([parent.seq]).collect(),
        actors: parent.actors.clone(),
        ..Draft::of(Body::TokenImpersonated(token))
            .about(parent.subject.clone())
            .of_client(log::client("gateway"))
            .under(GrantOf::Position(parent.grant.unwrap()))
    }
}

pub fn first_token(world: &World, subject: Option<&Subject>, change: impl FnOnce(&mut IssuedToken)) -> Draft {
    let mut token = world.first.event(world.chain[0]).body.issued().unwrap().clone();
    change(&mut token);
    Draft::of(Body::TokenIssued(TokenIssued { token, spent: None }))
        .about(subject.cloned())
        .of_client(log::client("app"))
        .under(GrantOf::Itself)
}

pub fn delegation(draft: Draft, actor: Actor) -> Draft {
    let Body::TokenImpersonated(token) = draft.body else { panic!("not an exchange") };
    let actors = std::iter::once(actor).chain(draft.actors).collect();
    Draft { body: Body::TokenDelegated(token), actors, ..draft }
}

pub fn actor_of(log: &log::Log, seq: u64) -> Actor {
    Actor { party: log.event(seq).party().unwrap(), jti: log.jti(seq) }
}

pub fn ended(world: &World, target: u64) -> Ended {
    let until = world.first.event(target).body.issued().map_or(Timestamp(0), |token| token.expires_at);
    Ended { target, by: RevokedBy::Operator, reason: String::new(), until, machine: None }
}

pub fn verify(world: &World) -> Run {
    Export::write(&world.logs()).verify()
}

pub fn assert_broken(world: &World, words: &str) {
    let ended = verify(world);
    assert_eq!(ended.code, 17, "{words}: {}", ended.out);
    assert!(ended.out.contains(words), "{words:?} is not in {}", ended.out);
}

pub fn assert_forgery_is_found(words: &str, forge: impl FnOnce(&mut World) -> Draft) {
    let mut world = World::new();
    let draft = forge(&mut world);
    let seq = world.first.forge(draft);
    assert_broken(&world, &format!("1.0.{seq}: {words}"));
}
