//! `/par` (RFC 9126): the client itself brings the request and gets a `request_uri` for it.
//!
//! The URI is the request, sealed; nothing is stored. It is spent when the code is issued.

use super::{asked::Asked, read};
use crate::{
    http::{
        OAuthError, Request, Response, Stop, answer,
        client::{self, Accepts},
        form::Form,
        page::Visit,
        stop::because,
    },
    pages::Trouble,
    ports::World,
    sealed::{self, Purpose},
};
use grantlog_events::{Seconds, Timestamp, command::Spend, record};
use grantlog_projections::client::ClientView;
use http::StatusCode;
use serde_json::json;

/// What a `request_uri` of ours begins with (RFC 9126 §2.2).
const URN: &str = "urn:ietf:params:oauth:request_uri:";

/// How long a pushed request is good.
const GOOD_FOR: Seconds = Seconds(90);

record! {
    struct Pushed { 1 => id: [u8; 16], 2 => until: Timestamp, 3 => asked: Asked }
}

/// `POST /par`.
pub(in crate::http) async fn push<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let form = Form::of_body(request)?;
    let client = client::authenticate(world, request, &form, Accepts::Public).await?;
    if form.value("request_uri").is_some() {
        return because(OAuthError::InvalidRequest, "A pushed request has no request_uri.");
    }
    if form.value("client_id").is_none() {
        return because(OAuthError::InvalidRequest, "The parameter client_id is missing.");
    }
    let asked = read::pushed(world, &client.view, &form).await?;
    let mut id = [0; 16];
    id.iter_mut().zip(world.random()?).for_each(|(to, from)| *to = from);
    let pushed = Pushed { id, until: world.now().after(GOOD_FOR), asked };
    let sealed = sealed::seal(world, Purpose::Pushed, client.id().as_str().as_bytes(), &pushed)?;
    let body = json!({ "request_uri": format!("{URN}{sealed}"), "expires_in": GOOD_FOR.0 });
    Ok(answer::json_with(StatusCode::CREATED, &body))
}

pub(super) fn is_ours(uri: &str) -> bool {
    uri.starts_with(URN)
}

/// The request that a client pushed before.
pub(super) fn opened<W: World>(visit: Visit<'_, W>, client: &ClientView, uri: &str) -> Result<Asked, Stop> {
    let about = client.client.as_str().as_bytes();
    let sealed = uri.strip_prefix(URN).unwrap_or_default();
    let pushed: Option<Pushed> = sealed::open(visit.world.config(), Purpose::Pushed, about, sealed);
    match pushed.filter(|pushed| visit.world.now() < pushed.until) {
        Some(pushed) => {
            read::may_still_answer(visit, client, &pushed.asked)?;
            let spend = Spend { assertion: pushed.id, until: pushed.until };
            Ok(Asked { pushed: Some(spend), ..pushed.asked })
        }
        None => Err(visit.trouble(Trouble::SignInExpired)),
    }
}
