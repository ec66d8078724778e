//! The Worker's entry: one HTTP request in, one response out; and every minute the watchdog.

use super::{Workers, edge_request, edge_response};
use crate::{http, ports::World, watchdog};
use ::http::{Response, StatusCode, header};
use wasm_bindgen::JsValue;
use web_sys::Request;
use worker::{Context, Env, ScheduleContext, ScheduledEvent, event};

/// Futures are woken by a promise instead of by `queueMicrotask`, which the runtime implements itself: a microtask
/// costs a tenth of an exchange less so. Read once, when the first future is spawned.
#[event(start)]
fn start() {
    let _ = js_sys::Reflect::set(&js_sys::global(), &"queueMicrotask".into(), &JsValue::UNDEFINED);
}

#[event(fetch)]
async fn fetch(request: Request, env: Env, _: Context) -> worker::Result<web_sys::Response> {
    let response = match Workers::of(&env) {
        Some(world) => match edge_request::read(&request).await {
            Some(request) => {
                if request.headers().contains_key(http::TRACE) {
                    world.trace();
                }
                http::handle(&world, request).await
            }
            None => refusal(StatusCode::BAD_REQUEST, "invalid_request"),
        },
        None => refusal(StatusCode::SERVICE_UNAVAILABLE, "server_error"),
    };
    edge_response::write(&response).map_err(worker::Error::from)
}

#[event(scheduled)]
async fn scheduled(_: ScheduledEvent, env: Env, _: ScheduleContext) {
    let Some(world) = Workers::of(&env) else { return };
    if let Err(failure) = watchdog::look_after_all(&world).await {
        world.note(&format!("the watchdog: {failure}"));
    }
}

/// For what does not get as far as the router.
fn refusal(status: StatusCode, error: &str) -> Response<Vec<u8>> {
    let mut response = Response::new(format!(r#"{{"error":"{error}"}}"#).into_bytes());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    response
}
