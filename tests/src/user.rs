//! People, as SCIM (RFC 7643, 7644) creates and changes them.

use crate::{Answer, Request, Service, random::unique};
use serde_json::{Value, json};

/// A person.
#[derive(Clone)]
pub struct User {
    service: Service,
    /// Their `sub`, which is their SCIM id.
    pub id: String,
    /// Their user name.
    pub name: String,
}

/// The media type of RFC 7644 §3.1.
pub const SCIM: &str = "application/scim+json";

impl User {
    /// A person with a name and an address of their own.
    #[must_use]
    #[track_caller]
    pub fn create(service: &Service) -> Self {
        Self::create_with(service, &Self::attributes(&unique()))
    }

    /// A person with these attributes.
    #[must_use]
    #[track_caller]
    pub fn create_with(service: &Service, attributes: &Value) -> Self {
        let answer = scim(service, "POST", "", &service.operator_token("scim"))
            .content(SCIM, attributes.to_string().into_bytes())
            .send();
        let answer = answer.expect(201);
        Self { service: service.clone(), id: answer.text("id"), name: answer.text("userName") }
    }

    /// Attributes for a person with every claim of OIDC Core §5.4, told apart by `mark`.
    #[must_use]
    pub fn attributes(mark: &str) -> Value {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
            "userName": format!("user-{mark}"),
            "name": { "givenName": format!("Given{mark}"), "familyName": format!("Family{mark}"), "formatted": format!("Given{mark} Family{mark}") },
            "emails": [{ "value": format!("{mark}@people.example"), "primary": true }],
            "phoneNumbers": [{ "value": "+4930123456", "primary": true }],
            "addresses": [{ "formatted": format!("{mark} Street 1"), "locality": "Berlin", "country": "DE", "primary": true }],
            "locale": "de-DE",
            "timezone": "Europe/Berlin",
            "active": true,
        })
    }

    /// A request about this person, with a token of the operator.
    #[must_use]
    pub fn request(&self, method: &str) -> Request {
        scim(&self.service, method, &format!("/{}", self.id), &self.service.operator_token("scim"))
    }

    /// Reads the person.
    #[must_use]
    pub fn read(&self) -> Answer {
        self.request("GET").send()
    }

    /// Replaces one attribute (RFC 7644 §3.5.2.3).
    #[must_use]
    pub fn patch(&self, path: &str, value: &Value) -> Answer {
        let operations = json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
            "Operations": [{ "op": "replace", "path": path, "value": value }],
        });
        self.request("PATCH").content(SCIM, operations.to_string().into_bytes()).send()
    }

    /// Suspends or resumes the person; stops the test if that is refused.
    #[track_caller]
    pub fn set_active(&self, active: bool) {
        let answer = self.patch("active", &json!(active));
        assert!(matches!(answer.status, 200 | 204), "changing `active` was refused: {answer:?}");
    }

    /// Erases the person.
    #[must_use]
    pub fn erase(&self) -> Answer {
        self.request("DELETE").send()
    }
}

/// A request to the users' endpoint.
#[must_use]
pub fn scim(service: &Service, method: &str, rest: &str, token: &str) -> Request {
    service.request(method, &service.url(&format!("/scim/v2/Users{rest}"))).bearer(token)
}
