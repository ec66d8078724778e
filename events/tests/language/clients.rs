//! Clients in the registry: generations, and who may widen.

use crate::{
    sample::{client, metadata, relying_party, scope},
    shard::{Shard, open_policy},
};
use grantlog_events::{
    Place, Refusal, Seconds,
    client::{Admitted, AuthenticationMethod, ClientMetadata, ExchangePolicy, GrantType},
    command::{ConfirmClientChange, DeleteClient, RegisterClient, RevokeClientTokens, UpdateClient},
    decide::Answer,
    state::RegisteredRow,
};

fn registry() -> Shard {
    let mut registry = Shard::born(Place::REGISTRY);
    registry.granted(RegisterClient { client: client("app"), metadata: metadata() });
    registry
}

fn update(metadata: ClientMetadata, may_widen: bool) -> UpdateClient {
    UpdateClient { client: client("app"), metadata, secret_replaced: false, may_widen }
}

fn confirm(generation: u64) -> ConfirmClientChange {
    ConfirmClientChange { client: client("app"), generation, positions: vec![(Place { epoch: 1, shard: 0 }, 7)] }
}

fn revoke() -> RevokeClientTokens {
    RevokeClientTokens { client: client("app"), reason: "leaked".to_owned() }
}

fn row(registry: &Shard) -> RegisteredRow {
    registry.state().registered(&client("app")).unwrap().clone()
}

#[test]
fn a_client_id_is_taken_for_good() {
    let mut registry = registry();
    let again = RegisterClient { client: client("app"), metadata: metadata() };
    assert_eq!(registry.refused(again.clone()), Refusal::ClientExists);
    registry.granted(DeleteClient { client: client("app") });
    assert_eq!(registry.refused(again), Refusal::ClientExists);
}

#[test]
fn every_change_is_a_new_generation() {
    let mut registry = registry();
    assert_eq!(row(&registry).generation, 0);
    registry.granted(update(metadata(), false));
    registry.granted(revoke());
    let deletion = registry.granted(DeleteClient { client: client("app") });
    assert_eq!((row(&registry).generation, row(&registry).changed), (3, deletion.seq));
    assert_eq!(registry.writes_nothing(DeleteClient { client: client("app") }), Answer::Stands(deletion.seq));
    assert_eq!(registry.refused(update(metadata(), true)), Refusal::ClientUnknown);
    assert_eq!(registry.refused(revoke()), Refusal::ClientUnknown);
}

#[test]
fn nothing_can_be_done_to_a_client_that_is_not_registered() {
    let mut registry = Shard::born(Place::REGISTRY);
    assert_eq!(registry.refused(update(metadata(), true)), Refusal::ClientUnknown);
    assert_eq!(registry.refused(DeleteClient { client: client("app") }), Refusal::ClientUnknown);
    assert_eq!(registry.refused(confirm(1)), Refusal::ClientUnknown);
}

fn with_policy(change: impl FnOnce(&mut ExchangePolicy)) -> ClientMetadata {
    let mut metadata = metadata();
    metadata.token_exchange.iter_mut().for_each(|policy| *policy = open_policy());
    let mut policy = metadata.token_exchange.take().unwrap();
    (policy.impersonation, policy.actors) = (false, Admitted::Only(vec![client("printer")]));
    policy.subject_clients = Admitted::Only(vec![client("a"), client("b")]);
    change(&mut policy);
    ClientMetadata { token_exchange: Some(policy), ..metadata }
}

/// A client narrows itself; widening needs `client:register`.
#[test]
fn widening_needs_an_operator() {
    let base = with_policy(|_| ());
    let widened = [
        ClientMetadata { scope: scope("openid profile admin"), ..base.clone() },
        ClientMetadata { grant_types: vec![GrantType::JwtBearer], ..base.clone() },
        ClientMetadata { authentication: AuthenticationMethod::SecretBasic, ..base.clone() },
        ClientMetadata { authentication: AuthenticationMethod::None, ..base.clone() },
        ClientMetadata { userinfo_from_log: false, ..base.clone() },
        ClientMetadata { access_token_lifetime: Some(Seconds(86_400)), ..base.clone() },
        ClientMetadata { refresh_token_lifetime: Some(Seconds(86_400)), ..base.clone() },
        ClientMetadata {
            assertion_issuers: base
                .assertion_issuers
                .iter()
                .cloned()
                .map(|mut i| {
                    i.jwks.push(' ');
                    i
                })
                .collect(),
            ..base.clone()
        },
        with_policy(|policy| policy.impersonation = true),
        with_policy(|policy| policy.refresh_token = true),
        with_policy(|policy| policy.audiences.push("more".to_owned())),
        with_policy(|policy| policy.resources.push("https://more.example".to_owned())),
        with_policy(|policy| policy.actors = Admitted::Any),
        with_policy(|policy| policy.actors = Admitted::Only(vec![client("printer"), client("scanner")])),
        with_policy(|policy| policy.subject_clients = Admitted::Any),
    ];
    for metadata in widened {
        let mut registry = registry();
        registry.granted(update(base.clone(), true));
        assert_eq!(registry.refused(update(metadata.clone(), false)), Refusal::ChangeWidensRights, "{metadata:?}");
        assert_eq!(row(&registry).metadata, base);
        registry.granted(update(metadata, true));
    }
}

/// Whoever knows people by pairwise subjects (OIDC Core §8.1) comes to know them by no other by itself.
#[test]
fn a_client_for_people_widens_itself_no_more_than_another() {
    let base = ClientMetadata {
        resources: vec!["https://api.example/".to_owned()],
        require_pushed: true,
        sector: Some("app.example".to_owned()),
        refresh_token_lifetime: Some(Seconds(3_600)),
        ..relying_party()
    };
    let sector = |sector: &str| ClientMetadata { sector: Some(sector.to_owned()), ..base.clone() };
    let more = vec!["https://api.example/".to_owned(), "https://more.example/".to_owned()];
    let widened = [
        ClientMetadata { resources: more, ..base.clone() },
        ClientMetadata { require_pushed: false, ..base.clone() },
        ClientMetadata { sector: None, ..base.clone() },
        sector("other.example"),
        ClientMetadata { refresh_token_lifetime: Some(Seconds(3_601)), ..base.clone() },
        ClientMetadata { refresh_token_lifetime: None, ..base.clone() },
    ];
    for metadata in widened {
        assert!(metadata.widens(&base), "{metadata:?}");
    }
    let free = [
        ClientMetadata { resources: Vec::new(), ..base.clone() },
        ClientMetadata { id_token_alg: None, userinfo_alg: None, default_max_age: None, ..base.clone() },
        ClientMetadata { post_logout_redirect_uris: Vec::new(), backchannel_logout_uri: None, ..base.clone() },
        ClientMetadata { native: !base.native, about: None, ..base.clone() },
        ClientMetadata { sector_identifier_uri: Some("https://app.example/list".to_owned()), ..base.clone() },
    ];
    for metadata in free {
        assert!(!metadata.widens(&base), "{metadata:?}");
    }
    assert!(!sector("app.example").widens(&ClientMetadata { sector: None, ..base.clone() }), "less is known than was");
}

#[test]
fn narrowing_and_renaming_need_nobody() {
    let base = ClientMetadata { access_token_lifetime: Some(Seconds(300)), ..with_policy(|_| ()) };
    let narrowed = [
        ClientMetadata { scope: scope("profile"), ..base.clone() },
        ClientMetadata { grant_types: Vec::new(), ..base.clone() },
        ClientMetadata { name: None, redirect_uris: Vec::new(), jwks: None, ..base.clone() },
        ClientMetadata { access_token_lifetime: Some(Seconds(1)), ..base.clone() },
        ClientMetadata { assertion_issuers: Vec::new(), ..base.clone() },
        ClientMetadata { token_exchange: None, ..base.clone() },
        with_policy(|policy| policy.audiences.truncate(1)),
        with_policy(|policy| policy.actors = Admitted::Only(Vec::new())),
        with_policy(|policy| policy.subject_clients = Admitted::Only(vec![client("b")])),
    ];
    for metadata in narrowed {
        let mut registry = registry();
        registry.granted(update(base.clone(), true));
        registry.granted(update(metadata.clone(), false));
        assert_eq!(row(&registry).metadata, metadata);
    }
    let mut registry = registry();
    registry.granted(update(ClientMetadata { token_exchange: None, ..base.clone() }, false));
    assert_eq!(registry.refused(update(base, false)), Refusal::ChangeWidensRights, "what was given up is not kept");
}

#[test]
fn a_change_is_confirmed_once_and_an_overtaken_one_never() {
    let mut registry = registry();
    registry.granted(update(metadata(), false));
    registry.granted(confirm(1));
    assert_eq!(registry.writes_nothing(confirm(1)), Answer::NothingToDo);
    registry.granted(update(metadata(), false));
    registry.granted(update(metadata(), false));
    assert_eq!(registry.writes_nothing(confirm(2)), Answer::NothingToDo);
    assert_eq!(row(&registry).confirmed, 1);
    assert_eq!(registry.writes_nothing(confirm(4)), Answer::NothingToDo);
    registry.granted(confirm(3));
    assert_eq!(row(&registry).confirmed, 3);
}

/// V12: a revocation that some shard has not heard yet travels with the next change, so none misses it.
#[test]
fn an_unconfirmed_revocation_travels_with_the_next_change_and_a_confirmed_one_does_not() {
    let mut registry = registry();
    registry.granted(revoke());
    registry.granted(update(metadata(), false));
    assert!(row(&registry).revoke_tokens, "generation 1 was never confirmed");
    registry.granted(confirm(2));
    assert_eq!(row(&registry).dead_through, [(Place { epoch: 1, shard: 0 }, 7)]);
    registry.granted(update(metadata(), false));
    assert!(!row(&registry).revoke_tokens);
    registry.granted(confirm(3));
    assert_eq!(row(&registry).dead_through, [(Place { epoch: 1, shard: 0 }, 7)]);
}
