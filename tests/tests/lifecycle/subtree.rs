//! A revoked token takes what came from it along, and only that (X5, X6).

use grantlog_tests::{
    audit::Auditor,
    jwt, parallel,
    party::{Cast, SCOPE},
};

const FAN_OUT: usize = 20;

/// X5: the subtree is dead at depth three and a fan-out of twenty; siblings live.
#[test]
fn revoking_a_token_kills_its_whole_subtree_and_nothing_beside_it() {
    let cast = Cast::on_shared();
    let root = cast.first_token();
    let children = exchanged(&cast, &vec![root.as_str(); FAN_OUT]);
    let doomed = &children[0];
    let grandchildren = exchanged(&cast, &[doomed.as_str(); FAN_OUT]);
    let youngest = exchanged(&cast, &[grandchildren[0].as_str(); FAN_OUT]);
    assert_eq!(cast.backend.revoke(doomed).status, 200);
    for token in [doomed].into_iter().chain(&grandchildren).chain(&youngest) {
        cast.must_be_dead(&cast.backend, token);
    }
    cast.must_live(&cast.frontend, &root);
    for sibling in &children[1..] {
        cast.must_live(&cast.backend, sibling);
    }
    assert_eq!(cast.frontend.revoke(&root).status, 200);
    for token in &children {
        cast.must_be_dead(&cast.backend, token);
    }
}

/// X6: every ancestor counts, not the parent alone, at `/token`, `/introspect` and `/userinfo`.
#[test]
fn a_descendant_of_a_revoked_token_buys_nothing() {
    let cast = Cast::on_shared();
    let root = cast.first_token();
    let lineage = (0..5).fold(vec![root], |mut lineage, _| {
        lineage.push(cast.delegated(lineage.last().unwrap()));
        lineage
    });
    assert_eq!(cast.backend.revoke(&lineage[2]).status, 200);
    for (depth, token) in lineage.iter().enumerate() {
        let owner = if depth == 0 { &cast.frontend } else { &cast.backend };
        if depth < 2 { cast.must_live(owner, token) } else { cast.must_be_dead(owner, token) }
    }
}

/// Two logins are two grants: ending one leaves the other.
#[test]
fn revoking_one_login_leaves_another_of_the_same_person() {
    let cast = Cast::on_shared();
    let (one, other) = (cast.first_token(), cast.first_token());
    let child = cast.delegated(&other);
    assert_eq!(cast.frontend.revoke(&one).status, 200);
    cast.must_be_dead(&cast.frontend, &one);
    cast.must_live(&cast.frontend, &other);
    cast.must_live(&cast.backend, &child);
}

/// Whatever the order of a revocation and exchanges that race it, no child outlives its parent.
#[test]
fn no_exchange_that_races_a_revocation_leaves_a_living_child() {
    let cast = Cast::on_shared();
    for _ in 0..3 {
        let parent = cast.first_token();
        let moves: Vec<usize> = (0..16).collect();
        let children = parallel::each(8, &moves, |_, turn| {
            if *turn == 5 {
                assert_eq!(cast.frontend.revoke(&parent).status, 200);
                return None;
            }
            let answer = cast.backend.exchange(&parent).audience(&cast.service.issuer).send();
            assert!(matches!(answer.status, 200 | 400), "{answer:?}");
            (answer.status == 200).then(|| answer.access_token())
        });
        for child in children.into_iter().flatten() {
            cast.must_be_dead(&cast.backend, &child);
        }
    }
}

/// The log tells the lineage: ancestors oldest first, children, and the state of each.
#[test]
fn the_log_tells_a_tokens_family_and_how_it_ended() {
    let cast = Cast::on_shared();
    let (root, auditor) = (cast.first_token(), Auditor::of(&cast.service));
    let child = cast.delegated(&root);
    let grandchild = cast.impersonated(&child);
    let before = auditor.history(&jwt::jti(&grandchild));
    assert_eq!(before["state"], "active");
    assert_eq!(before["lineage"], serde_json::json!([jwt::jti(&root), jwt::jti(&child)]));
    assert_eq!(auditor.history(&jwt::jti(&root))["children"], serde_json::json!([jwt::jti(&child)]));
    assert_eq!(cast.frontend.revoke(&root).status, 200);
    let after = auditor.history(&jwt::jti(&grandchild));
    assert_eq!(after["state"], "revoked");
    assert!(after["revoked_at"].is_string() && after["reason"].is_string());
    let issued_at =
        before["events"].as_array().unwrap().iter().filter_map(|event| event["recorded_at"].as_str()).max().unwrap();
    assert_eq!(auditor.history_at(&jwt::jti(&grandchild), issued_at)["state"], "active");
    assert_eq!(auditor.history_at(&jwt::jti(&grandchild), after["revoked_at"].as_str().unwrap())["state"], "revoked");
}

fn exchanged(cast: &Cast, parents: &[&str]) -> Vec<String> {
    parallel::each(4, parents, |_, parent| {
        cast.backend.exchange(parent).audience(&cast.service.issuer).scope(SCOPE).token()
    })
}
