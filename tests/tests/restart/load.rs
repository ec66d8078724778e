//! Load that ends when the server does: what was acknowledged is remembered, what was not is forgotten.

use grantlog_tests::{
    Answer,
    client::grant,
    party::{Cast, SCOPE},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

const WORKERS: usize = 4;

/// What the server answered 200 for.
#[derive(Default)]
pub(crate) struct Acknowledged {
    /// Tokens that must live, each with whether it was exchanged.
    pub(crate) tokens: Vec<(String, bool)>,
    /// Tokens that must be dead.
    pub(crate) revoked: Vec<String>,
}

impl Acknowledged {
    pub(crate) fn add(&mut self, more: Self) {
        self.tokens.extend(more.tokens);
        self.revoked.extend(more.revoked);
    }
}

/// Threads that issue, exchange and revoke until no answer comes.
pub(crate) struct Load {
    ends: Arc<AtomicBool>,
    workers: Vec<JoinHandle<Acknowledged>>,
}

impl Load {
    pub(crate) fn begin(cast: &Cast) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let workers = (0..WORKERS).map(|_| {
            let (cast, ends) = (cast.clone(), Arc::clone(&ends));
            thread::spawn(move || work(&cast, &ends))
        });
        Self { workers: workers.collect(), ends }
    }

    /// Waits for the threads, which notice that the server is gone.
    pub(crate) fn end(self) -> Acknowledged {
        self.ends.store(true, Ordering::Relaxed);
        let mut all = Acknowledged::default();
        for worker in self.workers {
            all.add(worker.join().expect("a worker does not panic"));
        }
        all
    }
}

fn work(cast: &Cast, ends: &AtomicBool) -> Acknowledged {
    let mut gained = Acknowledged::default();
    while !ends.load(Ordering::Relaxed) {
        if turn(cast, &mut gained).is_none() {
            break;
        }
    }
    gained
}

/// One token that lives, with a child, and one that dies; `None` once the server is gone.
fn turn(cast: &Cast, gained: &mut Acknowledged) -> Option<()> {
    let living = issued(cast)?;
    gained.tokens.push((living.clone(), false));
    let exchange = cast.backend.exchange(&living).audience(&cast.service.issuer).request();
    gained.tokens.push((acknowledged(exchange.try_send().ok()?).access_token(), true));
    let doomed = issued(cast)?;
    acknowledged(cast.frontend.form("revocation_endpoint", &[("token", &doomed)]).try_send().ok()?);
    gained.revoked.push(doomed);
    Some(())
}

fn issued(cast: &Cast) -> Option<String> {
    let assertion = cast.login.assertion(&cast.service.issuer, &cast.user.id);
    let form = [("grant_type", grant::JWT_BEARER), ("assertion", assertion.as_str()), ("scope", SCOPE)];
    let answer = cast.frontend.form("token_endpoint", &form).try_send().ok()?;
    Some(acknowledged(answer).access_token())
}

#[track_caller]
fn acknowledged(answer: Answer) -> Answer {
    answer.expect(200)
}
