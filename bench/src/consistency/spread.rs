//! E4: how a busy client's own grants lie over the logs.

use super::Stage;
use crate::{Failure, connection::Connection, progress::Progress};
use grantlog_events::Jti;
use grantlog_tests::jwt;
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// How many grants each log has.
pub(super) struct Spread {
    logs: BTreeMap<(u32, u32), usize>,
}

pub(super) fn measure(
    stage: &Stage,
    grants: usize,
    connections: usize,
    progress: &Progress,
) -> Result<Spread, Failure> {
    let (request, left) = (stage.own_grant(), AtomicUsize::new(grants));
    let mut logs = BTreeMap::new();
    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..connections.max(1)).map(|_| scope.spawn(|| take(stage.port, &request, &left, progress))).collect();
        for thread in threads {
            for log in thread.join().map_err(|_| "a loading thread panicked")?? {
                *logs.entry(log).or_default() += 1;
            }
        }
        Ok::<(), Failure>(())
    })?;
    Ok(Spread { logs })
}

/// Takes grants until none is left to take; answers where each lies.
fn take(port: u16, request: &[u8], left: &AtomicUsize, progress: &Progress) -> Result<Vec<(u32, u32)>, Failure> {
    let mut connection = Connection::open(port)?;
    let mut places = Vec::new();
    while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
        connection.ask(request)?;
        let body: serde_json::Value = serde_json::from_str(&connection.body())?;
        let token = body.pointer("/access_token").and_then(serde_json::Value::as_str).ok_or("no token")?;
        let claims = jwt::claims(token);
        let jti = claims.pointer("/jti").and_then(serde_json::Value::as_str).ok_or("no jti")?;
        let place = Jti::parse(jti).map_err(|_| "a jti of another form")?.address.place;
        places.push((place.epoch, place.shard));
        progress.advance("grants to one client");
    }
    Ok(places)
}

impl Spread {
    #[expect(clippy::cast_precision_loss, reason = "far fewer grants than 2^52")]
    pub(super) fn print(&self) {
        let (most, least) =
            (self.logs.values().max().copied().unwrap_or(0), self.logs.values().min().copied().unwrap_or(0));
        let grants: usize = self.logs.values().sum();
        let mean = grants as f64 / self.logs.len().max(1) as f64;
        println!("{grants} grants of client_credentials to one client");
        println!("  logs {}, fewest {least}, mean {mean:.1}, most {most}", self.logs.len());
        println!("  most ÷ mean {:.2}", most as f64 / mean);
    }
}
