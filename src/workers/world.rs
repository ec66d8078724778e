//! The world of this isolate: made once, shared by the Worker and by every object that runs in it.
//!
//! Bindings and parsed keys may be kept for the isolate's life; stubs, streams and promises belong to
//! one request and are never kept here.

use super::{
    Fetch, KvD1, Objects, R2, WebCrypto,
    analytics::{self, Dataset},
    binding,
    counted::{Counted, Tally},
};
use crate::{
    config::{Config, Misconfigured},
    failure::Failure,
    http::Memory,
    metrics::{Account, Metric},
    ports::World,
};
use grantlog_events::Timestamp;
use js_sys::{Date, Function, Promise};
use std::{cell::OnceCell, rc::Rc};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use worker::{Env, console_log};

thread_local! {
    static ISOLATE: OnceCell<Option<&'static Isolate>> = const { OnceCell::new() };
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = setTimeout)]
    fn set_timeout(callback: &Function, milliseconds: u32) -> Result<JsValue, JsValue>;
}

/// What an isolate keeps for its life.
struct Isolate {
    log: Objects,
    views: KvD1,
    keys: WebCrypto,
    archive: R2,
    outbound: Fetch,
    config: Config,
    memory: Memory<WebCrypto>,
    account: Account,
    metrics: Option<Dataset>,
}

/// [`World`] on Cloudflare, as one request sees it: it counts its own calls.
pub struct Workers {
    isolate: &'static Isolate,
    log: Counted<Objects>,
    views: Counted<KvD1>,
    archive: Counted<R2>,
    tally: Rc<Tally>,
}

impl Workers {
    /// A request's world; `None` if the configuration is wrong, which is then logged, once.
    #[must_use]
    pub fn of(env: &Env) -> Option<Self> {
        Isolate::of(env).map(Self::around)
    }

    /// Lets the logs tell how many rows they write for this request.
    pub(super) fn trace(&self) {
        self.tally.rows.set(Some(0));
    }

    fn around(isolate: &'static Isolate) -> Self {
        let tally = Rc::<Tally>::default();
        Self {
            log: Counted::new(&isolate.log, &tally),
            views: Counted::new(&isolate.views, &tally),
            archive: Counted::new(&isolate.archive, &tally),
            isolate,
            tally,
        }
    }
}

impl Isolate {
    fn of(env: &Env) -> Option<&'static Self> {
        ISOLATE.with(|isolate| {
            *isolate.get_or_init(|| match Self::read(env) {
                Ok(workers) => Some(Box::leak(Box::new(workers))),
                Err(misconfigured) => {
                    console_log!("{misconfigured}");
                    None
                }
            })
        })
    }

    fn read(env: &Env) -> Result<Self, Misconfigured> {
        let config = Config::read(|name| binding::text(env, name))?;
        Ok(Self {
            log: Objects::new(binding::service(env, "LOG")?, config.host.clone()),
            views: KvD1::new(binding::service(env, "VIEWS")?, binding::service(env, "READ_MODEL")?),
            keys: WebCrypto::new(&config.kek, config.kek_previous.as_ref()),
            archive: R2::new(binding::service(env, "ARCHIVE")?),
            outbound: Fetch::new(&config.issuer),
            memory: Memory::default(),
            account: Account::default(),
            metrics: binding::service(env, "METRICS").ok(),
            config,
        })
    }
}

impl World for Workers {
    type Log = Counted<Objects>;
    type Views = Counted<KvD1>;
    type Keys = WebCrypto;
    type Archive = Counted<R2>;
    type Outbound = Fetch;

    fn log(&self) -> &Counted<Objects> {
        &self.log
    }

    fn views(&self) -> &Counted<KvD1> {
        &self.views
    }

    fn keys(&self) -> &WebCrypto {
        &self.isolate.keys
    }

    fn archive(&self) -> &Counted<R2> {
        &self.archive
    }

    fn outbound(&self) -> &Fetch {
        &self.isolate.outbound
    }

    fn config(&self) -> &Config {
        &self.isolate.config
    }

    fn memory(&self) -> &Memory<WebCrypto> {
        &self.isolate.memory
    }

    fn now(&self) -> Timestamp {
        now()
    }

    fn random(&self) -> Result<[u8; 32], Failure> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| Failure::passing("drawing random bytes", error))?;
        Ok(bytes)
    }

    async fn pause(&self, milliseconds: u32) {
        pause(milliseconds).await;
    }

    fn calls(&self) -> u32 {
        self.tally.calls.get()
    }

    fn rows_written(&self) -> Option<u64> {
        self.tally.rows.get()
    }

    fn count(&self, metric: Metric, value: u64) {
        if let Some(report) = self.isolate.account.count(metric, value, now()) {
            self.note(&report.line());
            if let Some(dataset) = &self.isolate.metrics {
                analytics::write(dataset, &report);
            }
        }
    }

    fn note(&self, line: &str) {
        console_log!("{line}");
    }
}

/// The clock; it stands still between two waits.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole milliseconds since 1970")]
pub(super) fn now() -> Timestamp {
    Timestamp(Date::now() as u64)
}

/// Waits; not at all if the runtime refuses a timer.
pub(super) async fn pause(milliseconds: u32) {
    let timer = Promise::new(&mut |resolve, _| {
        if set_timeout(&resolve, milliseconds).is_err() {
            drop(resolve.call0(&JsValue::UNDEFINED));
        }
    });
    drop(JsFuture::from(timer).await);
}
