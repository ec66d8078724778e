//! SCIM users over the whole HTTP layer, in memory.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod faults;
mod parallel;

use crate::http::tests::deployment::{Answer, ISSUER, NOW, SHARDS, Service};
use crate::shard::password_secret;
use grantlog_events::{Place, Stored, Subject};
use grantlog_projections::{rendered::instant, user::UserView};
use http::Method;
use serde_json::{Value, json};

const USERS: &str = "/scim/v2/Users";

fn ada() -> Value {
    json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
        "userName": "ada-canary",
        "name": { "givenName": "Ada-canary" },
        "emails": [{ "value": "ada-canary@example.org", "primary": true }],
        "password": "pw-canary",
    })
}

fn named(user_name: &str) -> Value {
    json!({ "userName": user_name })
}

/// The tests' directory: an operator with the scope `scim`.
struct Directory {
    deployment: Service,
    token: String,
}

impl Directory {
    fn new() -> Self {
        let deployment = Service::new();
        let token = deployment.operator("scim");
        Self { deployment, token }
    }

    fn post(&self, user: &Value) -> Answer {
        self.deployment.send(Method::POST, USERS, &self.token, Some(user))
    }

    fn create(&self, user: &Value) -> String {
        self.post(user).expect(201)["id"].as_str().unwrap().to_owned()
    }

    fn get(&self, id: &str) -> Answer {
        self.deployment.send(Method::GET, &format!("{USERS}/{id}"), &self.token, None)
    }

    fn put(&self, id: &str, user: &Value) -> Answer {
        self.deployment.send(Method::PUT, &format!("{USERS}/{id}"), &self.token, Some(user))
    }

    fn patch(&self, id: &str, operations: &Value) -> Answer {
        let body = json!({ "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], "Operations": operations });
        self.deployment.send(Method::PATCH, &format!("{USERS}/{id}"), &self.token, Some(&body))
    }

    fn delete(&self, id: &str) -> Answer {
        self.deployment.send(Method::DELETE, &format!("{USERS}/{id}"), &self.token, None)
    }

    fn search(&self, filter: &str) -> Answer {
        let filter = filter.replace(' ', "%20").replace('"', "%22");
        self.deployment.send(Method::GET, &format!("{USERS}?filter={filter}"), &self.token, None)
    }

    fn view(&self, id: &str) -> Option<UserView> {
        let bytes = crate::ports::World::views(&self.deployment.world).value(&format!("user:{id}"));
        bytes.map(|bytes| UserView::from_bytes(&bytes).unwrap())
    }

    fn verifier(&self, id: &str) -> Option<Vec<u8>> {
        let subject = Subject::parse(id).unwrap();
        let home = Place { epoch: subject.epoch(), shard: subject.home(SHARDS) };
        crate::shard::Store::secret(self.deployment.world.shard(home).store(), &password_secret(&subject)).unwrap()
    }
}

#[test]
fn a_created_user_is_shown_with_id_and_times_and_without_password() {
    let directory = Directory::new();
    let answer = directory.post(&ada());
    assert_eq!(answer.headers["content-type"], "application/scim+json");
    let location = answer.headers["location"].to_str().unwrap().to_owned();
    let user = answer.expect(201);
    let id = user["id"].as_str().unwrap();
    assert_eq!(location, format!("{ISSUER}{USERS}/{id}"));
    let meta = json!({
        "resourceType": "User", "location": location, "created": instant::format(NOW), "lastModified": instant::format(NOW),
    });
    assert_eq!(user["meta"], meta);
    assert_eq!(user["active"], true);
    assert!(user.get("password").is_none());
    assert_eq!(directory.get(id).expect(200), user);
    assert!(directory.verifier(id).unwrap().starts_with(b"$argon2id$v=19$m=19456,t=2,p=1$"));
}

#[test]
fn a_user_is_found_by_user_name_without_regard_to_case_and_by_nothing_else() {
    let directory = Directory::new();
    let id = directory.create(&ada());
    let found = directory.search("userName eq \"ADA-Canary\"").expect(200);
    assert_eq!((&found["totalResults"], &found["Resources"][0]["id"]), (&json!(1), &json!(id)));
    assert_eq!(directory.search("userName eq \"bob\"").expect(200)["Resources"], json!([]));
    for filter in
        ["", "emails eq \"x\"", "userName sw \"ada\"", "userName eq true", "userName eq \"a\" or active eq true"]
    {
        assert_eq!(directory.search(filter).expect(400)["scimType"], "invalidFilter", "{filter}");
    }
}

#[test]
fn user_names_and_primary_addresses_are_unique() {
    let directory = Directory::new();
    directory.create(&ada());
    let address = json!({ "userName": "bob", "emails": [{ "value": "ADA-canary@Example.org" }] });
    for taken in [named("Ada-Canary"), address] {
        let refused = directory.post(&taken).expect(409);
        assert_eq!((&refused["scimType"], &refused["status"]), (&json!("uniqueness"), &json!("409")));
        assert!(!refused.to_string().to_lowercase().contains("canary"));
    }
    // The user name that was claimed before the address was found taken is free again.
    let bob = directory.create(&named("bob"));
    assert_eq!(directory.put(&bob, &named("ada-canary")).expect(409)["scimType"], "uniqueness");
    assert_eq!(directory.get(&bob).expect(200)["userName"], "bob");
}

#[test]
fn a_rename_frees_the_old_name() {
    let directory = Directory::new();
    let id = directory.create(&named("ada"));
    assert_eq!(directory.put(&id, &named("countess")).expect(200)["userName"], "countess");
    assert_eq!(directory.search("userName eq \"ada\"").expect(200)["totalResults"], 0);
    assert_ne!(directory.create(&named("ada")), id);
    directory.post(&named("countess")).expect(409);
}

#[test]
fn a_replacement_keeps_the_password_and_drops_what_it_does_not_name() {
    let directory = Directory::new();
    let id = directory.create(&ada());
    let verifier = directory.verifier(&id);
    directory.deployment.wait(5_000);
    let user = directory.put(&id, &named("ada-canary")).expect(200);
    assert!(user.get("name").is_none());
    assert_ne!(user["meta"]["created"], user["meta"]["lastModified"]);
    assert_eq!(directory.verifier(&id), verifier);
    directory.patch(&id, &json!([{ "op": "replace", "path": "password", "value": "another" }])).expect(200);
    assert_ne!(directory.verifier(&id), verifier);
}

/// XG: the view shows a suspension when it is answered.
#[test]
fn a_suspended_user_is_suspended_in_the_view_until_active_again() {
    use grantlog_events::state::Standing;
    let directory = Directory::new();
    let id = directory.create(&ada());
    let suspended = directory.patch(&id, &json!([{ "op": "Replace", "path": "active", "value": "False" }])).expect(200);
    assert_eq!(suspended["active"], false);
    assert_eq!(suspended["name"]["givenName"], "Ada-canary");
    assert_eq!(directory.view(&id).unwrap().standing, Standing::Suspended);
    directory.patch(&id, &json!([{ "op": "replace", "value": { "active": true } }])).expect(200);
    assert_eq!(directory.view(&id).unwrap().standing, Standing::Active);
}

#[test]
fn a_change_without_active_does_not_end_a_suspension() {
    let directory = Directory::new();
    let id = directory.create(&ada());
    directory.patch(&id, &json!([{ "op": "replace", "path": "active", "value": false }])).expect(200);
    assert_eq!(
        directory.patch(&id, &json!([{ "op": "add", "path": "nickName", "value": "a" }])).expect(200)["active"],
        false
    );
}

/// Two who read the same person and change different things: neither undoes the other, least of all a suspension.
#[test]
fn changes_made_at_once_do_not_undo_one_another() {
    let directory = Directory::new();
    let id = directory.create(&ada());
    let patch = |operation: Value| {
        let body = json!({ "Operations": [operation] }).to_string();
        let request = ::http::Request::patch(format!("{USERS}/{id}"))
            .header("authorization", format!("Bearer {}", directory.token))
            .header("content-type", "application/scim+json");
        request.body(body.into_bytes()).unwrap()
    };
    let world = &directory.deployment.world;
    let suspend = patch(json!({ "op": "replace", "path": "active", "value": false }));
    let rename = patch(json!({ "op": "replace", "path": "nickName", "value": "countess" }));
    let both = async { futures_util::join!(crate::http::handle(world, suspend), crate::http::handle(world, rename)) };
    let (suspended, renamed) = crate::memory::finished(both);
    assert_eq!((suspended.status(), renamed.status()), (http::StatusCode::OK, http::StatusCode::OK));
    let user = directory.get(&id).expect(200);
    assert_eq!((&user["active"], &user["nickName"]), (&json!(false), &json!("countess")));
}

/// V7: ten thousand groups, brought in as many requests as their size takes, are in the one view.
#[test]
fn ten_thousand_groups_are_one_view() {
    let directory = Directory::new();
    let id = directory.create(&ada());
    for batch in 0..5 {
        let groups: Vec<Value> =
            (0..2_000).map(|number| json!({ "display": format!("g{}", batch * 2_000 + number) })).collect();
        directory.patch(&id, &json!([{ "op": "add", "path": "groups", "value": groups }])).expect(200);
    }
    assert_eq!(directory.get(&id).expect(200)["groups"].as_array().map(Vec::len), Some(10_000));
    let claims = directory.view(&id).unwrap().claims;
    let (_, groups) = claims.iter().find(|(scope, _)| scope == "groups").unwrap();
    assert!(groups.contains("\"g0\"") && groups.contains("\"g9999\""));
}

/// E17: erased means key, view, verifier and names; the name is free again.
#[test]
fn an_erased_user_is_gone_everywhere() {
    let directory = Directory::new();
    let id = directory.create(&ada());
    directory.delete(&id).expect(204);
    for gone in
        [directory.get(&id), directory.delete(&id), directory.put(&id, &ada()), directory.patch(&id, &json!([]))]
    {
        gone.expect(404);
    }
    assert_eq!(directory.view(&id), None);
    assert_eq!(directory.verifier(&id), None);
    assert_eq!(directory.search("userName eq \"ada-canary\"").expect(200)["totalResults"], 0);
    assert_ne!(directory.create(&ada()), id);
}

#[test]
fn an_id_that_names_nobody_is_404() {
    let directory = Directory::new();
    for id in ["x", "1-AAAAAAAAAAAAAAAAAAAAAA", "7-AAAAAAAAAAAAAAAAAAAAAA", "0-AAAAAAAAAAAAAAAAAAAAAA"] {
        let refused = directory.get(id).expect(404);
        assert_eq!(refused["schemas"], json!(["urn:ietf:params:scim:api:messages:2.0:Error"]), "{id}");
        directory.delete(id).expect(404);
    }
}

#[test]
fn another_scope_or_type_is_refused_and_nothing_is_written() {
    let directory = Directory::new();
    let admin = directory.deployment.operator("admin");
    directory.deployment.send(Method::POST, USERS, &admin, Some(&ada())).expect(403);
    let request = http::Request::post(USERS).header("authorization", format!("Bearer {}", directory.token));
    let request = request.header("content-type", "text/plain").body(ada().to_string().into_bytes()).unwrap();
    directory.deployment.handle(request).expect(415);
    directory.create(&ada());
}

/// E17: what a person told the directory is in no event, row, secret, note or report in clear.
#[test]
fn nothing_personal_is_in_clear_outside_the_view() {
    let directory = Directory::new();
    let id = directory.create(&ada());
    directory.post(&ada()).expect(409);
    directory.put(&id, &json!({ "userName": "new-canary", "name": { "familyName": "x-canary" } })).expect(200);
    let world = &directory.deployment.world;
    for place in world.places() {
        let shard = world.shard(place);
        let events = crate::shard::Store::events_from(shard.store(), 0, 1000).unwrap();
        let rows = crate::shard::Store::rows_under(shard.store(), "").unwrap();
        for bytes in events.iter().chain(rows.iter().map(|(_, bytes)| bytes)) {
            assert!(!String::from_utf8_lossy(bytes).contains("canary"), "{place:?}");
        }
    }
    assert!(!world.notes().join("\n").contains("canary"));
}
