//! Which events touch a token without ending it: what led to it, refusals that name it, exchanges from it or
//! from its descendants, exchanges in which it acted, what became of the refresh token that came with it, its
//! answer given again, changes of its person's standing.

use super::ending::same_client;
use grantlog_events::{Body, Event, token::RefreshGranted};

/// Whether an earlier event led to the token: the session it dies with, the code, the token it was refreshed after.
pub(super) fn leads_to(event: &Event, token: &Event) -> bool {
    match &event.body {
        Body::SessionStarted(_) => token.body.issued().is_some_and(|issued| issued.session == Some(event.seq)),
        Body::CodeIssued(_) => token.grant == Some(event.seq),
        Body::CodeRedeemed(_) | Body::TokenRefreshed(_) | Body::TokenImpersonated(_) => precedes(event, token),
        _ => false,
    }
}

pub(super) fn touches(event: &Event, token: &Event) -> bool {
    let descends = |seq: u64| seq == token.seq;
    match &event.body {
        Body::TokenDelegated(_) | Body::TokenImpersonated(_) | Body::TokenRefreshed(_) => {
            event.ancestors.iter().any(|seq| descends(*seq)) || acts_in(token, event) || precedes(token, event)
        }
        Body::RefreshReplayed(replayed) => {
            descends(replayed.issued) || is_of(token, replayed.family, replayed.generation)
        }
        Body::RefreshRefused(refused) => is_of(token, refused.family, refused.generation),
        Body::ExchangeRefused(refused) => descends(refused.token),
        // A suspension that ends gives the token back its life.
        Body::SubjectUpdated(_) => event.subject.is_some() && event.subject == token.subject,
        Body::ClientChanged(_) => same_client(event, token),
        Body::ExchangeVoided(_)
        | Body::TokenRevoked(_)
        | Body::GrantRevoked(_)
        | Body::KeyDistrusted(_)
        | Body::SubjectErased(_)
        | Body::AttributesContinued(_)
        | Body::SubjectTokensRevoked(_)
        | Body::LogOpened(_)
        | Body::EpochOpened(_)
        | Body::LogBorn(_)
        | Body::ClientRegistered(_)
        | Body::ClientUpdated(_)
        | Body::ClientDeleted(_)
        | Body::ClientTokensRevoked(_)
        | Body::ClientChangeConfirmed(_)
        | Body::KeyPublished(_)
        | Body::KeyActivated(_)
        | Body::KeyRetired(_)
        | Body::KeyRemoved(_)
        | Body::KeyCompromised(_)
        | Body::KeyCompromiseConfirmed(_)
        | Body::AuditQueried(_)
        | Body::NameClaimed(_)
        | Body::NameReleased(_)
        | Body::SubjectCreated(_)
        | Body::TokenIssued(_)
        | Body::AssertionSpent(_)
        | Body::SessionStarted(_)
        | Body::SessionRenewed(_)
        | Body::SessionEnded(_)
        | Body::LoginRefused(_)
        | Body::LogoutDelivered(_)
        | Body::LogoutAbandoned(_)
        | Body::ConsentGranted(_)
        | Body::ConsentWithdrawn(_)
        | Body::CodeIssued(_)
        | Body::CodeRedeemed(_) => false,
    }
}

/// Whether `later` was refreshed with the refresh token that came with `earlier`, or came with the same one.
fn precedes(earlier: &Event, later: &Event) -> bool {
    let (Some(before), Some(after)) = (refresh(earlier), refresh(later)) else { return false };
    let follows = after.generation == before.generation || after.generation == before.generation + 1;
    matches!(later.body, Body::TokenRefreshed(_)) && after.family == before.family && follows
}

/// Whether the refresh token of this generation came with the token.
fn is_of(token: &Event, family: u64, generation: u64) -> bool {
    refresh(token).is_some_and(|held| held.family == family && held.generation == generation)
}

fn refresh(event: &Event) -> Option<&RefreshGranted> {
    event.body.issued().and_then(|issued| issued.refresh.as_ref())
}

fn acts_in(token: &Event, exchange: &Event) -> bool {
    let jti = token.jti();
    exchange.actors.iter().any(|actor| actor.jti == jti)
}
