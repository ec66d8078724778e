//! Unique names: the user name, and the primary e-mail address. Who has one is asked of the shard of
//! its keyed hash; the name itself is in no log and in no message to one.

use super::home::{self, Said};
use crate::{
    config::Config,
    failure::Failure,
    http::{
        Stop,
        stop::{is_missing, odd_reply},
    },
    jose::Ring,
    ports::{Keys, Log, World},
    shard::{Ask, Private, ProfileReading, Query, Reply, SecretWrite, claim_secret},
};
use grantlog_events::{Place, Subject, command::ReleaseName, identity::shard_of, stored::Bytes};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Map, Value};
use sha2::Sha256;

/// A unique name by its keyed hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name([u8; 32]);

impl Name {
    /// HMAC-SHA-256 over kind and value; neither user names nor addresses are told apart by case.
    fn of(config: &Config, kind: &str, value: &str) -> Result<Self, Failure> {
        let mac = Hmac::<Sha256>::new_from_slice(&config.name_key.0);
        let mut mac = mac.map_err(|_| Failure::lasting("hashing a name", "the key has a wrong length"))?;
        for part in [kind.as_bytes(), &[0], value.trim().to_lowercase().as_bytes()] {
            mac.update(part);
        }
        Ok(Self(mac.finalize().into_bytes().into()))
    }

    pub(super) fn of_user(config: &Config, user_name: &str) -> Result<Self, Failure> {
        Self::of(config, "userName", user_name)
    }

    pub(super) fn half(self) -> [u8; 16] {
        grantlog_events::Digest::of(&self.0).half()
    }

    /// Names never move, so they live in the first epoch, whose shards are fixed for good.
    pub(super) fn place<K: Keys>(self, ring: &Ring<K>) -> Result<Place, Failure> {
        let first = ring.epochs().iter().min_by_key(|(epoch, _)| *epoch);
        let (epoch, shards) = *first.ok_or_else(|| Failure::passing("routing to a shard", "no epoch is open"))?;
        Ok(Place { epoch, shard: shard_of(&self.0, shards) })
    }

    pub(super) fn private(self, claim: Option<[u8; 16]>) -> Private {
        let secret = SecretWrite { name: claim_secret(&self.0), value: claim.map(|claim| Bytes(claim.to_vec())) };
        Private { secrets: vec![secret], name: Some(self.0), ..Private::default() }
    }
}

/// The unique names that a user with these attributes bears.
pub(super) fn borne_by(config: &Config, attributes: &Map<String, Value>) -> Result<Vec<Name>, Failure> {
    let user_name = attributes.get("userName").and_then(Value::as_str).map(|name| Name::of_user(config, name));
    let email = primary_email(attributes).map(|email| Name::of(config, "email", email));
    user_name.into_iter().chain(email).collect()
}

/// The address that the claim `email` is made of: the primary one; where none is marked, the first.
fn primary_email(attributes: &Map<String, Value>) -> Option<&str> {
    let emails = attributes.get("emails")?.as_array()?;
    let primary = emails.iter().find(|email| email.get("primary") == Some(&Value::Bool(true)));
    primary.or_else(|| emails.first())?.get("value")?.as_str()
}

/// Who holds a name.
pub(super) async fn holder<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    name: Name,
) -> Result<Option<(Subject, [u8; 16])>, Stop> {
    match world.log().ask(name.place(ring)?, &Ask::Read(Query::NameHolder(name.0))).await? {
        Reply::NameHolder(holder) => Ok(holder),
        _ => Err(odd_reply()),
    }
}

pub(super) async fn release<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    name: Name,
    claim: [u8; 16],
) -> Result<(), Failure> {
    match home::run(world, name.place(ring)?, ReleaseName { claim }.into(), name.private(None)).await? {
        Said::Done(_) | Said::Unconfirmed => Ok(()),
        // A claim that is gone was released before.
        Said::Refused(refusal) if is_missing(refusal) => Ok(()),
        Said::Refused(refusal) => Err(Failure::passing("releasing a name", refusal.name())),
    }
}

/// Releases a name if the subject holds it.
pub(super) async fn release_from<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    name: Name,
    subject: &Subject,
) -> Result<(), Stop> {
    match holder(world, ring, name).await? {
        Some((holder, claim)) if holder == *subject => Ok(release(world, ring, name, claim).await?),
        Some(_) | None => Ok(()),
    }
}

/// The attributes as they were sealed.
pub(super) fn kept(profile: &ProfileReading) -> Result<Map<String, Value>, Failure> {
    serde_json::from_slice(&profile.attributes.0)
        .map_err(|_| Failure::lasting("reading attributes", "they are not a JSON object"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_primary_address_counts_else_the_first() {
        let of = |emails| primary_email(&Map::from_iter([("emails".to_owned(), emails)])).map(str::to_owned);
        assert_eq!(of(json!([{ "value": "a" }, { "value": "b", "primary": true }])).as_deref(), Some("b"));
        assert_eq!(of(json!([{ "value": "a" }, { "value": "b" }])).as_deref(), Some("a"));
        assert_eq!(of(json!([{ "type": "work" }])), None);
    }
}
