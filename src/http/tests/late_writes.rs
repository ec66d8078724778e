//! Writes of views that do not return: they hold nobody up, and what lands late is written over.

use super::deployment::{Client, Service};
use crate::{
    memory::finished,
    ports::{Views, World},
};
use grantlog_events::Subject;
use http::Method;
use serde_json::json;

const PUT_USER: &str = "views.put_user";

struct Stage {
    service: Service,
    app: Client,
    person: Subject,
}

impl Stage {
    fn new() -> Self {
        let service = Service::new();
        let (app, person) = (service.app(), service.person());
        finished(service.world.ring_alarms()).unwrap();
        Self { service, app, person }
    }

    /// A token that was revoked while nothing that writes the person's view returned.
    fn revoked_in_vain(&self) -> String {
        let token = self.service.login(&self.app, &self.person);
        self.service.world.faults().hang(PUT_USER);
        self.service.revoke(&self.app, &token).expect(503);
        self.service.world.faults().mend();
        token
    }

    /// The write that did not return lands now, on whatever is there.
    fn lands(&self, view: &[u8]) {
        finished(self.service.world.views().put_user(&self.person, Some(view))).unwrap();
    }

    fn view(&self) -> Vec<u8> {
        self.service.world.views().value(&format!("user:{}", self.person)).unwrap()
    }
}

#[test]
fn a_write_that_does_not_return_holds_up_neither_its_caller_nor_the_next() {
    let stage = Stage::new();
    let token = stage.revoked_in_vain();
    assert!(!stage.service.is_active(&stage.app, &token), "the event stands");
    let other = stage.service.login(&stage.app, &stage.person);
    stage.service.revoke(&stage.app, &other).expect(200);
    stage.service.userinfo(&other).expect(401);
    stage.service.userinfo(&token).expect(401);
}

/// E1: the projector does not move on while an old view may land on the new one.
#[test]
fn a_view_that_lands_late_is_written_over() {
    let stage = Stage::new();
    let old = stage.view();
    let token = stage.revoked_in_vain();
    assert!(finished(stage.service.world.ring_alarms()).is_err(), "it may still land");
    stage.service.userinfo(&token).expect(401);
    stage.lands(&old);
    stage.service.userinfo(&token).expect(200);
    stage.service.wait(29_999);
    assert!(finished(stage.service.world.ring_alarms()).is_err(), "it may still land");
    stage.service.userinfo(&token).expect(401);
    stage.lands(&old);
    stage.service.wait(1);
    finished(stage.service.world.ring_alarms()).unwrap();
    stage.service.userinfo(&token).expect(401);
}

/// The registry's writes too.
#[test]
fn a_clients_view_whose_write_does_not_return_holds_up_nobody() {
    let stage = Stage::new();
    let (service, client) = (&stage.service, stage.service.app());
    let path = format!("/register/{}", client.id);
    let mut metadata = service.app_metadata(&json!({ "client_id": client.id, "scope": "openid" }));
    metadata["client_name"] = "renamed".into();
    service.world.faults().hang("views.put_client");
    service.send(Method::PUT, &path, &client.token, Some(&metadata)).expect(503);
    service.world.faults().mend();
    metadata["client_name"] = "renamed again".into();
    service.send(Method::PUT, &path, &client.token, Some(&metadata)).expect(200);
    assert!(finished(service.world.ring_alarms()).is_err(), "it may still land");
    service.wait(30_000);
    finished(service.world.ring_alarms()).unwrap();
}
