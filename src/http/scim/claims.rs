//! A name is claimed before its bearer is created or renamed, and released after. A claim whose bearer
//! never came, was erased or bears the name no more lapses: the next claimant asks the holder's home and
//! releases it. The claim's id begins with its time, so that a claim cannot lapse while its bearer is on
//! the way: [`Claims::still_hold`] stops the bearer well before [`LAPSES_AFTER`].

use super::{
    Person,
    error::ScimError,
    home::{self, Said},
    names::{Name, borne_by, holder, kept, release, release_from},
};
use crate::{
    failure::Failure,
    http::{Stop, stop::odd_refusal},
    jose::Ring,
    ports::World,
};
use grantlog_events::{EventId, Refusal, Subject, Timestamp, command::ClaimName, state::Standing};

/// How long a claim waits for its bearer, in milliseconds.
const LAPSES_AFTER: u64 = 30_000;
/// How long another claimant waits for the bearer, in milliseconds, time after time: three seconds in all.
const PAUSES: [u32; 6] = [50, 100, 200, 400, 800, 1_600];
/// How late the bearer may still set out, in milliseconds.
const SETS_OUT_WITHIN: u64 = 10_000;

/// Names claimed for a bearer who is on the way.
#[derive(Debug, Default)]
pub(super) struct Claims {
    /// By this request.
    made: Vec<(Name, [u8; 16], Timestamp)>,
    /// By another request for the same person.
    found: Vec<Name>,
}

impl Claims {
    /// Claims every name for `subject`, or none: what was claimed before one is found taken is released.
    pub(super) async fn make<W: World>(
        world: &W,
        ring: &Ring<W::Keys>,
        names: &[Name],
        subject: &Subject,
    ) -> Result<Self, Stop> {
        let mut claims = Self::default();
        for name in names {
            match claim(world, ring, *name, subject).await {
                Ok(Some((id, at))) => claims.made.push((*name, id, at)),
                Ok(None) => claims.found.push(*name),
                Err(stop) => {
                    claims.release(world, ring).await;
                    return Err(stop);
                }
            }
        }
        Ok(claims)
    }

    /// Whether the bearer may still set out.
    pub(super) fn still_hold(&self, now: Timestamp) -> bool {
        self.made.iter().all(|(_, _, at)| now.since(*at) < SETS_OUT_WITHIN)
    }

    /// The bearer has come: what another request had claimed for them, and may have given up since, is theirs.
    pub(super) async fn keep<W: World>(&self, world: &W, ring: &Ring<W::Keys>, subject: &Subject) {
        for name in &self.found {
            if claim(world, ring, *name, subject).await.is_err() {
                world.note("a name is borne without a claim");
            }
        }
    }

    /// Gives the names up; one that cannot be given up now lapses.
    pub(super) async fn release<W: World>(&self, world: &W, ring: &Ring<W::Keys>) {
        for (name, claim, _) in &self.made {
            if let Err(failure) = release(world, ring, *name, *claim).await {
                world.note(&format!("a claimed name is left to lapse: {failure}"));
            }
        }
    }
}

/// Claims one name; `None` if the subject holds it already.
async fn claim<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    name: Name,
    subject: &Subject,
) -> Result<Option<([u8; 16], Timestamp)>, Stop> {
    let mut pauses = PAUSES.into_iter();
    loop {
        let at = world.now();
        let mut random = [0; 10];
        random.iter_mut().zip(world.random()?).for_each(|(to, from)| *to = from);
        let id = EventId::new(at, random).0;
        let command = ClaimName { claim: id, subject: subject.clone() };
        match home::run(world, name.place(ring)?, command.into(), name.private(Some(id))).await? {
            Said::Done(_) | Said::Unconfirmed => return Ok(Some((id, at))),
            Said::Refused(Refusal::NameTaken) => {}
            Said::Refused(refusal) => return Err(odd_refusal(refusal)),
        }
        let pause = match holder(world, ring, name).await? {
            Some((holder, _)) if holder == *subject => return Ok(None),
            Some((holder, held)) => match standing(world, ring, name, &holder, held).await? {
                Held::Borne => return Err(taken()),
                Held::Lapsed => release(world, ring, name, held).await.map(|()| pauses.next())?,
                Held::OnTheWay => {
                    let pause = pauses.next();
                    world.pause(pause.unwrap_or_default()).await;
                    pause
                }
            },
            None => pauses.next(),
        };
        if pause.is_none() {
            return Err(Failure::passing("claiming a name", "another request is about to take it").into());
        }
    }
}

fn taken() -> Stop {
    ScimError::Uniqueness.because("The user name or the e-mail address is taken.")
}

/// What a claim is worth.
enum Held {
    /// Its subject bears the name.
    Borne,
    /// Its subject may still come to bear it: whether it is taken nobody can say yet.
    OnTheWay,
    /// It is nobody's any more.
    Lapsed,
}

async fn standing<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    name: Name,
    holder: &Subject,
    claim: [u8; 16],
) -> Result<Held, Stop> {
    let profile = match home::of(ring, holder) {
        Some(place) => home::profile(world, place, holder).await?,
        None => None,
    };
    if profile.as_ref().is_some_and(|profile| profile.standing == Standing::Erased) {
        return Ok(Held::Lapsed);
    }
    if let Some(profile) = profile
        && borne_by(world.config(), &kept(&profile)?)?.contains(&name)
    {
        return Ok(Held::Borne);
    }
    let is_young = world.now().since(time_of(claim)) < LAPSES_AFTER;
    Ok(if is_young { Held::OnTheWay } else { Held::Lapsed })
}

/// The instant that a claim's id begins with.
fn time_of(claim: [u8; 16]) -> Timestamp {
    Timestamp(claim.into_iter().take(6).fold(0, |time, byte| time << 8 | u64::from(byte)))
}

/// Gives up names that a person bore before a change. Another change may have brought one back meanwhile,
/// relying on the claim that is released here; then it is claimed again.
pub(super) async fn give_up<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    former: &[Name],
    person: &Person,
) -> Result<(), Stop> {
    for name in former {
        release_from(world, ring, *name, &person.subject).await?;
    }
    let profile = home::profile(world, person.place, &person.subject).await?;
    let Some(profile) = profile.filter(|profile| profile.standing != Standing::Erased) else { return Ok(()) };
    let borne = borne_by(world.config(), &kept(&profile)?)?;
    for name in former.iter().filter(|name| borne.contains(name)) {
        claim(world, ring, *name, &person.subject).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_carries_its_time() {
        let at = Timestamp(1_770_000_000_123);
        assert_eq!(time_of(EventId::new(at, [0xff; 10]).0), at);
    }
}
