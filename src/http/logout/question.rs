//! The question whether to log out: sealed, about this session, for ten minutes.
//!
//! Only a browser that holds the session can have been asked about it, or can answer (CSRF).

use super::{
    super::{
        Response, Stop,
        authorize::{cookie::BrowserSession, name_of},
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
use grantlog_events::{Seconds, Timestamp, record};

/// How long the question may stay open.
const GOOD_FOR: Seconds = Seconds(600);

record! {
    /// What the question's form carries.
    pub(super) struct Question {
        1 => until: Timestamp,
        /// The session that it would end.
        2 => sid: String,
        3 => onward: Option<Onward>,
    }
}

impl Question {
    /// The question, if it may still be answered.
    pub(super) fn open<W: World>(world: &W, text: &str) -> Option<Self> {
        let question: Self = sealed::open(world.config(), Purpose::Logout, b"", text)?;
        (world.now() < question.until).then_some(question)
    }

    pub(super) fn is_about(&self, held: &BrowserSession) -> bool {
        self.sid == held.address().dashed()
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
    let leads_to = asked.onward.as_ref().and_then(|onward| page::destination(&onward.uri));
    let (until, sid) = (world.now().after(GOOD_FOR), held.address().dashed());
    let question = Question { until, sid, onward: asked.onward };
    let challenge = sealed::seal(world, Purpose::Logout, b"", &question)?;
    let page = LogoutConfirmation {
        client_name: asked.client.as_deref().map(name_of),
        challenge: &challenge,
        leads_to: leads_to.as_ref(),
    };
    Ok(page::respond(page.page(visit.language(form.value(UI_LOCALES)))))
}
