//! The question whether to log out: sealed, for this browser and this session, for ten minutes.

use super::{
    super::{
        Response, Stop,
        authorize::{
            cookie::{self, BrowserSession},
            name_of,
        },
        form::Form,
        page::{self, Visit},
    },
    asked::{Asked, Onward, UI_LOCALES},
};
use crate::{
    pages::LogoutConfirmation,
    ports::World,
    sealed::{self, Purpose},
};
use grantlog_events::{Seconds, Subject, Timestamp, record};

/// How long the question may stay open.
const GOOD_FOR: Seconds = Seconds(600);

record! {
    /// What the question's form carries.
    pub(super) struct Question {
        1 => until: Timestamp,
        2 => browser: [u8; 16],
        /// Who was asked, and the position of their session.
        3 => subject: Subject,
        4 => session: u64,
        5 => onward: Option<Onward>,
    }
}

impl Question {
    /// The question, if it was put to this browser and may still be answered.
    pub(super) fn open<W: World>(visit: Visit<'_, W>, text: &str) -> Option<Self> {
        let question: Self = sealed::open(visit.world.config(), Purpose::Logout, b"", text)?;
        let browser = cookie::browser(visit.world, visit.request);
        (visit.world.now() < question.until && browser == Some(question.browser)).then_some(question)
    }

    pub(super) fn is_about(&self, held: &BrowserSession) -> bool {
        self.subject == held.subject && self.session == held.seq
    }
}

/// Puts the question.
pub(super) fn put<W: World>(
    visit: Visit<'_, W>,
    form: &Form,
    held: &BrowserSession,
    asked: Asked,
) -> Result<Response, Stop> {
    let world = visit.world;
    let browser = cookie::named_browser(world, visit.request)?;
    let leads_to = asked.onward.as_ref().and_then(|onward| page::destination(&onward.uri));
    let question = Question {
        until: world.now().after(GOOD_FOR),
        browser: browser.digest,
        subject: held.subject.clone(),
        session: held.seq,
        onward: asked.onward,
    };
    let challenge = sealed::seal(world, Purpose::Logout, b"", &question)?;
    let page = LogoutConfirmation {
        client_name: asked.client.as_deref().map(name_of),
        challenge: &challenge,
        leads_to: leads_to.as_ref(),
    };
    Ok(browser.name(world, page::respond(page.page(visit.language(form.value(UI_LOCALES))))))
}
