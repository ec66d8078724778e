//! Creating and changing a person: names first, then the home, then what is no longer needed.
//!
//! A home that refuses a new person gives the names back. A home that does not answer may have done it, and
//! another change of the same person may rely on a name that this one claimed, so then the names stay
//! claimed; if nobody came to bear them they lapse.

use super::{
    Person,
    claims::{self, Claims},
    error::no_such_user,
    home::{self, Said},
    names, password,
    resource::Resource,
    user::User,
};
use crate::{
    failure::Failure,
    http::{
        Stop,
        stop::{odd_refusal, odd_reply, unconfirmed},
    },
    jose::Ring,
    ports::World,
    shard::{Private, SecretWrite, continued, password_secret},
};
use grantlog_events::{
    Command, Event, Place, Refusal, Subject,
    command::{CreateSubject, UpdateSubject},
    stored::Bytes,
};

pub(super) async fn create<W: World>(world: &W, ring: &Ring<W::Keys>, user: User) -> Result<Resource, Stop> {
    let mut random = [0; 16];
    random.iter_mut().zip(world.random()?).for_each(|(to, from)| *to = from);
    let subject = Subject::born(world.config().log_epoch, random);
    let place =
        home::of(ring, &subject).ok_or_else(|| Failure::passing("routing to a shard", "the epoch is not open"))?;
    let private = private(world, &user, &subject)?;
    let claims = Claims::make(world, ring, &names::borne_by(world.config(), &user.attributes)?, &subject).await?;
    let command = CreateSubject {
        subject: subject.clone(),
        profile: user.profile(user.password.is_some()),
        continued: continued(&user.personal()),
    };
    match bring_home(world, ring, place, command.into(), private, &claims).await? {
        Said::Done(events) => {
            let at = events.first().ok_or_else(odd_reply)?.occurred_at;
            Ok(Resource { subject, attributes: user.attributes, active: user.active, created_at: at, changed_at: at })
        }
        Said::Unconfirmed => Err(unconfirmed()),
        Said::Refused(refusal) => {
            claims.release(world, ring).await;
            Err(odd_refusal(refusal))
        }
    }
}

pub(super) async fn update<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    person: &Person,
    user: User,
) -> Result<Option<Resource>, Stop> {
    let before = names::borne_by(world.config(), &names::kept(&person.profile)?)?;
    let after = names::borne_by(world.config(), &user.attributes)?;
    let fresh: Vec<_> = after.iter().filter(|name| !before.contains(name)).copied().collect();
    let has_password = user.password.is_some() || home::has_password(world, person.place, &person.subject).await?;
    let private = private(world, &user, &person.subject)?;
    let claims = Claims::make(world, ring, &fresh, &person.subject).await?;
    let command = UpdateSubject {
        subject: person.subject.clone(),
        profile: user.profile(has_password),
        continued: continued(&user.personal()),
        seen: Some(person.profile.changed),
    };
    let said = bring_home(world, ring, person.place, command.into(), private, &claims).await?;
    if matches!(said, Said::Done(_) | Said::Unconfirmed) {
        claims.keep(world, ring, &person.subject).await;
        let former: Vec<_> = before.into_iter().filter(|name| !after.contains(name)).collect();
        if !former.is_empty() && claims::give_up(world, ring, &former, person).await.is_err() {
            world.note("a name that nobody bears any more is left to lapse");
        }
    }
    changed(said, person, user)
}

/// `None` if somebody else changed the person meanwhile: then the change is to be made anew.
fn changed(said: Said, person: &Person, user: User) -> Result<Option<Resource>, Stop> {
    let event: Event = match said {
        Said::Done(events) => events.into_iter().next().ok_or_else(odd_reply)?,
        Said::Unconfirmed => return Err(unconfirmed()),
        // Erased while this request was on its way.
        Said::Refused(Refusal::SubjectErased | Refusal::SubjectUnknown) => return Err(no_such_user()),
        Said::Refused(Refusal::SubjectChanged) => return Ok(None),
        Said::Refused(refusal) => return Err(odd_refusal(refusal)),
    };
    Ok(Some(Resource {
        subject: person.subject.clone(),
        attributes: user.attributes,
        active: user.active,
        created_at: person.profile.created_at,
        changed_at: event.occurred_at,
    }))
}

async fn bring_home<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    place: Place,
    command: Command,
    private: Private,
    claims: &Claims,
) -> Result<Said, Stop> {
    if !claims.still_hold(world.now()) {
        claims.release(world, ring).await;
        return Err(Failure::passing("claiming a name", "it took too long").into());
    }
    Ok(home::run(world, place, command, private).await?)
}

fn private<W: World>(world: &W, user: &User, subject: &Subject) -> Result<Private, Stop> {
    let mut secrets = Vec::new();
    if let Some(password) = &user.password {
        let verifier = password::verifier(world, password)?;
        secrets.push(SecretWrite { name: password_secret(subject), value: Some(Bytes(verifier.into_bytes())) });
    }
    Ok(Private { secrets, personal: Some(Bytes(user.personal())), ..Private::default() })
}
