//! `POST /login`: who gives the right password is let in, in three calls: name, home, append.
//!
//! Whoever does not learns nothing of why: an unknown name costs the same calls and the same hash. Wrong
//! passwords are counted for the account, in its log, and for the address they come from, in memory.

use super::{
    challenge::SignIn,
    claims::ACR_PASSWORD,
    cookie::{self, BrowserSession},
    given::{self, LoggedIn},
    read,
    reply::{self, Complaint},
    shown,
};
use crate::{
    http::{
        Request, Response, Stop,
        page::Visit,
        scim::{password, sign_in},
        stop::odd_reply,
        token::call,
    },
    jose,
    pages::{LoginProblem, Trouble, form},
    ports::{Log, World},
    shard::{Ask, Query, Reply},
};
use grantlog_events::{
    Place, Refusal, Seconds, Subject,
    command::{Authentication, RefuseLogin},
    decide::ATTEMPTS_WINDOW,
};
use grantlog_projections::client::ClientView;
use std::rc::Rc;

/// The longest name and password that are looked at, in bytes.
const LONGEST: usize = 1_024;

/// The login page on the way to the person's own account.
pub(in crate::http) fn login_to_account<W: World>(visit: Visit<'_, W>) -> Result<Response, Stop> {
    shown::login(visit, None, None, None, None)
}

/// `POST /login`.
pub(in crate::http) async fn log_in<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let browser = cookie::browser(world, request);
    if browser.is_none() {
        return Err(visit.trouble(Trouble::CookieMissing));
    }
    let challenge = form.value(form::CHALLENGE).and_then(|text| SignIn::open(world, browser, text));
    let challenge = challenge.ok_or_else(|| visit.trouble(Trouble::SignInExpired))?;
    let client = match &challenge.asked {
        Some(asked) => Some(read::client_again(visit, asked).await?),
        None => None,
    };
    let (username, password) = (form.value(form::USERNAME), form.value(form::PASSWORD));
    let again = |problem| shown::login(visit, client.as_deref(), challenge.asked.clone(), username, Some(problem));
    if world.memory().throttle.is_closed(request, world.now()) {
        return again(LoginProblem::TooManyAttempts { wait: ATTEMPTS_WINDOW });
    }
    let person = proven(world, username.unwrap_or_default(), password.unwrap_or_default()).await?;
    let Some((subject, place)) = person else {
        world.memory().throttle.count(request, world.now());
        return again(LoginProblem::WrongCredentials);
    };
    let held = cookie::session(world, request).filter(|held| held.subject == subject && held.place == place);
    // Somebody else than was asked for is logged in, and the client gets nothing.
    let asking = client.clone().zip(challenge.asked.as_ref().filter(|asked| asked.is_about(&subject)));
    let how = authentication(world, &challenge);
    let came = given::by_login(world, place, subject.clone(), held.as_ref().map(|held| held.seq), how, asking).await?;
    match came {
        Ok(logged_in) => let_in(visit, client, challenge, &logged_in, held, (subject, place), username).await,
        Err(Refusal::ChallengeSpent) => Err(visit.trouble(Trouble::SignInExpired)),
        Err(Refusal::ScopeEmpty) => told(visit, &challenge, Complaint::InvalidScope),
        Err(Refusal::RequestSpent) => told(visit, &challenge, Complaint::InvalidRequestUri),
        Err(Refusal::ClientDeleted | Refusal::ClientUnknown) => Err(visit.trouble(Trouble::UnknownClient)),
        // While the account rests too: a right guess must look like a wrong one.
        Err(_) => again(LoginProblem::WrongCredentials),
    }
}

fn told<W: World>(visit: Visit<'_, W>, challenge: &SignIn, complaint: Complaint) -> Result<Response, Stop> {
    let asked = challenge.asked.as_ref().ok_or_else(odd_reply)?;
    Ok(reply::complaint(visit, asked, complaint, "The request cannot be granted."))
}

fn authentication<W: World>(world: &W, challenge: &SignIn) -> Authentication {
    Authentication {
        acr: ACR_PASSWORD.to_owned(),
        amr: vec!["pwd".to_owned()],
        challenge: challenge.spend(),
        idle: world.config().session_idle,
        lifetime: world.config().session_lifetime,
    }
}

async fn let_in<W: World>(
    visit: Visit<'_, W>,
    client: Option<Rc<ClientView>>,
    challenge: SignIn,
    logged_in: &LoggedIn,
    held: Option<BrowserSession>,
    (subject, place): (Subject, Place),
    username: Option<&str>,
) -> Result<Response, Stop> {
    let world = visit.world;
    let fresh_until = world.now().after(Seconds(world.config().session_lifetime.0));
    let until = held.filter(|held| held.seq == logged_in.session).map_or(fresh_until, |held| held.until);
    let session = BrowserSession { subject, place, seq: logged_in.session, until };
    let mut response = match (challenge.asked, client, &logged_in.code) {
        (Some(asked), _, _) if !asked.is_about(&session.subject) => {
            let sentence = "Somebody else logged in than was asked for.";
            reply::complaint(visit, &asked, Complaint::LoginRequired, sentence)
        }
        (Some(asked), _, Some(code)) => reply::code(visit, &asked, code.clone()),
        (Some(asked), Some(client), None) => {
            shown::consent(visit, &client, asked.after_login(), &session, username).await?
        }
        _ => reply::redirect(form::ACCOUNT),
    };
    cookie::set_session(world, &mut response, &session)?;
    Ok(response)
}

/// Who has this name and password. Two calls, and the third where it fails; the same whether or not the name exists.
async fn proven<W: World>(world: &W, username: &str, password: &str) -> Result<Option<(Subject, Place)>, Stop> {
    let ring = jose::ring::ring(world).await?;
    let is_short = username.len() <= LONGEST && password.len() <= LONGEST;
    let (username, password) = if is_short { (username, password) } else { ("", "") };
    let holder = sign_in::bearer(world, &ring, username).await?;
    let (subject, exists) = match holder {
        Some(subject) => (subject, true),
        None => (sign_in::nobody(world.config(), username)?, false),
    };
    let shards = ring.shards(subject.epoch()).ok_or_else(odd_reply)?;
    let place = Place { epoch: subject.epoch(), shard: subject.home(shards) };
    let reply = world.log().ask(place, &Ask::Read(Query::Password(subject.clone()))).await?;
    let Reply::Secret(verifier) = reply else { return Err(odd_reply()) };
    if password::is_right(verifier.as_ref().map(|verifier| verifier.0.as_slice()), password)? && exists {
        return Ok(Some((subject, place)));
    }
    // For nobody the home refuses this; it takes as long.
    call(world, place, RefuseLogin { subject }).await?;
    Ok(None)
}
