//! [`Outbound`] by the runtime's `fetch`: no redirects, five seconds, 64 KiB, and only where a client may be.

use super::thrown::while_doing;
use crate::{failure::Failure, ports::Outbound};
use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Request, RequestInit, RequestRedirect, Response};

const ASKING: &str = "asking others";

/// How long an answer may take, in milliseconds.
const PATIENCE: u32 = 5_000;

/// The longest document that is read, in bytes.
const LONGEST: u32 = 64 * 1024;

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
        let answer = JsFuture::from(fetch(&request).map_err(while_doing(ASKING))?).await;
        answer.map(JsCast::unchecked_into).map_err(while_doing(ASKING))
    }
}

fn is_loopback(url: &str) -> bool {
    let host = url.strip_prefix("http://").and_then(|rest| rest.split(['/', ':']).next());
    matches!(host, Some("127.0.0.1" | "localhost"))
}

impl Outbound for Fetch {
    async fn post_form(&self, url: &str, form: &str) -> Result<u16, Failure> {
        let init = RequestInit::new();
        init.set_method("POST");
        init.set_body(&JsValue::from_str(form));
        let headers = web_sys::Headers::new().map_err(while_doing(ASKING))?;
        headers.set("content-type", "application/x-www-form-urlencoded").map_err(while_doing(ASKING))?;
        init.set_headers(&headers);
        Ok(self.send(url, &init).await?.status())
    }

    async fn get(&self, url: &str) -> Result<Option<Vec<u8>>, Failure> {
        let init = RequestInit::new();
        init.set_method("GET");
        let answer = self.send(url, &init).await?;
        if !answer.ok() {
            return Ok(None);
        }
        let body = answer.array_buffer().map_err(while_doing(ASKING))?;
        let bytes = Uint8Array::new(&JsFuture::from(body).await.map_err(while_doing(ASKING))?);
        Ok((bytes.length() <= LONGEST).then(|| bytes.to_vec()))
    }
}
