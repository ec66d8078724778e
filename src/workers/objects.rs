//! The logs as their objects: one `fetch` per ask, with the stored forms as bodies.
//!
//! Repeats only what the runtime says may be repeated; the request id makes a repeated command safe.

use super::{
    thrown::{bytes_of, settled, while_doing},
    world::pause,
};
use crate::{
    failure::Failure,
    ports::Log,
    shard::{Ask, Reply},
};
use grantlog_events::{Place, Stored, cbor::Value};
use js_sys::{JsString, Promise, Reflect, Uint8Array};
use std::{cell::RefCell, collections::BTreeMap};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, Response};

const ASKING: &str = "asking a log";

/// What the URL of a log's object begins with; its origin follows.
pub(super) const DOOR: &str = "https://log/";

/// In a request to an object: tell the rows that were written. In its answer: how many.
pub(super) const ROWS: &str = "grantlog-rows";

/// Milliseconds before the first and the second repeat.
const PAUSES: [u32; 2] = [20, 80];

#[wasm_bindgen]
extern "C" {
    /// The binding to the objects' class.
    pub type Namespace;
    /// An object's id; unlike a stub it may be kept between requests.
    #[derive(Clone)]
    type Id;
    type Stub;

    #[wasm_bindgen(method, catch, js_name = idFromName)]
    fn id_from_name(this: &Namespace, name: &str) -> Result<Id, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn get(this: &Namespace, id: &Id) -> Result<Stub, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn fetch(this: &Stub, url: &JsString, init: &RequestInit) -> Result<Promise, JsValue>;
}

/// [`Log`] over Durable Objects.
pub struct Objects {
    namespace: Namespace,
    host: String,
    doors: RefCell<BTreeMap<Place, Door>>,
}

/// Where a log is reached; the URL tells a new object which log it is.
#[derive(Clone)]
struct Door {
    id: Id,
    url: JsString,
}

/// A call that brought no reply.
struct Missed {
    failure: Failure,
    may_repeat: bool,
}

impl Log for Objects {
    async fn ask(&self, place: Place, ask: &Ask) -> Result<Reply, Failure> {
        let (reply, _) = self.asked(place, ask, false).await?;
        Ok(reply)
    }
}

/// The bytes of an ask; a command says how often it was tried before.
fn repeated(ask: &Ask, attempt: u64) -> Vec<u8> {
    match ask {
        Ask::Run(run) if attempt > 0 => {
            let mut run = run.clone();
            run.header.attempt += attempt;
            Ask::Run(run).to_bytes()
        }
        Ask::Run(_) | Ask::Read(_) | Ask::LookAfter => ask.to_bytes(),
    }
}

impl Objects {
    /// The same, with the rows that the log's engine wrote for it.
    pub(super) async fn ask_with_rows(&self, place: Place, ask: &Ask) -> Result<(Reply, u64), Failure> {
        let (reply, response) = self.asked(place, ask, true).await?;
        let rows = response.headers().get(ROWS).ok().flatten().and_then(|rows| rows.parse().ok());
        rows.map(|rows| (reply, rows)).ok_or_else(|| Failure::lasting(ASKING, "it does not say what it wrote"))
    }

    async fn asked(&self, place: Place, ask: &Ask, traced: bool) -> Result<(Reply, Response), Failure> {
        let mut attempt = 0;
        for milliseconds in PAUSES {
            match self.call(place, &repeated(ask, attempt), traced).await {
                Ok(reply) => return Ok(reply),
                Err(missed) if missed.may_repeat => pause(milliseconds).await,
                Err(missed) => return Err(missed.failure),
            }
            attempt += 1;
        }
        self.call(place, &repeated(ask, attempt), traced).await.map_err(|missed| missed.failure)
    }

    pub(super) fn new(namespace: Namespace, host: String) -> Self {
        Self { namespace, host, doors: RefCell::default() }
    }

    async fn call(&self, place: Place, body: &[u8], traced: bool) -> Result<(Reply, Response), Missed> {
        let promise = self.send(place, body, traced)?;
        let response: Response = JsFuture::from(promise).await.map_err(Missed::from)?.unchecked_into();
        if response.status() != 200 {
            return Err(refused(&response).await.into());
        }
        let bytes = bytes_of(&settled(ASKING, response.array_buffer()).await?);
        let reply = Value::decode(&bytes).and_then(Reply::load);
        let reply = reply.map_err(|malformed| Failure::lasting(ASKING, malformed))?;
        Ok((reply, response))
    }

    fn send(&self, place: Place, body: &[u8], traced: bool) -> Result<Promise, Missed> {
        let door = self.door(place)?;
        let init = RequestInit::new();
        init.set_method("POST");
        init.set_body(&Uint8Array::from(body));
        if traced {
            let headers = web_sys::Headers::new()?;
            headers.set(ROWS, "")?;
            init.set_headers(&headers);
        }
        Ok(self.namespace.get(&door.id)?.fetch(&door.url, &init)?)
    }

    fn door(&self, place: Place) -> Result<Door, JsValue> {
        if let Some(door) = self.doors.borrow().get(&place) {
            return Ok(door.clone());
        }
        let origin = place.origin(&self.host);
        let door =
            Door { id: self.namespace.id_from_name(origin.as_str())?, url: JsString::from(format!("{DOOR}{origin}")) };
        self.doors.borrow_mut().insert(place, door.clone());
        Ok(door)
    }
}

/// The failure that an object answered with.
async fn refused(response: &Response) -> Failure {
    match settled(ASKING, response.text()).await {
        Ok(text) => Failure::passing(ASKING, text.as_string().unwrap_or_default()),
        Err(failure) => failure,
    }
}

impl From<Failure> for Missed {
    fn from(failure: Failure) -> Self {
        Self { failure, may_repeat: false }
    }
}

impl From<JsValue> for Missed {
    fn from(thrown: JsValue) -> Self {
        let says = |name| Reflect::get(&thrown, &JsValue::from_str(name)).is_ok_and(|value| value.is_truthy());
        let may_repeat = thrown.is_object() && says("retryable") && !says("overloaded");
        Self { failure: while_doing(ASKING)(thrown), may_repeat }
    }
}
