//! Descent: a revoked token takes its subtree with it, and only that.

use crate::{
    revocation::{by_client, by_operator},
    sample::client,
    shard::{Shard, delegate, exchange, presented, signing},
};
use grantlog_events::{
    Refusal,
    command::{Exchange, Issue},
    decide::MAX_ANCESTORS,
    token::{Party, Presented},
};

fn children(shard: &mut Shard, of: &Presented, count: usize) -> Vec<Presented> {
    (0..count).map(|_| shard.exchanged(exchange(of))).collect()
}

/// X5: revoking a parent kills the subtree at depth 3 and fan-out 100; the siblings live.
#[test]
fn revoking_a_token_kills_its_whole_subtree_and_no_sibling() {
    let (mut shard, subject) = Shard::home();
    let root = shard.login(&subject);
    let [doomed, sibling] = [shard.exchanged(exchange(&root)), shard.exchanged(exchange(&root))];
    let fan = children(&mut shard, &doomed, 100);
    let depth_two = children(&mut shard, &fan[0], 2);
    let depth_three = children(&mut shard, &depth_two[1], 2);
    let cousins = children(&mut shard, &sibling, 3);
    shard.granted(by_operator(&doomed));
    assert_eq!(shard.inspect(&doomed), Err(Refusal::TokenRevoked));
    for dead in fan.iter().chain(&depth_two).chain(&depth_three) {
        assert_eq!(shard.inspect(dead), Err(Refusal::AncestorRevoked));
    }
    for alive in cousins.iter().chain([&root, &sibling]) {
        assert!(shard.lives(alive));
    }
}

/// X6: each ancestor is looked at, not the nearest alone.
#[test]
fn nothing_is_bought_with_a_descendant_of_a_revoked_token_whichever_ancestor_it_was() {
    for revoked in 0..4 {
        let (mut shard, subject) = Shard::home();
        let mut line = vec![shard.login(&subject)];
        for depth in 0..4 {
            let child = shard.exchanged(exchange(&line[depth]));
            line.push(child);
        }
        shard.granted(by_operator(&line[revoked]));
        assert_eq!(shard.refused(exchange(&line[4])), Refusal::AncestorRevoked);
        assert_eq!(shard.refused(exchange(&line[revoked])), Refusal::TokenRevoked);
        if let Some(above) = revoked.checked_sub(1) {
            shard.granted(exchange(&line[above]));
        }
    }
}

#[test]
fn ancestors_are_kept_oldest_first_and_the_grant_stays() {
    let (mut shard, subject) = Shard::home();
    let root = shard.login(&subject);
    let child = shard.exchanged(exchange(&root));
    let grandchild = shard.exchanged(exchange(&child));
    assert!(root.ancestors.is_empty());
    assert_eq!(root.grant, root.jti.address.seq);
    assert_eq!(grandchild.ancestors, [root.jti.address.seq, child.jti.address.seq]);
    assert_eq!(grandchild.grant, root.grant);
}

/// A chain is refused, never cut: a dropped ancestor could be the revoked one.
#[test]
fn the_thirty_second_ancestor_passes_and_the_next_is_refused() {
    let (mut shard, subject) = Shard::home();
    let mut token = shard.login(&subject);
    for _ in 0..MAX_ANCESTORS {
        token = shard.exchanged(exchange(&token));
    }
    assert_eq!(token.ancestors.len(), MAX_ANCESTORS);
    assert_eq!(shard.refused(exchange(&token)), Refusal::TooManyAncestors);
    assert!(shard.lives(&token));
}

/// V12, VA: the revocation of a parent is remembered as long as any token under it could live.
#[test]
fn no_descendant_outlives_the_memory_of_a_revocation() {
    let (mut shard, subject) = Shard::home();
    let root = shard.login(&subject);
    let child = shard.exchanged(Exchange { signing: signing(100_000), ..exchange(&root) });
    let event = shard.granted(by_operator(&root));
    let row = shard.state().revoked(&root.party, root.jti.address.seq).unwrap();
    assert_eq!(row.by, event.seq);
    assert!(row.until >= child.expires_at);
}

/// A machine token that changes hands goes on naming the client it was first issued to.
#[test]
fn the_sub_of_an_exchanged_machine_token_is_the_client_it_was_issued_to() {
    let (mut shard, _) = Shard::home();
    let token = shard.machine_token("batch");
    let by_other = shard.exchanged(exchange(&token));
    assert_eq!(by_other.party, Party::Client(client("batch")));
    let again = shard.exchanged(Exchange { caller: crate::shard::caller("third"), ..exchange(&by_other) });
    assert_eq!(again.party, Party::Client(client("batch")));
    let back = shard.exchanged(Exchange { caller: crate::shard::caller("batch"), ..exchange(&again) });
    assert_eq!((back.party, back.client), (Party::Client(client("batch")), client("batch")));
}

/// X5: a machine's subtree dies like a person's, though the tokens in it have other clients.
#[test]
fn revoking_a_machine_token_kills_what_others_exchanged_it_for() {
    let (mut shard, _) = Shard::home();
    let token = shard.machine_token("batch");
    let child = shard.exchanged(exchange(&token));
    let grandchild = shard.exchanged(Exchange { caller: crate::shard::caller("batch"), ..exchange(&child) });
    shard.granted(by_client(&child));
    assert_eq!(shard.inspect(&child), Err(Refusal::TokenRevoked));
    assert_eq!(shard.inspect(&grandchild), Err(Refusal::AncestorRevoked));
    assert!(shard.lives(&token));
}

/// What the root knew of the person's authentication, every descendant knows.
#[test]
fn acr_amr_and_auth_time_are_inherited() {
    let (mut shard, subject) = Shard::home();
    let root = Issue {
        subject: Some(subject),
        acr: Some("silver".to_owned()),
        amr: vec!["otp".to_owned()],
        auth_time: Some(shard.now),
        ..crate::shard::issue("app")
    };
    let root = shard.granted(root);
    let actor = shard.machine_token("robot");
    let child = shard.granted(delegate(&presented(&root), &actor));
    let (root, child) = (root.body.issued().unwrap(), child.body.issued().unwrap());
    assert_eq!((&child.acr, &child.amr, child.auth_time), (&root.acr, &root.amr, root.auth_time));
}
