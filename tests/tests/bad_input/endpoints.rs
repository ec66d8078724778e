//! The endpoints under attack, each with a request that would be good, and the form of its refusals.

use grantlog_tests::{Answer, Request, party::Cast};

/// The endpoints that take a body.
pub(crate) const WITH_BODY: [Endpoint; 6] =
    [Endpoint::Token, Endpoint::Introspect, Endpoint::Revoke, Endpoint::Register, Endpoint::Scim, Endpoint::Admin];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Token,
    Introspect,
    Revoke,
    Register,
    Scim,
    Admin,
}

impl Endpoint {
    pub(crate) fn takes_forms(self) -> bool {
        matches!(self, Self::Token | Self::Introspect | Self::Revoke)
    }

    pub(crate) fn content_type(self) -> &'static str {
        if self.takes_forms() { "application/x-www-form-urlencoded" } else { "application/json" }
    }

    /// An authenticated `POST` without a body.
    pub(crate) fn request(self, cast: &Cast, operator: &Operator) -> Request {
        let post = |path: &str| cast.service.post(path);
        let by_client = |path: &str| post(path).basic(&cast.backend.id, cast.backend.secret());
        match self {
            Self::Token => by_client("/token"),
            Self::Introspect => by_client("/introspect"),
            Self::Revoke => by_client("/revoke"),
            Self::Register => post("/register").bearer(&operator.register),
            Self::Scim => post("/scim/v2/Users").bearer(&operator.scim),
            Self::Admin => post("/admin/revocations").bearer(&operator.admin),
        }
    }
}

/// Tokens of the operator, had before anything is compared.
pub(crate) struct Operator {
    register: String,
    scim: String,
    admin: String,
}

impl Operator {
    pub(crate) fn of(cast: &Cast) -> Self {
        let service = &cast.service;
        Self {
            register: service.operator_token("client:register"),
            scim: service.operator_token("scim"),
            admin: service.operator_token("admin"),
        }
    }
}

/// Stops the test unless this is a 4xx that says what is wrong, as its endpoint's standard has it.
#[track_caller]
pub(crate) fn must_be_clean(what: &str, answer: &Answer) {
    assert!((400..500).contains(&answer.status), "{what}: expected a 4xx, got {answer:?}");
    let challenged = answer.header("www-authenticate");
    if answer.status == 401 && answer.body.is_empty() {
        assert!(
            challenged.starts_with("Bearer") || challenged.starts_with("Basic"),
            "{what}: 401 without a challenge: {answer:?}"
        );
        return;
    }
    let content_type = answer.header("content-type");
    if content_type.starts_with("application/scim+json") {
        let body = answer.json();
        assert_eq!(body["schemas"][0], "urn:ietf:params:scim:api:messages:2.0:Error", "{what}: {answer:?}");
        assert_eq!(body["status"], answer.status.to_string(), "{what}: {answer:?}");
        return;
    }
    assert!(
        content_type.starts_with("application/json") && answer.error().is_some(),
        "{what}: not in RFC form: {answer:?}"
    );
    assert!(answer.header("cache-control").contains("no-store"), "{what}: may be cached: {answer:?}");
}
