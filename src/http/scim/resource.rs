//! A user as it is shown (RFC 7643 §3, §4.1): what was kept, with id, standing and times; never a password.

use super::MEDIA_TYPE;
use crate::http::{Response, answer};
use grantlog_events::{Subject, Timestamp};
use grantlog_projections::rendered::instant;
use http::{HeaderValue, StatusCode, header};
use serde_json::{Map, Value, json};

/// What is shown of one user.
#[derive(Clone)]
pub(super) struct Resource {
    pub(super) subject: Subject,
    pub(super) attributes: Map<String, Value>,
    pub(super) active: bool,
    pub(super) created_at: Timestamp,
    pub(super) changed_at: Timestamp,
}

impl Resource {
    /// The user, with a status.
    pub(super) fn respond(&self, status: StatusCode, issuer: &str) -> Response {
        let mut response = answer::with(status, MEDIA_TYPE, self.to_json(issuer).to_string().into_bytes());
        if status == StatusCode::CREATED
            && let Ok(location) = HeaderValue::from_str(&self.location(issuer))
        {
            response.headers_mut().insert(header::LOCATION, location);
        }
        response
    }

    fn location(&self, issuer: &str) -> String {
        format!("{issuer}/scim/v2/Users/{}", self.subject)
    }

    fn to_json(&self, issuer: &str) -> Value {
        let mut user = self.attributes.clone();
        user.insert("schemas".to_owned(), json!(["urn:ietf:params:scim:schemas:core:2.0:User"]));
        user.insert("id".to_owned(), self.subject.as_str().into());
        user.insert("active".to_owned(), self.active.into());
        let meta = json!({
            "resourceType": "User",
            "created": instant::format(self.created_at),
            "lastModified": instant::format(self.changed_at),
            "location": self.location(issuer),
        });
        user.insert("meta".to_owned(), meta);
        Value::Object(user)
    }
}

/// A list of none or one (RFC 7644 §3.4.2).
pub(super) fn list(found: Option<&Resource>, issuer: &str) -> Response {
    let resources: Vec<Value> = found.into_iter().map(|resource| resource.to_json(issuer)).collect();
    let body = json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
        "totalResults": resources.len(),
        "startIndex": 1,
        "itemsPerPage": resources.len(),
        "Resources": resources,
    });
    answer::with(StatusCode::OK, MEDIA_TYPE, body.to_string().into_bytes())
}
