//! V3: from the acknowledged revocation to the first 401 at `/userinfo`.

use super::{Stage, milliseconds, quantile};
use crate::{Failure, connection::Connection, progress::Progress};
use std::time::Instant;

/// After this many answers that the token lives something is broken.
const MOST_LOOKS: u32 = 10_000;

/// Milliseconds, each in ascending order.
pub(super) struct Revocations {
    acknowledged: Vec<f64>,
    seen: Vec<f64>,
    /// Answers after the acknowledgement that the token lives.
    alive: u32,
}

pub(super) fn measure(stage: &Stage, count: usize, progress: &Progress) -> Result<Revocations, Failure> {
    let mut connection = Connection::open(stage.port)?;
    let mut figures = Revocations { acknowledged: Vec::new(), seen: Vec::new(), alive: 0 };
    for _ in 0..count {
        let token = stage.token();
        let (userinfo, revocation) = (stage.userinfo(&token), stage.revocation(&token));
        connection.ask(&userinfo)?;
        let begun = Instant::now();
        connection.ask(&revocation)?;
        let acknowledged = Instant::now();
        let mut looks = 0;
        while connection.status_of(&userinfo)? != 401 {
            looks += 1;
            if looks > MOST_LOOKS {
                return Err("a revoked token stays alive".into());
            }
        }
        figures.seen.push(milliseconds(acknowledged.elapsed()));
        figures.acknowledged.push(milliseconds(acknowledged - begun));
        figures.alive += looks;
        progress.advance("revocations");
    }
    figures.acknowledged.sort_by(f64::total_cmp);
    figures.seen.sort_by(f64::total_cmp);
    Ok(figures)
}

impl Revocations {
    pub(super) fn print(&self) {
        println!("{} revocations, in milliseconds{:>31} {:>8} {:>8}", self.seen.len(), "p50", "p99", "max");
        for (what, values) in [
            ("from the request to its acknowledgement", &self.acknowledged),
            ("from the acknowledgement to the first 401 at /userinfo", &self.seen),
        ] {
            let [half, most, all] = [50, 99, 100].map(|percent| quantile(values, percent));
            println!("  {what:<54} {half:>7.1} {most:>8.1} {all:>8.1}");
        }
        println!("  answers after it that the token lives: {}\n", self.alive);
    }
}
