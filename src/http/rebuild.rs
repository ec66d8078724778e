//! `POST /admin/rebuilds`: every view made anew from the log beside the live one, and compared by hash.
//!
//! Changes nothing but what was owed to the views anyway.

use super::{Request, Response, Stop, answer, operator, stop::odd_reply};
use crate::{
    jose,
    ports::{Log, World},
    shard::{Ask, ComparedView, Query, Reply},
};
use futures_util::future::join_all;
use grantlog_events::Place;
use serde_json::{Value, json};

/// How many logs are asked at a time.
const AT_A_TIME: usize = 8;

pub(super) async fn compare<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    operator::with_scope(world, request, "admin").await?;
    let ring = jose::ring::ring(world).await?;
    let mut places = vec![Place::REGISTRY];
    for (epoch, shards) in ring.epochs() {
        places.extend((0..*shards).map(|shard| Place { epoch: *epoch, shard }));
    }
    let mut views = Vec::new();
    for places in places.chunks(AT_A_TIME) {
        for (place, compared) in places.iter().zip(join_all(places.iter().map(|place| one(world, *place))).await) {
            views.extend(compared?.iter().map(|view| shown(*place, view)));
        }
    }
    let equal = views.iter().all(|view| view.get("equal") == Some(&Value::Bool(true)));
    Ok(answer::json(&json!({ "equal": equal, "views": views })))
}

async fn one<W: World>(world: &W, place: Place) -> Result<Vec<ComparedView>, Stop> {
    match world.log().ask(place, &Ask::Read(Query::Compare)).await? {
        Reply::Compared(views) => Ok(views),
        _ => Err(odd_reply()),
    }
}

fn shown(place: Place, view: &ComparedView) -> Value {
    json!({
        "log": format!("{}/{}", place.epoch, place.shard),
        "view": view.view,
        "rows": view.rows,
        "shadow": view.shadow.hex(),
        "live": view.live.hex(),
        "equal": view.shadow == view.live,
    })
}
