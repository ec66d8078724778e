//! Work that must not be done twice at once in one object, though requests in it interleave.

use crate::{failure::Failure, ports::World};
use grantlog_events::Timestamp;
use std::cell::Cell;

/// A turn that was taken this long ago, in milliseconds, was lost with its request.
const LOST_AFTER: u64 = 60_000;
/// Between two tries to take it, in milliseconds.
const PAUSE: u32 = 50;
/// How many tries.
const PATIENCE: u32 = 600;

/// Whose turn it is. Lost with the object, and then nobody's.
#[derive(Debug, Default)]
pub(super) struct Turn(Cell<Option<Timestamp>>);

impl Turn {
    /// Does the work when nobody else is at it, waiting half a minute at most.
    pub(super) async fn take<W: World, T>(
        &self,
        world: &W,
        doing: &'static str,
        work: impl AsyncFnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        for _ in 0..PATIENCE {
            if self.begin(world.now()) {
                let done = work().await;
                self.0.set(None);
                return done;
            }
            world.pause(PAUSE).await;
        }
        Err(Failure::passing(doing, "another request is still at it"))
    }

    fn begin(&self, now: Timestamp) -> bool {
        let taken = self.0.get().is_some_and(|since| now.since(since) < LOST_AFTER);
        if !taken {
            self.0.set(Some(now));
        }
        !taken
    }
}
