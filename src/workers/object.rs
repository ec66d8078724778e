//! A log's object: its storage opened on the first call after it woke, asks answered one turn at a
//! time, and what follows from events done after the answer, with the alarm as the retry.

use super::{
    SqlStore, Workers,
    objects::{DOOR, ROWS},
    sql::Storage,
    thrown::{bytes_of, settled, while_doing},
    world::now,
};
use crate::{
    failure::Failure,
    metrics::Metric,
    ports::World,
    shard::{self, Ask, Reply, Shard},
};
use grantlog_events::{Origin, Stored, cbor::Value};
use js_sys::{Promise, Uint8Array};
use std::{
    cell::{Cell, OnceCell},
    rc::Rc,
};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::{Request, Response, ResponseInit};
use worker::Env;

const WAKING: &str = "waking a log";
const READING: &str = "reading what is asked of a log";

#[wasm_bindgen]
extern "C" {
    /// What the runtime gives an object of its own.
    pub type ObjectContext;

    #[wasm_bindgen(method, catch, getter)]
    fn storage(this: &ObjectContext) -> Result<Storage, JsValue>;
    #[wasm_bindgen(method, catch, js_name = waitUntil)]
    fn wait_until(this: &ObjectContext, promise: &Promise) -> Result<(), JsValue>;
}

/// The class of every log's object, as the runtime calls it. Written out, because the macro for it reads
/// the whole request and builds the headers of a response that has none.
#[wasm_bindgen]
pub struct LogShard {
    log: Rc<Log>,
}

#[wasm_bindgen]
impl LogShard {
    /// A log that wakes.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(context: ObjectContext, env: Env) -> Self {
        let (following, telling) = (Cell::new(false), Cell::new(false));
        Self { log: Rc::new(Log { context, env, shard: OnceCell::new(), following, telling }) }
    }

    /// Answers one ask: the reply, or 503 with what failed.
    pub async fn fetch(&self, request: Request) -> Result<Response, JsValue> {
        let before = self.log.rows_written();
        let answer = self.log.answer(&request).await;
        let written = self.log.rows_written() - before;
        Log::follow_up(&self.log);
        Log::tell_clients(&self.log);
        match answer {
            Ok(reply) => {
                let bytes = Uint8Array::from(reply.to_bytes().as_slice());
                if request.headers().has(ROWS)? {
                    return with_rows(&bytes, written);
                }
                Response::new_with_opt_buffer_source(Some(&bytes))
            }
            Err(failure) => {
                let init = ResponseInit::new();
                init.set_status(503);
                Response::new_with_opt_str_and_init(Some(&failure.to_string()), &init)
            }
        }
    }

    /// Does what the alarm is for.
    pub async fn alarm(&self) -> Result<(), JsValue> {
        self.log.look_after().await.map_err(|failure| js_sys::Error::new(&failure.to_string()).into())
    }
}

struct Log {
    context: ObjectContext,
    env: Env,
    shard: OnceCell<Shard<SqlStore>>,
    /// Whether what follows is being done, so that a burst of calls does it once.
    following: Cell<bool>,
    /// Whether clients are being told, which may take them long: nothing else waits for it.
    telling: Cell<bool>,
}

/// The answer with the rows that the engine wrote meanwhile, for who asked to see them.
fn with_rows(bytes: &Uint8Array, written: u64) -> Result<Response, JsValue> {
    let headers = web_sys::Headers::new()?;
    headers.set(ROWS, &written.to_string())?;
    let init = ResponseInit::new();
    init.set_headers(&headers);
    Response::new_with_opt_buffer_source_and_init(Some(bytes), &init)
}

impl Log {
    fn rows_written(&self) -> u64 {
        self.shard.get().map_or(0, |shard| shard.store().rows_written())
    }

    async fn answer(&self, request: &Request) -> Result<Reply, Failure> {
        let shard = match self.shard.get() {
            Some(shard) => shard,
            None => self.wake(Some(&request.url())).await?,
        };
        let body = bytes_of(&settled(READING, request.array_buffer()).await?);
        let ask = Value::decode(&body).and_then(Ask::load).map_err(|malformed| Failure::lasting(READING, malformed))?;
        shard::serve(shard, &self.world()?, ask).await
    }

    /// Does after the answer what follows from events, unless it is being done.
    fn follow_up(log: &Rc<Self>) {
        if log.following.get() || !log.shard.get().is_some_and(Shard::has_follow_up) {
            return;
        }
        log.following.set(true);
        let held = Rc::clone(log);
        let done = future_to_promise(async move {
            held.follow_up_until_done().await;
            held.following.set(false);
            Ok(JsValue::UNDEFINED)
        });
        // Should the runtime refuse, the alarm does it.
        drop(log.context.wait_until(&done));
    }

    async fn follow_up_until_done(&self) {
        let (Some(shard), Ok(world)) = (self.shard.get(), self.world()) else { return };
        while shard.has_follow_up() && attempt_follow_up(shard, &world).await {}
    }

    /// Tells clients after the answer whose turn it is, unless that is being done.
    fn tell_clients(log: &Rc<Self>) {
        if log.telling.get() || !log.has_somebody_to_tell() {
            return;
        }
        let held = Rc::clone(log);
        let done = future_to_promise(async move {
            held.tell_clients_until_done().await;
            Ok(JsValue::UNDEFINED)
        });
        // Should the runtime refuse, the alarm does it.
        drop(log.context.wait_until(&done));
    }

    fn has_somebody_to_tell(&self) -> bool {
        self.shard.get().and_then(Shard::next_client_to_tell).is_some_and(|due| due <= now())
    }

    /// Leaves behind an alarm for the client whose turn is next.
    async fn tell_clients_until_done(&self) {
        let (Some(shard), Ok(world)) = (self.shard.get(), self.world()) else { return };
        if self.telling.replace(true) {
            return;
        }
        let mut done = Ok(());
        while done.is_ok() && self.has_somebody_to_tell() {
            done = shard::tell_clients(shard, &world).await;
        }
        self.telling.set(false);
        let left = match (&done, shard.next_client_to_tell()) {
            (Err(_), _) => shard.store().set_alarm(),
            (Ok(()), Some(due)) => shard.store().set_alarm_no_later(due),
            (Ok(()), None) => Ok(()),
        };
        for failure in [done, left].into_iter().filter_map(Result::err) {
            world.note(&format!("{}: telling clients of logouts: {failure}", shard.origin()));
        }
    }

    /// The alarm: rings again unless everything was done. Fails only before the next one is set, so
    /// that the runtime repeats it.
    async fn look_after(&self) -> Result<(), Failure> {
        let shard = match self.shard.get() {
            Some(shard) => shard,
            None => self.wake(None).await?,
        };
        shard.store().alarm_rang()?;
        let world = self.world()?;
        let is_up_to_date = attempt_follow_up(shard, &world).await;
        self.tell_clients_until_done().await;
        if !is_up_to_date || shard.has_follow_up() || self.telling.get() || self.has_somebody_to_tell() {
            return Ok(());
        }
        world.count(Metric::AlarmSucceeded, world.now().0);
        let rests = match shard.next_client_to_tell() {
            Some(due) => shard.store().put_off_alarm(due),
            None => shard.store().clear_alarm(),
        };
        if let Err(failure) = rests {
            world.note(&failure.to_string());
        }
        Ok(())
    }

    async fn wake(&self, url: Option<&str>) -> Result<&Shard<SqlStore>, Failure> {
        let store = SqlStore::open(self.context.storage().map_err(while_doing(WAKING))?).await?;
        let origin = own_name(&store, url.and_then(|url| url.strip_prefix(DOOR)))?;
        Ok(self.shard.get_or_init(|| Shard::new(origin, store)))
    }

    fn world(&self) -> Result<Workers, Failure> {
        Workers::of(&self.env).ok_or_else(|| Failure::lasting(WAKING, "the configuration is wrong"))
    }
}

/// Answers whether it succeeded; what fails is noted and left to the alarm.
async fn attempt_follow_up(shard: &Shard<SqlStore>, world: &Workers) -> bool {
    let Err(failure) = shard::follow_up(shard, world).await else { return true };
    world.note(&format!("{}: {failure}", shard.origin()));
    if let Err(failure) = shard.store().set_alarm() {
        world.note(&format!("{}: {failure}", shard.origin()));
    }
    false
}

/// The log's name: stored at the first contact, since an alarm does not tell it.
fn own_name(store: &SqlStore, told: Option<&str>) -> Result<Origin, Failure> {
    let name = match (store.name()?, told) {
        (Some(name), Some(told)) if name != told => {
            return Err(Failure::lasting(WAKING, format!("{told} was asked for, this is {name}")));
        }
        (Some(name), _) => return parsed(&name),
        (None, Some(told)) => parsed(told)?,
        (None, None) => return Err(Failure::lasting(WAKING, "it was never told its name")),
    };
    store.set_name(name.as_str())?;
    Ok(name)
}

fn parsed(name: &str) -> Result<Origin, Failure> {
    Origin::parse(name).map_err(|malformed| Failure::lasting(WAKING, malformed))
}
