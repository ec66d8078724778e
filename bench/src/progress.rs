//! How far a run is, for who watches it; nothing where nobody does.

use std::{
    io::{IsTerminal, Write, stderr},
    sync::atomic::{AtomicUsize, Ordering},
};

/// Cells of the bar.
const WIDTH: usize = 30;

/// Requests done of all that will be.
pub(crate) struct Progress {
    done: AtomicUsize,
    total: usize,
    shown: bool,
}

impl Progress {
    /// A run of this many requests.
    pub(crate) fn of(total: usize) -> Self {
        Self { done: AtomicUsize::new(0), total: total.max(1), shown: stderr().is_terminal() }
    }

    /// One more is done.
    pub(crate) fn advance(&self, doing: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.shown && done * 200 / self.total != (done - 1) * 200 / self.total {
            let filled = (done * WIDTH / self.total).min(WIDTH);
            let bar = format!("{}{}", "#".repeat(filled), ".".repeat(WIDTH - filled));
            // A bar that cannot be drawn is no reason to stop.
            let _ = write!(stderr(), "\r[{bar}] {:>3} %  {doing:<40}", (done * 100 / self.total).min(100));
        }
    }
}

/// Leaves an empty line for what comes next.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(stderr(), "\r{:<90}\r", "");
        }
    }
}
