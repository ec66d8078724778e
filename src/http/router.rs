//! Which endpoint answers which request: the table, and nothing else.

use super::{
    OAuthError, Request, Response, Stop, account, admin, audit, authorize, cors, discovery, introspect, logout, page,
    rebuild, register, revoke, scim,
    stop::{self, because},
    token, userinfo,
};
use crate::{pages, ports::World};
use http::{HeaderName, HeaderValue, Method};

/// The largest body, in bytes.
pub const MAX_BODY: usize = 64 * 1024;

/// Asks for the numbers of calls and of rows written in the answer, as `grantlog-calls` and `grantlog-rows`.
pub const TRACE: HeaderName = HeaderName::from_static("grantlog-trace");

/// How many calls to logs and views the request made.
const CALLS: HeaderName = HeaderName::from_static("grantlog-calls");

/// How many rows the logs' engines wrote for the request.
const ROWS: HeaderName = HeaderName::from_static("grantlog-rows");

/// Where the platform says a request comes from.
pub const CLIENT_ADDRESS: HeaderName = HeaderName::from_static("cf-connecting-ip");

/// Whether people's browsers come here, with cookies and a language.
#[must_use]
pub fn is_for_browsers(path: &str) -> bool {
    matches!(path, "/authorize" | "/login" | "/consent" | "/select-account" | "/logout" | "/account")
}

/// Answers one request. Never fails: every no has its response.
pub async fn handle<W: World>(world: &W, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if request.method() == Method::OPTIONS && cors::is_open(&path) {
        return cors::preflight();
    }
    let answer = if request.body().len() > MAX_BODY {
        because(OAuthError::TooLarge, "The body is larger than 64 KiB.")
    } else {
        route(world, &request, &path).await
    };
    let mut response = answer.unwrap_or_else(|stop| leave(world, &request, &path, stop));
    if cors::is_open(&path) {
        cors::allow(&mut response);
    }
    if request.headers().contains_key(TRACE) {
        response.headers_mut().insert(CALLS, HeaderValue::from(world.calls()));
        if let Some(rows) = world.rows_written() {
            response.headers_mut().insert(ROWS, HeaderValue::from(rows));
        }
    }
    if request.method() == Method::HEAD {
        response.body_mut().clear();
    }
    response
}

async fn route<W: World>(world: &W, request: &Request, path: &str) -> Result<Response, Stop> {
    let method = request.method();
    let reads = method == Method::GET || method == Method::HEAD;
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match segments.as_slice() {
        [".well-known", "openid-configuration" | "oauth-authorization-server"] if reads => {
            Ok(discovery::metadata(world))
        }
        [".well-known", "jwks.json"] if reads => discovery::jwks(world, request).await,
        ["healthz"] if reads => discovery::healthz(world).await,
        ["authorize"] if reads || method == Method::POST => authorize::authorize(world, request).await,
        ["par"] if method == Method::POST => authorize::push(world, request).await,
        ["login"] if method == Method::POST => authorize::log_in(world, request).await,
        ["consent"] if method == Method::POST => authorize::consent(world, request).await,
        ["select-account"] if method == Method::POST => authorize::choose(world, request).await,
        ["logout"] if reads || method == Method::POST => logout::logout(world, request).await,
        ["account"] if reads => account::show(world, request).await,
        ["account"] if method == Method::POST => account::change(world, request).await,
        ["assets", _] if reads && path == pages::stylesheet().0 => Ok(pages::stylesheet_response()),
        ["token"] if method == Method::POST => token::token(world, request).await,
        ["userinfo"] if reads || method == Method::POST => userinfo::userinfo(world, request).await,
        ["introspect"] if method == Method::POST => introspect::introspect(world, request).await,
        ["revoke"] if method == Method::POST => revoke::revoke(world, request).await,
        ["register"] if method == Method::POST => register::create(world, request).await,
        ["register", id] => match *method {
            Method::GET => register::read(world, request, id).await,
            Method::PUT => register::replace(world, request, id).await,
            Method::DELETE => register::delete(world, request, id).await,
            _ => Err(OAuthError::MethodNotAllowed.into()),
        },
        ["scim", "v2", "Users"] => match *method {
            Method::POST => scim::create(world, request).await,
            Method::GET => scim::search(world, request).await,
            _ => Err(OAuthError::MethodNotAllowed.into()),
        },
        ["scim", "v2", "Users", id] => match *method {
            Method::GET => scim::read(world, request, id).await,
            Method::PUT => scim::replace(world, request, id).await,
            Method::PATCH => scim::patch(world, request, id).await,
            Method::DELETE => scim::delete(world, request, id).await,
            _ => Err(OAuthError::MethodNotAllowed.into()),
        },
        ["admin", "revocations"] if method == Method::POST => admin::revocations(world, request).await,
        ["admin", "rebuilds"] if method == Method::POST => rebuild::compare(world, request).await,
        ["audit", "events"] if reads => audit::events(world, request).await,
        ["audit", "tokens", jti] if reads => audit::token(world, request, jti).await,
        [".well-known", "openid-configuration" | "oauth-authorization-server" | "jwks.json"]
        | [
            "healthz" | "authorize" | "par" | "login" | "consent" | "select-account" | "logout" | "account" | "token"
            | "userinfo" | "introspect" | "revoke" | "register",
        ]
        | ["admin", "revocations" | "rebuilds"]
        | ["audit", "events"]
        | ["audit", "tokens", _] => Err(OAuthError::MethodNotAllowed.into()),
        _ => Err(OAuthError::NotFound.into()),
    }
}

/// The one place where a failure is told to the operator, and where every no becomes a response.
fn leave<W: World>(world: &W, request: &Request, path: &str, stop: Stop) -> Response {
    stop.count(world, path);
    match stop {
        Stop::Error(error, sentence) => stop::response(error, &sentence),
        Stop::Plain(response) => *response,
        Stop::Failure(failure) => {
            world.note(&format!("503 at {}: {failure}", first_segment(path)));
            if is_for_browsers(path) { page::unavailable(world, request) } else { stop::unavailable() }
        }
    }
}

/// As much of the path as cannot name a person or token.
fn first_segment(path: &str) -> &str {
    path.split('/').nth(1).filter(|segment| segment.len() < 20).unwrap_or("?")
}
