//! A visit of a browser: in which language its pages are, and the pages that say what went wrong.

use super::{Request, Response, Stop, form::Form};
use crate::{
    failure::Failure,
    pages::{self, Destination, Language, Page, Trouble, TroublePage},
    ports::World,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::Seconds;
use http::header;

/// One request of a person's browser.
#[derive(Debug)]
pub(super) struct Visit<'a, W> {
    pub(super) world: &'a W,
    pub(super) request: &'a Request,
}

impl<W> Clone for Visit<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Visit<'_, W> {}

impl<'a, W: World> Visit<'a, W> {
    pub(super) fn of(world: &'a W, request: &'a Request) -> Self {
        Self { world, request }
    }

    /// The language of the pages: what the client asked for, else what the browser prefers.
    pub(super) fn language(self, ui_locales: Option<&str>) -> Language {
        let accepted = self.request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        pages::language(ui_locales, accepted)
    }

    /// A page that says what went wrong; its reference is noted for the operator.
    pub(super) fn trouble(self, trouble: Trouble) -> Stop {
        let reference = match reference(self.world) {
            Ok(reference) => reference,
            Err(failure) => return failure.into(),
        };
        self.world.note(&format!("page {reference}: {trouble:?}"));
        respond(TroublePage { trouble, request_id: &reference }.page(self.language(None))).into()
    }

    /// The parameters of a form or a query; what is malformed is told on a page.
    pub(super) fn form(self) -> Result<Form, Stop> {
        let read = if self.request.method() == http::Method::POST {
            Form::of_body(self.request)
        } else {
            Form::of_query(self.request)
        };
        read.map_err(|_| self.trouble(Trouble::MalformedRequest))
    }
}

/// The page for a failure of the platform: nothing is said of it but that it is worth another try.
pub(super) fn unavailable<W: World>(world: &W, request: &Request) -> Response {
    let visit = Visit::of(world, request);
    let reference = reference(world).unwrap_or_default();
    let trouble = TroublePage { trouble: Trouble::Unavailable { wait: Seconds(1) }, request_id: &reference };
    respond(trouble.page(visit.language(None)))
}

fn reference<W: World>(world: &W) -> Result<String, Failure> {
    let random: Vec<u8> = world.random()?.into_iter().take(9).collect();
    Ok(URL_SAFE_NO_PAD.encode(random))
}

/// A page as the answer.
pub(super) fn respond(page: Page) -> Response {
    pages::respond(page)
}

/// A registered URI as a place that a page may lead to.
pub(super) fn destination(uri: &str) -> Option<Destination> {
    Destination::parse(uri)
}

impl From<Response> for Stop {
    fn from(response: Response) -> Self {
        Self::Plain(Box::new(response))
    }
}
