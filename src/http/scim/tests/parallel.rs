//! Many at once: no client ever sees that others were writing too, but as the answer that it means (E2).

use super::{Directory, USERS, named};
use crate::{
    http::scim::{Person, claims, names::Name},
    memory::finished,
    ports::World,
};
use futures_util::future::join_all;
use http::Method;
use serde_json::{Value, json};

impl Directory {
    /// Sends each so many steps later than the one before; answers with the statuses in the same order.
    fn one_after(&self, steps: u32, requests: impl IntoIterator<Item = (Method, String, Value)>) -> Vec<u16> {
        let handled = (0_u32..).zip(requests).map(|(nth, (method, path, body))| {
            let request = ::http::Request::builder()
                .method(method)
                .uri(path)
                .header("authorization", format!("Bearer {}", self.token))
                .header("content-type", "application/scim+json");
            let request = request.body(body.to_string().into_bytes()).unwrap();
            async move {
                for _ in 0..nth * steps {
                    self.deployment.world.pause(0).await;
                }
                crate::http::handle(&self.deployment.world, request).await.status().as_u16()
            }
        });
        finished(join_all(handled))
    }

    fn create_at_once(&self, users: impl IntoIterator<Item = Value>) -> Vec<u16> {
        self.one_after(0, users.into_iter().map(|user| (Method::POST, USERS.to_owned(), user)))
    }

    fn replace(&self, steps: u32, id: &str, users: impl IntoIterator<Item = Value>) -> Vec<u16> {
        self.one_after(steps, users.into_iter().map(|user| (Method::PUT, format!("{USERS}/{id}"), user)))
    }
}

fn count(statuses: &[u16], wanted: u16) -> usize {
    statuses.iter().filter(|status| **status == wanted).count()
}

/// E2: one gets the name, and everybody else is told that it is taken.
#[test]
fn of_many_creations_with_one_user_name_one_succeeds_and_the_others_conflict() {
    let directory = Directory::new();
    let statuses = directory.create_at_once((0..16).map(|_| named("ada")));
    assert_eq!((count(&statuses, 201), count(&statuses, 409)), (1, 15), "{statuses:?}");
    assert_eq!(directory.search("userName eq \"ada\"").expect(200)["totalResults"], 1);
}

/// Whoever does not get the address gives the user name back.
#[test]
fn of_many_creations_with_one_address_one_succeeds_and_no_user_name_is_lost() {
    let directory = Directory::new();
    let with_address =
        |number: u32| json!({ "userName": format!("ada-{number}"), "emails": [{ "value": "ada@example.org" }] });
    let statuses = directory.create_at_once((0..8).map(with_address));
    assert_eq!((count(&statuses, 201), count(&statuses, 409)), (1, 7), "{statuses:?}");
    for (number, status) in statuses.iter().enumerate() {
        let expected = if *status == 201 { 409 } else { 201 };
        directory.post(&named(&format!("ada-{number}"))).expect(expected);
    }
}

#[test]
fn many_replacements_of_one_person_at_once_all_succeed_or_conflict() {
    let directory = Directory::new();
    let id = directory.create(&named("ada"));
    let statuses =
        directory.replace(0, &id, (0..10).map(|number| json!({ "userName": "ada", "nickName": number.to_string() })));
    assert!(count(&statuses, 200) >= 2 && count(&statuses, 200) + count(&statuses, 409) == 10, "{statuses:?}");
}

/// Two requests may rely on one claim, and the one that made it may come too late: the name stays its bearer's alone.
#[test]
fn a_name_that_a_person_comes_to_bear_by_many_requests_is_theirs_alone() {
    for steps in 0..40 {
        let directory = Directory::new();
        let id = directory.create(&named("ada"));
        // The first claims one name more, so that the second may overtake it.
        let slow = json!({ "userName": "countess", "emails": [{ "value": "countess@example.org" }] });
        let statuses = directory.replace(steps, &id, [slow, named("countess")]);
        assert!(statuses.iter().all(|status| matches!(status, 200 | 409)), "{statuses:?}");
        assert_eq!(directory.post(&named("countess")).status, 409, "{steps} steps between");
        directory.post(&named("ada")).expect(201);
    }
}

#[test]
fn a_name_given_up_and_taken_back_meanwhile_is_not_free() {
    let with_address = |name: &str| json!({ "userName": name, "emails": [{ "value": "ada@example.org" }] });
    for steps in 0..40 {
        let directory = Directory::new();
        let id = directory.create(&with_address("ada"));
        let statuses = directory.replace(steps, &id, [named("countess"), with_address("countess")]);
        assert!(statuses.iter().all(|status| matches!(status, 200 | 409)), "{statuses:?}");
        let kept = directory.get(&id).expect(200).get("emails").is_some();
        let expected = if kept { 409 } else { 201 };
        assert_eq!(directory.post(&with_address("other")).status, expected, "{steps} steps between");
    }
}

/// Between the change that gave a name up and its release, another change may have brought it back.
#[test]
fn a_name_that_is_borne_again_when_it_is_given_up_is_claimed_again() {
    let directory = Directory::new();
    let (id, world) = (directory.create(&named("ada")), &directory.deployment.world);
    let given_up = async {
        let (person, ring) = Person::find(world, &id).await.unwrap();
        let name = Name::of_user(world.config(), "ada").unwrap();
        claims::give_up(world, &ring, &[name], &person).await.unwrap();
    };
    finished(given_up);
    directory.post(&named("ada")).expect(409);
}
