//! Each call of each request failing, before and after it was done: 503 or done, and repeating completes.

use super::{Directory, named};
use crate::memory::When;
use serde_json::{Value, json};

/// How long a claim whose bearer never came stays, in milliseconds, and a little.
const LONG_ENOUGH: u64 = 30_001;

/// A user with two unique names. Without a password: hashing one takes longer than all the rest.
fn ada() -> Value {
    let mut ada = super::ada();
    ada.as_object_mut().unwrap().remove("password");
    ada
}

/// Runs `try_it` with the nth call failing, for every n and both ways, on a directory made by `prepare`.
fn at_each_step<T>(prepare: impl Fn(&Directory) -> T, try_it: impl Fn(&Directory, &T, bool)) {
    for when in [When::Before, When::After] {
        for nth in 0.. {
            assert!(nth < 200, "the fault never misses");
            let directory = Directory::new();
            let prepared = prepare(&directory);
            directory.deployment.world.faults().fail(nth, when, false);
            try_it(&directory, &prepared, true);
            if !directory.deployment.world.faults().mend() {
                break;
            }
            try_it(&directory, &prepared, false);
        }
    }
}

/// V1: a creation that failed is completed by repeating it, or is found to have been done.
#[test]
fn a_creation_that_failed_anywhere_can_be_repeated() {
    at_each_step(
        |_| (),
        |directory, (), faulty| {
            if !faulty {
                directory.deployment.wait(LONG_ENOUGH);
            }
            let answer = directory.post(&ada());
            match (answer.status.as_u16(), faulty) {
                (201, _) | (503, true) | (409, false) => {}
                _ => panic!("{answer:?}"),
            }
            if !faulty {
                assert_eq!(directory.search("userName eq \"ada-canary\"").expect(200)["totalResults"], 1);
            }
        },
    );
}

#[test]
fn a_rename_that_failed_anywhere_can_be_repeated() {
    at_each_step(
        |directory| directory.create(&ada()),
        |directory, id, faulty| {
            let answer = directory.put(id, &named("countess"));
            match (answer.status.as_u16(), faulty) {
                (200, _) | (503, true) => {}
                _ => panic!("{answer:?}"),
            }
            if !faulty {
                directory.deployment.wait(LONG_ENOUGH);
                assert_ne!(&directory.create(&ada()), id);
                directory.post(&named("countess")).expect(409);
            }
        },
    );
}

/// V1, XG: a suspension is answered when it holds in the view, and can be repeated until it does.
#[test]
fn a_suspension_that_failed_anywhere_can_be_repeated() {
    use grantlog_events::state::Standing;
    at_each_step(
        |directory| directory.create(&ada()),
        |directory, id, faulty| {
            let answer = directory.patch(id, &json!([{ "op": "replace", "path": "active", "value": false }]));
            match (answer.status.as_u16(), faulty) {
                (200, _) => assert_eq!(directory.view(id).unwrap().standing, Standing::Suspended),
                (503, true) => {}
                _ => panic!("{answer:?}"),
            }
        },
    );
}

/// V1, E17: an erasure that failed is completed by repeating it: names, key, verifier and view are gone.
#[test]
fn an_erasure_that_failed_anywhere_can_be_repeated() {
    at_each_step(
        |directory| directory.create(&ada()),
        |directory, id, faulty| {
            let answer = directory.delete(id);
            match (answer.status.as_u16(), faulty) {
                (204 | 503, true) => {}
                (204 | 404, false) => {
                    assert_eq!(directory.view(id), None);
                    assert_ne!(&directory.create(&ada()), id);
                }
                _ => panic!("{answer:?}"),
            }
        },
    );
}

/// While the first claimant may still be on the way nobody can say whether the name is taken.
#[test]
fn a_name_whose_bearer_may_be_on_the_way_is_neither_free_nor_taken() {
    let mut pending = 0;
    for nth in 0..40 {
        let directory = Directory::new();
        directory.deployment.world.faults().fail(nth, When::Before, true);
        let first = directory.post(&named("ada"));
        directory.deployment.world.faults().mend();
        let second = directory.post(&named("ada")).status.as_u16();
        if first.status == 503 && second == 503 {
            pending += 1;
            directory.deployment.wait(LONG_ENOUGH);
            directory.create(&named("ada"));
        }
    }
    assert!(pending > 0);
}
