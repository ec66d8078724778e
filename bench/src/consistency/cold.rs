//! V6: what the first request costs that finds nothing in memory, beside one that finds everything.
//!
//! After a start the health check has been there before it and the key ring is known; after 31 seconds of silence
//! nothing is, and the objects sleep.

use super::{Stage, median, milliseconds};
use crate::{Failure, connection::Connection, progress::Progress, wire};
use grantlog_tests::server::OwnServer;
use std::{
    thread,
    time::{Duration, Instant},
};

/// Longer than anything is remembered.
const SILENCE: Duration = Duration::from_secs(31);
/// Warm requests for each cold one.
const WARM: usize = 20;

/// One request's calls to logs and views, and its milliseconds.
type Cost = (u32, f64);

pub(super) struct Cold {
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    cold: Vec<Cost>,
    warm: Vec<Cost>,
}

pub(super) fn measure(starts: usize, silences: usize, progress: &Progress) -> Result<Cold, Failure> {
    let mut server = OwnServer::start("cold");
    let stage = Stage::at(&server.service())?;
    let token = stage.token();
    let requests = [wire::traced(&stage.userinfo(&token))?, wire::traced(&stage.exchange(&token))?];
    let row = |name| Row { name, cold: Vec::new(), warm: Vec::new() };
    let mut after_start = [row("/userinfo, after a start"), row("exchange, after a start")];
    let mut after_silence = [row("/userinfo, after 31 s"), row("exchange, after 31 s")];
    for number in 0..starts {
        server.kill();
        server.resume();
        take(number, &requests, &mut after_start, stage.port)?;
        progress.advance("first requests of a cold isolate");
    }
    for number in 0..silences {
        thread::sleep(SILENCE);
        take(number, &requests, &mut after_silence, stage.port)?;
        progress.advance("first requests after a silence");
    }
    let mut rows: Vec<Row> = after_start.into_iter().chain(after_silence).collect();
    rows.retain(|row| !row.cold.is_empty());
    Ok(Cold { rows })
}

/// The requests take turns, for only one can be the first.
fn take(number: usize, requests: &[Vec<u8>; 2], rows: &mut [Row; 2], port: u16) -> Result<(), Failure> {
    let turn = number % requests.len();
    let (Some(request), Some(row)) = (requests.get(turn), rows.get_mut(turn)) else { return Ok(()) };
    let mut connection = Connection::open(port)?;
    row.cold.push(ask(&mut connection, request)?);
    for _ in 0..WARM {
        row.warm.push(ask(&mut connection, request)?);
    }
    Ok(())
}

fn ask(connection: &mut Connection, request: &[u8]) -> Result<Cost, Failure> {
    let begun = Instant::now();
    connection.ask(request)?;
    let elapsed = milliseconds(begun.elapsed());
    let calls = connection.header("grantlog-calls").and_then(|calls| calls.parse().ok());
    Ok((calls.ok_or("the answer does not say how many calls were made")?, elapsed))
}

impl Cold {
    pub(super) fn print(&self) {
        println!(
            "first requests, medians{:>15} {:>7} {:>9} {:>9} {:>7}",
            "calls", "warm", "cold ms", "warm ms", "ratio"
        );
        for row in &self.rows {
            let most = |costs: &[Cost]| costs.iter().map(|(calls, _)| *calls).max().unwrap_or_default();
            let least = |costs: &[Cost]| costs.iter().map(|(calls, _)| *calls).min().unwrap_or_default();
            let time = |costs: &[Cost]| median(costs.iter().map(|(_, time)| *time).collect());
            let (cold, warm) = (time(&row.cold), time(&row.warm));
            let (calls, fewest) = (most(&row.cold), least(&row.warm));
            println!("  {:<29} {calls:>6} {fewest:>7} {cold:>9.1} {warm:>9.1} {:>7.1}", row.name, cold / warm);
        }
        println!();
    }
}
