//! XG: a person who is suspended, and a client that is deleted, take every living token along at once.
//!
//! `/userinfo` may lag within its stated bound; on one machine nothing is between the views and it.

use grantlog_tests::{
    Registration, User,
    audit::Auditor,
    jwt,
    party::{Cast, SCOPE},
};
use serde_json::json;
use std::{thread, time::Duration};

/// XG: the user is suspended.
#[test]
fn a_suspended_persons_tokens_are_refused_everywhere_and_work_again_when_they_return() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    let child = cast.delegated(&first);
    cast.user.set_active(false);
    cast.must_be_dead(&cast.frontend, &first);
    cast.must_be_dead(&cast.backend, &child);
    cast.frontend
        .present(&cast.login.assertion(&cast.service.issuer, &cast.user.id), SCOPE)
        .must_refuse(400, "invalid_grant");
    cast.user.set_active(true);
    cast.must_live(&cast.frontend, &cast.first_token());
}

/// XG: suspending one person is nobody else's business.
#[test]
fn suspending_one_person_leaves_the_others() {
    let cast = Cast::on_shared();
    let other = User::create(&cast.service);
    let token = cast.first_token();
    other.set_active(false);
    cast.must_live(&cast.frontend, &token);
}

/// XG: the client is deleted and its tokens die; what another client exchanged from them is that client's.
#[test]
fn a_deleted_clients_tokens_are_refused_everywhere() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    let child = cast.delegated(&first);
    assert_eq!(cast.frontend.manage("DELETE").send().status, 204);
    cast.backend.introspect(&first).must_be_inactive();
    cast.backend.exchange(&first).send().must_refuse(400, "invalid_request");
    cast.service.userinfo(&first).send().must_challenge(401, "invalid_token");
    cast.must_live(&cast.backend, &child);
    let assertion = cast.login.assertion(&cast.service.issuer, &cast.user.id);
    cast.frontend.present(&assertion, SCOPE).must_refuse(401, "invalid_client");
    cast.frontend.introspect(&first).must_refuse(401, "invalid_client");
    cast.frontend.manage("GET").send().must_challenge(401, "invalid_token");
}

/// XG: the exchanger is deleted; what it got dies, what it was given lives.
#[test]
fn deleting_an_exchanger_kills_what_it_obtained_and_not_what_it_was_shown() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    let child = cast.delegated(&first);
    assert_eq!(cast.backend.manage("DELETE").send().status, 204);
    cast.service.userinfo(&child).send().must_challenge(401, "invalid_token");
    assert!(cast.frontend.introspect(&first).is_active());
    assert_eq!(cast.service.userinfo(&first).send().status, 200);
}

/// XG: the actor's client is deleted; it acts no more.
#[test]
fn a_deleted_actor_acts_no_more() {
    let cast = Cast::on_shared();
    let actor = cast.actor.own_token("openid");
    assert_eq!(cast.actor.manage("DELETE").send().status, 204);
    cast.backend.exchange(&cast.first_token()).actor(&actor).send().must_refuse(400, "invalid_request");
}

/// V10: a token ends at its own `exp`, to the second; what came from it does not outlive it.
#[test]
fn an_expired_token_and_its_child_are_dead_everywhere() {
    let cast = Cast::on_shared();
    let brief = Registration::frontend("brief", &cast.login).scope(SCOPE).lifetime(5).register(&cast.service);
    let token = brief.token_for(&cast.login, &cast.user.id, SCOPE);
    let child = cast.delegated(&token);
    let jti = jwt::jti(&token);
    let auditor = Auditor::of(&cast.service);
    let alive = auditor.history(&jti);
    assert_eq!(alive["state"], "active");
    thread::sleep(Duration::from_millis(5_200));
    cast.must_be_dead(&brief, &token);
    cast.must_be_dead(&cast.backend, &child);
    assert_eq!(brief.revoke(&token).status, 200, "RFC 7009 §2.2");
    assert_eq!(auditor.history(&jti)["state"], "expired");
    let issued_at = alive["issued_at"].as_str().unwrap();
    assert_eq!(auditor.history_at(&jti, issued_at)["state"], "active");
}

/// Erasure (DESIGN §9): tokens die, the name is free, nothing of the person is told.
#[test]
fn an_erased_person_is_gone_and_their_name_is_free() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    assert_eq!(cast.user.erase().status, 204);
    cast.must_be_dead(&cast.frontend, &token);
    assert_eq!(cast.user.read().status, 404);
    assert_eq!(cast.user.erase().status, 404);
    cast.frontend
        .present(&cast.login.assertion(&cast.service.issuer, &cast.user.id), SCOPE)
        .must_refuse(400, "invalid_grant");
    let heir = User::create_with(&cast.service, &json!({ "userName": cast.user.name }));
    assert_ne!(heir.id, cast.user.id);
}
