//! Which events touch a token without ending it: refusals that name it, exchanges from it or from its
//! descendants, exchanges in which it acted, changes of its person's standing.

use super::ending::same_client;
use grantlog_events::{Body, Event};

pub(super) fn touches(event: &Event, token: &Event) -> bool {
    let descends = |seq: u64| seq == token.seq;
    match &event.body {
        Body::TokenDelegated(_) | Body::TokenImpersonated(_) | Body::TokenRefreshed(_) => {
            event.ancestors.iter().any(|seq| descends(*seq)) || acts_in(token, event)
        }
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
        | Body::CodeRedeemed(_)
        | Body::RefreshReplayed(_)
        | Body::RefreshRefused(_) => false,
    }
}

fn acts_in(token: &Event, exchange: &Event) -> bool {
    let jti = token.jti();
    exchange.actors.iter().any(|actor| actor.jti == jti)
}
