//! What the hidden fields of the login and consent pages hold: the request, for how long, in which browser.

use super::asked::Asked;
use crate::{
    failure::Failure,
    ports::World,
    sealed::{self, Purpose},
};
use grantlog_events::{Seconds, Subject, Timestamp, command::Spend, record};

/// How long a page may stay open before its form is no longer taken.
const GOOD_FOR: Seconds = Seconds(600);

record! {
    /// The login page's challenge; it is spent by the login.
    pub(super) struct SignIn {
        1 => id: [u8; 16],
        2 => until: Timestamp,
        3 => browser: [u8; 16],
        /// Absent for a login to the account page.
        4 => asked: Option<Asked>,
    }
}

record! {
    /// The challenge of a page that was shown to a person: to consent, or to choose who they are.
    pub(super) struct Shown {
        1 => until: Timestamp,
        2 => browser: [u8; 16],
        3 => asked: Asked,
        /// Whom the page was shown to.
        4 => subject: Subject,
    }
}

impl SignIn {
    pub(super) fn seal<W: World>(world: &W, browser: [u8; 16], asked: Option<Asked>) -> Result<String, Failure> {
        let mut id = [0; 16];
        id.iter_mut().zip(world.random()?).for_each(|(to, from)| *to = from);
        let challenge = Self { id, until: world.now().after(GOOD_FOR), browser, asked };
        sealed::seal(world, Purpose::SignIn, b"", &challenge)
    }

    /// The challenge, if it was given to this browser and is still good.
    pub(super) fn open<W: World>(world: &W, browser: Option<[u8; 16]>, text: &str) -> Option<Self> {
        let challenge: Self = sealed::open(world.config(), Purpose::SignIn, b"", text)?;
        (world.now() < challenge.until && browser == Some(challenge.browser)).then_some(challenge)
    }

    pub(super) fn spend(&self) -> Spend {
        Spend { assertion: self.id, until: self.until }
    }
}

impl Shown {
    pub(super) fn seal<W: World>(
        world: &W,
        purpose: Purpose,
        browser: [u8; 16],
        asked: Asked,
        subject: Subject,
    ) -> Result<String, Failure> {
        let challenge = Self { until: world.now().after(GOOD_FOR), browser, asked, subject };
        sealed::seal(world, purpose, b"", &challenge)
    }

    /// The challenge, if it was given to this browser for this purpose and is still good.
    pub(super) fn open<W: World>(world: &W, purpose: Purpose, browser: Option<[u8; 16]>, text: &str) -> Option<Self> {
        let challenge: Self = sealed::open(world.config(), purpose, b"", text)?;
        (world.now() < challenge.until && browser == Some(challenge.browser)).then_some(challenge)
    }
}
