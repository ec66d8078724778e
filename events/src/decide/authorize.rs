//! A person lets a client in: one decision from the login to the code.
//!
//! A fresh login starts a session or renews the one at hand; without one, the session must live and be
//! fresh enough. The code is given if the person has consented, now or before. Whatever comes of it is
//! appended together.

use super::{Decision, issue, login, sessions};
use crate::{
    Body, Draft, Refusal, Scope, State, Timestamp,
    body::{AssertionSpent, CodeIssued, ConsentGranted, SessionRenewed, SessionStarted},
    command::{Authentication, AuthorizationRequest, Authorize, Spend},
    envelope::GrantOf,
    state::Standing,
};

/// The scope that lets a grant outlive its session (OIDC Core §11).
const OFFLINE: &str = "offline_access";

/// The session that a code is given in.
struct Login {
    session: u64,
    auth_time: Timestamp,
    acr: String,
    amr: Vec<String>,
    until: Timestamp,
}

pub(super) fn authorize(state: &State, command: &Authorize, now: Timestamp) -> Result<Decision, Refusal> {
    if let Some(request) = &command.request {
        issue::caller_is_current(state, &request.caller)?;
    }
    may_log_in(state, command)?;
    let mut events: Vec<Draft> = Vec::new();
    let login = match &command.authentication {
        Some(authentication) => {
            let (login, event) = authenticated(state, command, authentication, now)?;
            events.push(event);
            login
        }
        None => remembered(state, command, now)?,
    };
    if let Some(request) = &command.request {
        match code(state, command, request, &login, now) {
            Ok(code) => events.extend(code),
            // Who has just logged in is logged in, whatever is still to be asked.
            Err(Refusal::ConsentRequired) if command.authentication.is_some() => {}
            Err(refusal) => return Err(refusal),
        }
    }
    if events.is_empty() {
        return Ok(Decision::nothing_to_do());
    }
    Ok(Decision { events, answer: super::Answer::Granted })
}

fn may_log_in(state: &State, command: &Authorize) -> Result<(), Refusal> {
    match state.subject(&command.subject).ok_or(Refusal::SubjectUnknown)?.standing {
        Standing::Active => Ok(()),
        Standing::Suspended => Err(Refusal::SubjectSuspended),
        Standing::Erased => Err(Refusal::SubjectErased),
    }
}

fn authenticated(
    state: &State,
    command: &Authorize,
    authentication: &Authentication,
    now: Timestamp,
) -> Result<(Login, Draft), Refusal> {
    login::may_try(state, &command.subject, now)?;
    if state.spent(&authentication.challenge.assertion).is_some() {
        return Err(Refusal::ChallengeSpent);
    }
    let (acr, amr) = (authentication.acr.clone(), authentication.amr.clone());
    let challenge = spent(&authentication.challenge);
    let held = command
        .session
        .and_then(|session| sessions::live(state, &command.subject, session, now).ok().map(|row| (session, row.until)));
    let (session, until, body) = if let Some((session, until)) = held {
        let body = SessionRenewed { session, acr: acr.clone(), amr: amr.clone(), spent: challenge };
        (session, until, Body::SessionRenewed(body))
    } else {
        let (idle, until) = (authentication.idle, now.after(authentication.lifetime));
        let body = SessionStarted { acr: acr.clone(), amr: amr.clone(), idle, until, spent: challenge };
        (state.head.next, until, Body::SessionStarted(body))
    };
    let login = Login { session, auth_time: now, acr, amr, until };
    Ok((login, Draft::of(body).about(Some(command.subject.clone()))))
}

fn remembered(state: &State, command: &Authorize, now: Timestamp) -> Result<Login, Refusal> {
    let session = command.session.ok_or(Refusal::LoginRequired)?;
    let row = sessions::live(state, &command.subject, session, now)?;
    let max_age = command.request.as_ref().and_then(|request| request.max_age);
    if max_age.is_some_and(|max_age| now > row.auth_time.after(max_age)) {
        return Err(Refusal::LoginRequired);
    }
    Ok(Login { session, auth_time: row.auth_time, acr: row.acr.clone(), amr: row.amr.clone(), until: row.until })
}

/// The consent, if it is new, and the code.
fn code(
    state: &State,
    command: &Authorize,
    request: &AuthorizationRequest,
    login: &Login,
    now: Timestamp,
) -> Result<Vec<Draft>, Refusal> {
    let scope = granted_scope(state, command, request)?;
    let client = &request.caller.client;
    if request.pushed.as_ref().is_some_and(|pushed| state.spent(&pushed.assertion).is_some()) {
        return Err(Refusal::RequestSpent);
    }
    let before = state.consent(&command.subject, client).map(|row| &row.scope);
    let wanted = scope.union(&request.implied);
    let is_covered = before.is_some_and(|before| wanted.is_within(before));
    if !request.consents && (request.ask_consent || !is_covered) {
        return Err(Refusal::ConsentRequired);
    }
    let about = |body| Draft::of(body).about(Some(command.subject.clone())).of_client(client.clone());
    let consent = (!is_covered).then(|| {
        let all = before.map_or_else(|| wanted.clone(), |before| before.union(&wanted));
        about(Body::ConsentGranted(ConsentGranted { scope: all }))
    });
    let offline = scope.contains(OFFLINE);
    let body = CodeIssued {
        session: login.session,
        redirect: request.redirect,
        scope,
        audience: request.audience.clone(),
        challenge: request.challenge,
        until: now.after(request.lifetime),
        claims: request.claims.clone(),
        acr: login.acr.clone(),
        amr: login.amr.clone(),
        auth_time: login.auth_time,
        spent: request.pushed.as_ref().map(spent),
        offline,
        logout: request.logout,
        session_until: login.until,
    };
    Ok(consent.into_iter().chain([about(Body::CodeIssued(body)).under(GrantOf::Itself)]).collect())
}

/// Requested ∩ client's; scope that is not understood is left out (OIDC Core §3.1.2.1), never replaced.
fn granted_scope(state: &State, command: &Authorize, request: &AuthorizationRequest) -> Result<Scope, Refusal> {
    let held = request.scope.intersection(&request.client_scope);
    let held = if request.may_refresh { held } else { held.without(OFFLINE) };
    let granted = issue::entitled(state, Some(&command.subject), &held);
    if granted.is_empty() { Err(Refusal::ScopeEmpty) } else { Ok(granted) }
}

fn spent(spend: &Spend) -> AssertionSpent {
    AssertionSpent { assertion: spend.assertion, until: spend.until }
}
