//! A closed load: as many connections as asked for, each with one request under way at any time.

use crate::{Failure, connection::Connection, progress::Progress, workerd::Workerd};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// What is asked, and of whom.
pub(crate) struct Scenario {
    /// What the figures are told under.
    pub(crate) name: &'static str,
    /// Where it listens.
    pub(crate) port: u16,
    /// The process whose work counts.
    pub(crate) workerd: Workerd,
    /// Sent in turn.
    pub(crate) requests: Vec<Vec<u8>>,
}

/// How much is asked.
#[derive(Clone, Copy)]
pub(crate) struct Amount {
    pub(crate) requests: usize,
    pub(crate) warm_up: usize,
    pub(crate) connections: usize,
}

/// What one round of one scenario came to.
#[derive(Clone, Copy)]
pub(crate) struct Figures {
    /// Requests per second.
    pub(crate) rate: f64,
    /// Milliseconds of the process's time per request.
    pub(crate) cpu: f64,
    /// Connections that the server closed instead of answering.
    pub(crate) lost: usize,
}

impl Scenario {
    /// One round, after warming up.
    pub(crate) fn measure(&self, amount: Amount, progress: &Progress) -> Result<Figures, Failure> {
        let mut connections =
            (0..amount.connections).map(|_| Connection::open(self.port)).collect::<Result<Vec<_>, _>>()?;
        self.load(&mut connections, amount.warm_up, progress)?;
        let before = self.workerd.cpu()?;
        let elapsed = self.load(&mut connections, amount.requests, progress)?;
        let cpu = self.workerd.cpu()?.saturating_sub(before);
        #[expect(clippy::cast_precision_loss, reason = "far fewer requests than 2^52")]
        let requests = amount.requests as f64;
        Ok(Figures {
            rate: requests / elapsed.as_secs_f64(),
            cpu: cpu.as_secs_f64() * 1_000.0 / requests,
            lost: connections.iter().map(Connection::lost).sum(),
        })
    }

    fn load(&self, connections: &mut [Connection], requests: usize, progress: &Progress) -> Result<Duration, Failure> {
        let next = AtomicUsize::new(0);
        let start = Instant::now();
        thread::scope(|scope| {
            let threads: Vec<_> = connections
                .iter_mut()
                .map(|connection| scope.spawn(|| self.load_one(connection, &next, requests, progress)))
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a loading thread panicked")?)
        })
        .map_err(|failure| format!("{}: {failure}", self.name))?;
        Ok(start.elapsed())
    }

    fn load_one(
        &self,
        connection: &mut Connection,
        next: &AtomicUsize,
        requests: usize,
        progress: &Progress,
    ) -> Result<(), Failure> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= requests {
                return Ok(());
            }
            let turn = index.checked_rem(self.requests.len()).ok_or("nothing to ask")?;
            let asked = self.requests.get(turn).map_or(Err("nothing to ask".into()), |request| connection.ask(request));
            if asked.is_err() {
                // The others stop too.
                next.store(requests, Ordering::Relaxed);
            }
            asked?;
            progress.advance(self.name);
        }
    }
}
