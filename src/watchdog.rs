//! The watchdog: every minute each log is asked to look after itself, whatever became of its alarm (E8).
//!
//! The runtime repeats an alarm that fails six times, and then is silent. A log that is well answers after one
//! read of the position that its projector has reached; one that lags catches up.

use crate::{
    failure::Failure,
    jose,
    metrics::Metric,
    ports::{Log, World},
    shard::{Ask, Query},
};
use futures_util::future::join_all;
use grantlog_events::Place;

/// Has every log look after itself. One that fails holds no other up; the first failure is
/// told. Opens nothing: a deployment that no request has opened has no logs.
pub async fn look_after_all<W: World>(world: &W) -> Result<(), Failure> {
    let done = look_after_each(world).await;
    if done.is_ok() {
        world.count(Metric::WatchdogSucceeded, world.now().0);
    }
    done
}

async fn look_after_each<W: World>(world: &W) -> Result<(), Failure> {
    // Fails unless the deployment is open; reading the ring would open it.
    world.log().ask(Place::REGISTRY, &Ask::Read(Query::Events(0, 1))).await?;
    let ring = jose::ring::ring(world).await?;
    let shards = ring.epochs().iter().flat_map(|(epoch, shards)| {
        let epoch = *epoch;
        (0..*shards).map(move |shard| Place { epoch, shard })
    });
    let places = [Place::REGISTRY].into_iter().chain(shards);
    join_all(places.map(|place| look_after(world, place))).await.into_iter().collect()
}

async fn look_after<W: World>(world: &W, place: Place) -> Result<(), Failure> {
    world.log().ask(place, &Ask::LookAfter).await.map(drop)
}
