//! [`Outbound`] by the runtime's `fetch`: no redirects, five seconds, 64 KiB, and only where a client may be.
//!
//! Which addresses a name may stand for, the runtime decides: the public ones, and on a deployment on loopback
//! those of the machine.

use super::thrown::{settled, while_doing};
use crate::{failure::Failure, ports::Outbound};
use js_sys::{Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{AbortSignal, Headers, ReadableStreamDefaultReader, Request, RequestInit, RequestRedirect, Response};

const ASKING: &str = "asking others";

/// How long an answer may take, in milliseconds.
const PATIENCE: u32 = 5_000;

/// The longest document that is read, in bytes.
const LONGEST: usize = 64 * 1024;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = fetch)]
    fn fetch(request: &Request) -> Result<Promise, JsValue>;
}

/// The world outside. `loopback` lets a deployment on loopback reach its neighbours, as tests and development need.
#[derive(Clone, Copy, Debug)]
pub struct Fetch {
    loopback: bool,
}

impl Fetch {
    /// For a deployment with this issuer.
    #[must_use]
    pub fn new(issuer: &str) -> Self {
        Self { loopback: is_loopback(issuer) }
    }

    async fn send(self, url: &str, init: &RequestInit) -> Result<Response, Failure> {
        let may_go = url.starts_with("https://") || (self.loopback && is_loopback(url));
        if !may_go {
            return Err(Failure::lasting(ASKING, "the address is not an https one"));
        }
        init.set_redirect(RequestRedirect::Manual);
        init.set_signal(Some(&AbortSignal::timeout_with_u32(PATIENCE)));
        let request = Request::new_with_str_and_init(url, init).map_err(while_doing(ASKING))?;
        settled(ASKING, fetch(&request)).await.map(JsCast::unchecked_into)
    }
}

/// A literal `http` address of this machine.
fn is_loopback(url: &str) -> bool {
    let authority = url.strip_prefix("http://").and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    let host = authority.split_once(':').map_or(authority, |(host, _)| host);
    matches!(host, "127.0.0.1" | "localhost") && !authority.contains('@')
}

impl Outbound for Fetch {
    async fn post_form(&self, url: &str, form: &str) -> Result<u16, Failure> {
        let init = RequestInit::new();
        init.set_method("POST");
        init.set_body(&JsValue::from_str(form));
        let headers = Headers::new().map_err(while_doing(ASKING))?;
        headers.set("content-type", "application/x-www-form-urlencoded").map_err(while_doing(ASKING))?;
        init.set_headers(&headers);
        let answer = self.send(url, &init).await?;
        // What nobody reads would hold the connection.
        if let Some(body) = answer.body() {
            drop(settled(ASKING, Ok(body.cancel())).await);
        }
        Ok(answer.status())
    }

    async fn get(&self, url: &str) -> Result<Option<Vec<u8>>, Failure> {
        let init = RequestInit::new();
        init.set_method("GET");
        let answer = self.send(url, &init).await?;
        let Some(body) = answer.body() else { return Ok(answer.ok().then(Vec::new)) };
        if !answer.ok() {
            drop(settled(ASKING, Ok(body.cancel())).await);
            return Ok(None);
        }
        let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
        let mut bytes = Vec::new();
        while let Some(chunk) = next_chunk(&reader).await? {
            bytes.extend(chunk);
            if bytes.len() > LONGEST {
                drop(settled(ASKING, Ok(reader.cancel())).await);
                return Ok(None);
            }
        }
        Ok(Some(bytes))
    }
}

/// The next piece of a body; `None` at its end.
async fn next_chunk(reader: &ReadableStreamDefaultReader) -> Result<Option<Vec<u8>>, Failure> {
    let read = settled(ASKING, Ok(reader.read())).await?;
    let member = |name: &str| Reflect::get(&read, &JsValue::from_str(name)).map_err(while_doing(ASKING));
    if member("done")?.is_truthy() {
        return Ok(None);
    }
    Ok(Some(Uint8Array::new(&member("value")?).to_vec()))
}
