//! The logs in memory: each place has its shard, and a call to it is served as the object serves it.

use super::{MemoryStore, MemoryWorld};
use crate::{
    failure::Failure,
    ports::Log,
    shard::{Ask, Reply, Shard, serve},
};
use grantlog_events::Place;
use std::{pin::Pin, rc::Rc};

impl Log for MemoryWorld {
    async fn ask(&self, place: Place, ask: &Ask) -> Result<Reply, Failure> {
        let inside = self.inside();
        let shard = self.shard(place);
        let served = async move { served(shard, inside, ask.clone()).await };
        self.faults().pass("log.ask", self.is_edge(), served).await
    }
}

/// Boxed, since a shard asks other shards.
fn served(
    shard: Rc<Shard<MemoryStore>>,
    world: MemoryWorld,
    ask: Ask,
) -> Pin<Box<dyn Future<Output = Result<Reply, Failure>>>> {
    Box::pin(async move { serve(&shard, &world, ask).await })
}
