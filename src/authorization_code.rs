//! An authorization code's text: the `jti` of the event that issued it, and a sealed part for what only
//! the client's next request needs and no log should hold.

use crate::{
    config::Config,
    failure::Failure,
    ports::World,
    sealed::{self, Purpose},
};
use grantlog_events::{Address, Jti, record};

record! {
    /// What a code carries besides the address of its event.
    pub struct Carried {
        /// The client's `nonce`, to be repeated in the ID token.
        1 => nonce: Option<String>,
        /// Position of the session.
        2 => session: u64,
        /// Claims asked for in the ID token by name.
        3 => claims: Vec<String>,
    }
}

/// A code as a client holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationCode {
    /// The event that issued it.
    pub jti: Jti,
    /// What it carries.
    pub carried: Carried,
}

impl AuthorizationCode {
    /// The code as text.
    pub fn seal<W: World>(&self, world: &W) -> Result<String, Failure> {
        let jti = self.jti.to_string();
        let sealed = sealed::seal(world, Purpose::Code, jti.as_bytes(), &self.carried)?;
        Ok(format!("{jti}.{sealed}"))
    }

    /// Reads a code; `None` if this service never gave it.
    #[must_use]
    pub fn open(config: &Config, text: &str) -> Option<Self> {
        let (address, sealed) = text.split_once('.')?;
        let jti = Jti::parse(address).ok()?;
        let carried = sealed::open(config, Purpose::Code, address.as_bytes(), sealed)?;
        Some(Self { jti, carried })
    }

    /// Where the session begins that the code was given in.
    #[must_use]
    pub fn session(&self) -> Address {
        self.jti.address.place.at(self.carried.session)
    }
}
