//! Two cookies: the browser's session, sealed, and a name for the browser that forms are bound to.

use crate::{
    failure::Failure,
    http::{Request, Response},
    ports::World,
    sealed::{self, Purpose},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Address, Digest, Place, Subject, Timestamp, record};
use http::{HeaderValue, header};

record! {
    /// A session as the browser holds it. Whether it lives, its home decides.
    pub(in crate::http) struct BrowserSession {
        1 => subject: Subject,
        2 => place: Place,
        /// Position at which the session begins.
        3 => seq: u64,
        /// When its life is over at the latest.
        4 => until: Timestamp,
    }
}

impl BrowserSession {
    /// The session's address, its `sid`.
    pub(in crate::http) fn address(&self) -> Address {
        self.place.at(self.seq)
    }
}

/// The session that the browser presents.
pub(in crate::http) fn session<W: World>(world: &W, request: &Request) -> Option<BrowserSession> {
    let sealed = value(request, &name(world, "grantlog"))?;
    let session: BrowserSession = sealed::open(world.config(), Purpose::Session, b"", sealed)?;
    (world.now() < session.until).then_some(session)
}

/// Gives the browser a session.
pub(in crate::http) fn set_session<W: World>(
    world: &W,
    response: &mut Response,
    session: &BrowserSession,
) -> Result<(), Failure> {
    let sealed = sealed::seal(world, Purpose::Session, b"", session)?;
    let lives = session.until.since(world.now()) / 1_000;
    set(world, response, &name(world, "grantlog"), &sealed, lives);
    Ok(())
}

/// Takes the session from the browser.
pub(in crate::http) fn clear_session<W: World>(world: &W, response: &mut Response) {
    set(world, response, &name(world, "grantlog"), "", 0);
}

/// The digest of the browser's name; forms carry it sealed, so that no form works in another browser.
pub(in crate::http) fn browser<W: World>(world: &W, request: &Request) -> Option<[u8; 16]> {
    value(request, &name(world, "grantlog-browser")).map(|text| Digest::of(text.as_bytes()).half())
}

/// The browser's name, which it gets now if it has none: the digest, and what to do to the response.
pub(in crate::http) fn named_browser<W: World>(world: &W, request: &Request) -> Result<Browser, Failure> {
    if let Some(digest) = browser(world, request) {
        return Ok(Browser { digest, fresh: None });
    }
    let text = URL_SAFE_NO_PAD.encode(world.random()?);
    Ok(Browser { digest: Digest::of(text.as_bytes()).half(), fresh: Some(text) })
}

/// A browser with a name.
pub(in crate::http) struct Browser {
    pub(in crate::http) digest: [u8; 16],
    fresh: Option<String>,
}

impl Browser {
    /// Tells a browser that had no name its name.
    pub(in crate::http) fn name<W: World>(&self, world: &W, mut response: Response) -> Response {
        if let Some(text) = &self.fresh {
            set(world, &mut response, &name(world, "grantlog-browser"), text, 24 * 3_600);
        }
        response
    }
}

fn is_https<W: World>(world: &W) -> bool {
    world.config().issuer.starts_with("https://")
}

/// `__Host-` ties a cookie to this host and to https.
fn name<W: World>(world: &W, base: &str) -> String {
    if is_https(world) { format!("__Host-{base}") } else { base.to_owned() }
}

/// On https a client's page in another site may ask silently in a frame, so the cookie goes there too; what a
/// form does is bound to more than a cookie.
fn set<W: World>(world: &W, response: &mut Response, name: &str, text: &str, seconds: u64) {
    let reach = if is_https(world) { "; Secure; SameSite=None" } else { "; SameSite=Lax" };
    let cookie = format!("{name}={text}; Path=/; Max-Age={seconds}; HttpOnly{reach}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

fn value<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    let headers = request.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = headers.flat_map(|header| header.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(held, _)| *held == name).map(|(_, value)| value).filter(|value| !value.is_empty())
}
