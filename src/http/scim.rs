//! People, as a directory provisions them: SCIM 2.0 users (RFC 7643, RFC 7644), scope `scim`.
//!
//! What is personal goes sealed to the person's home and nowhere else; names that must be unique are
//! claimed first. A suspension or erasure is answered only when the views show it; a 503 may be repeated.

mod attributes;
mod change;
mod claims;
mod error;
mod home;
mod names;
pub(super) mod password;
mod patch;
mod path;
mod resource;
pub(super) mod sign_in;
#[cfg(test)]
mod tests;
mod user;

use super::{
    Request, Response, Stop, answer,
    form::Form,
    operator,
    register::body,
    stop::{is_missing, odd_refusal, unconfirmed},
};
use crate::{
    jose::{self, Ring},
    ports::World,
    shard::{Private, ProfileReading},
};
use error::{ScimError, no_such_user};
use grantlog_events::{Place, Subject, command::EraseSubject, state::Standing};
use home::Said;
use http::StatusCode;
use names::Name;
use resource::Resource;
use serde_json::{Map, Value};
use std::rc::Rc;
use user::User;

const SCOPE: &str = "scim";

/// RFC 7644 §3.1.
const MEDIA_TYPE: &str = "application/scim+json";

/// `POST /scim/v2/Users`.
pub(super) async fn create<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    operator::with_scope(world, request, SCOPE).await?;
    let user = User::parse(&object(request)?)?;
    let ring = jose::ring::ring(world).await?;
    let resource = change::create(world, &ring, user).await?;
    Ok(resource.respond(StatusCode::CREATED, &world.config().issuer))
}

/// `GET /scim/v2/Users/{id}`.
pub(super) async fn read<W: World>(world: &W, request: &Request, id: &str) -> Result<Response, Stop> {
    operator::with_scope(world, request, SCOPE).await?;
    let (person, _) = Person::find(world, id).await?;
    Ok(person.resource()?.respond(StatusCode::OK, &world.config().issuer))
}

/// `GET /scim/v2/Users?filter=userName eq "…"`.
pub(super) async fn search<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    operator::with_scope(world, request, SCOPE).await?;
    let wanted = wanted_user_name(&Form::of_query(request)?)?;
    let ring = jose::ring::ring(world).await?;
    let name = Name::of_user(world.config(), &wanted)?;
    let found = match names::holder(world, &ring, name).await? {
        Some((subject, _)) => Person::at_home(world, &ring, subject).await?,
        None => None,
    };
    let resource = match found.filter(|person| person.profile.standing != Standing::Erased) {
        // A claim may have outlived the name it was made for.
        Some(person) if names::borne_by(world.config(), &names::kept(&person.profile)?)?.contains(&name) => {
            Some(person.resource()?)
        }
        Some(_) | None => None,
    };
    Ok(resource::list(resource.as_ref(), &world.config().issuer))
}

fn wanted_user_name(query: &Form) -> Result<String, Stop> {
    match query.value("filter").and_then(path::equality) {
        Some((name, Value::String(wanted))) if name.eq_ignore_ascii_case("userName") => Ok(wanted),
        _ => Err(ScimError::Filter.because("The one supported filter is userName eq \"…\".")),
    }
}

/// `PUT /scim/v2/Users/{id}`: a password that is not in it stays.
pub(super) async fn replace<W: World>(world: &W, request: &Request, id: &str) -> Result<Response, Stop> {
    operator::with_scope(world, request, SCOPE).await?;
    let user = object(request)?;
    changed(world, id, |_| User::parse(&user)).await
}

/// `PATCH /scim/v2/Users/{id}`.
pub(super) async fn patch<W: World>(world: &W, request: &Request, id: &str) -> Result<Response, Stop> {
    operator::with_scope(world, request, SCOPE).await?;
    let operations = object(request)?;
    let patched = |person: &Person| {
        let mut working = user::working_copy(names::kept(&person.profile)?, person.profile.standing);
        patch::apply(&operations, &mut working)?;
        User::parse(&working)
    };
    changed(world, id, patched).await
}

/// How often a change is made anew because somebody else was quicker.
const TRIES: u32 = 8;

/// Before the nth time it is made anew, n times as many milliseconds, so that many make room for one another.
const PAUSE: u32 = 20;

/// Changes a person as they stand; one that was made from an older state of theirs is made anew.
async fn changed<W: World>(
    world: &W,
    id: &str,
    change: impl Fn(&Person) -> Result<User, Stop>,
) -> Result<Response, Stop> {
    for attempt in 0..TRIES {
        if attempt > 0 {
            world.pause(attempt * PAUSE).await;
        }
        let (person, ring) = Person::find(world, id).await?;
        let user = change(&person)?;
        if let Some(resource) = change::update(world, &ring, &person, user).await? {
            return Ok(resource.respond(StatusCode::OK, &world.config().issuer));
        }
    }
    Err(ScimError::Conflict.because("Others keep changing this user; nothing of this change was made."))
}

/// `DELETE /scim/v2/Users/{id}`.
///
/// Names are released first: once the person is erased nobody could tell which they were. Whatever step
/// fails, the same request again takes up from there; a person who is erased already is erased again, so
/// that what a failed request left of them goes too, before they are said not to exist.
pub(super) async fn delete<W: World>(world: &W, request: &Request, id: &str) -> Result<Response, Stop> {
    operator::with_scope(world, request, SCOPE).await?;
    let ring = jose::ring::ring(world).await?;
    let subject = Subject::parse(id).map_err(|_| no_such_user())?;
    let person = Person::at_home(world, &ring, subject).await?.ok_or_else(no_such_user)?;
    let was_erased = person.profile.standing == Standing::Erased;
    if !was_erased {
        for name in names::borne_by(world.config(), &names::kept(&person.profile)?)? {
            names::release_from(world, &ring, name, &person.subject).await?;
        }
    }
    let command = EraseSubject { subject: person.subject.clone() };
    let nothing = Private::default();
    match home::run(world, person.place, command.into(), nothing).await? {
        Said::Done(_) if was_erased => Err(no_such_user()),
        Said::Done(_) => Ok(answer::empty(StatusCode::NO_CONTENT)),
        Said::Unconfirmed => Err(unconfirmed()),
        Said::Refused(refusal) if is_missing(refusal) => Err(no_such_user()),
        Said::Refused(refusal) => Err(odd_refusal(refusal)),
    }
}

/// The body, an object in either of the two types that RFC 7644 §3.1 allows.
fn object(request: &Request) -> Result<Map<String, Value>, Stop> {
    if !body::is_of_type(request, &[MEDIA_TYPE, "application/json"]) {
        return Err(ScimError::MediaType.because("The body must be application/scim+json."));
    }
    match serde_json::from_slice(request.body()) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) | Err(_) => Err(ScimError::Syntax.because("The body is not a JSON object.")),
    }
}

/// Somebody as their home knows them.
struct Person {
    subject: Subject,
    place: Place,
    profile: ProfileReading,
}

impl Person {
    /// A person who is not erased, and the ring that led to them.
    async fn find<W: World>(world: &W, id: &str) -> Result<(Self, Rc<Ring<W::Keys>>), Stop> {
        let subject = Subject::parse(id).map_err(|_| no_such_user())?;
        let ring = jose::ring::ring(world).await?;
        let person = Self::at_home(world, &ring, subject).await?;
        let living = person.filter(|person| person.profile.standing != Standing::Erased).ok_or_else(no_such_user)?;
        Ok((living, ring))
    }

    async fn at_home<W: World>(world: &W, ring: &Ring<W::Keys>, subject: Subject) -> Result<Option<Self>, Stop> {
        let Some(place) = home::of(ring, &subject) else { return Ok(None) };
        let profile = home::profile(world, place, &subject).await?;
        Ok(profile.map(|profile| Self { subject, place, profile }))
    }

    fn resource(&self) -> Result<Resource, Stop> {
        Ok(Resource {
            subject: self.subject.clone(),
            attributes: names::kept(&self.profile)?,
            active: self.profile.standing == Standing::Active,
            created_at: self.profile.created_at,
            changed_at: self.profile.changed_at,
        })
    }
}
