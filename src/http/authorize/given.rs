//! The one call to the person's home: session, consent and code, decided together.

use super::{
    asked::{Asked, Prompt},
    cookie::BrowserSession,
};
use crate::{
    authorization_code::{AuthorizationCode, Carried},
    http::{
        Stop, client,
        stop::odd_reply,
        token::{Outcome, call},
    },
    ports::World,
};
use grantlog_events::{
    Body, Digest, Event, Place, Refusal, Seconds, Subject,
    client::GrantType,
    command::{Authentication, AuthorizationRequest, Authorize, Caller},
};
use grantlog_projections::client::ClientView;
use std::rc::Rc;

/// How long a code is good.
const CODE_LIFETIME: Seconds = Seconds(60);

/// What the home gave.
pub(super) enum Given {
    /// A code.
    Code(String),
    /// None; the client as it was known last.
    Refused(Rc<ClientView>, Refusal),
}

/// Asks for a code in a session.
pub(super) async fn in_session<W: World>(
    world: &W,
    client: Rc<ClientView>,
    asked: &Asked,
    session: &BrowserSession,
    consents: bool,
) -> Result<Given, Stop> {
    let command = Authorize {
        subject: session.subject.clone(),
        session: Some(session.seq),
        authentication: None,
        request: Some(request(world, &client, asked, consents)),
    };
    let (client, outcome) = ask(world, session.place, client, command).await?;
    match outcome {
        Outcome::Granted(events) => match events.iter().find(|event| matches!(event.body, Body::CodeIssued(_))) {
            Some(event) => code_of(world, event, asked).map(Given::Code),
            None => Err(odd_reply()),
        },
        Outcome::Refused(refusal) => Ok(Given::Refused(client, refusal)),
    }
}

/// What came of a login.
pub(super) struct LoggedIn {
    pub(super) session: u64,
    /// Absent if the client asked for none, or the person is still to consent.
    pub(super) code: Option<String>,
}

/// Logs a person in and, if a client asks and may have it, gives it a code in the same decision.
pub(super) async fn by_login<W: World>(
    world: &W,
    place: Place,
    subject: Subject,
    held: Option<u64>,
    authentication: Authentication,
    asking: Option<(Rc<ClientView>, &Asked)>,
) -> Result<Result<LoggedIn, Refusal>, Stop> {
    let mut command = Authorize { subject, session: held, authentication: Some(authentication), request: None };
    let outcome = match asking.clone() {
        Some((client, asked)) => {
            command.request = Some(request(world, &client, asked, false));
            ask(world, place, client, command).await?.1
        }
        None => call(world, place, command).await?,
    };
    let events = match outcome {
        Outcome::Granted(events) => events,
        Outcome::Refused(refusal) => return Ok(Err(refusal)),
    };
    let session = events.iter().find_map(|event| match &event.body {
        Body::SessionStarted(_) => Some(event.seq),
        Body::SessionRenewed(renewed) => Some(renewed.session),
        _ => None,
    });
    let code = events.iter().find(|event| matches!(event.body, Body::CodeIssued(_)));
    let code = match (code, asking) {
        (Some(event), Some((_, asked))) => Some(code_of(world, event, asked)?),
        _ => None,
    };
    Ok(Ok(LoggedIn { session: session.ok_or_else(odd_reply)?, code }))
}

/// One call; a second only if the home knows a later client than the edge.
async fn ask<W: World>(
    world: &W,
    place: Place,
    mut client: Rc<ClientView>,
    mut command: Authorize,
) -> Result<(Rc<ClientView>, Outcome), Stop> {
    for _ in 0..2 {
        match call(world, place, command.clone()).await? {
            Outcome::Refused(Refusal::ClientViewStale) => {
                let later = client::registered(world, &client.client).await?.filter(|view| !view.deleted);
                let Some(later) = later else { return Ok((client, Outcome::Refused(Refusal::ClientDeleted))) };
                if let Some(request) = &mut command.request {
                    request.caller = caller(&later);
                    request.client_scope = later.metadata.scope.clone();
                }
                client = later;
            }
            outcome => return Ok((client, outcome)),
        }
    }
    Err(odd_reply())
}

fn caller(client: &ClientView) -> Caller {
    Caller { client: client.client.clone(), generation: client.generation }
}

fn request<W: World>(world: &W, client: &ClientView, asked: &Asked, consents: bool) -> AuthorizationRequest {
    let mut audience = asked.resources.clone();
    // A token that is to work at `/userinfo` is meant for us too.
    if audience.is_empty() || asked.scope.contains("openid") {
        audience.push(world.config().issuer.clone());
    }
    AuthorizationRequest {
        caller: caller(client),
        scope: asked.scope.clone(),
        client_scope: client.metadata.scope.clone(),
        redirect: Digest::of(asked.redirect_uri.as_bytes()).half(),
        challenge: asked.challenge,
        audience,
        claims: asked.userinfo_claims.clone(),
        max_age: asked.max_age,
        ask_consent: asked.wants(Prompt::Consent),
        consents,
        pushed: asked.pushed.clone(),
        may_refresh: client.metadata.grant_types.contains(&GrantType::RefreshToken),
        logout: client.metadata.backchannel_logout_uri.is_some(),
        lifetime: CODE_LIFETIME,
        implied: asked.implied_scope(),
    }
}

fn code_of<W: World>(world: &W, event: &Event, asked: &Asked) -> Result<String, Stop> {
    let Body::CodeIssued(issued) = &event.body else { return Err(odd_reply()) };
    let carried =
        Carried { nonce: asked.nonce.clone(), session: issued.session, claims: asked.id_token_claims.clone() };
    Ok(AuthorizationCode { jti: event.jti(), carried }.seal(world)?)
}
