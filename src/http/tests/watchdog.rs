//! Logs that lag without an alarm, and what the watchdog does about them.

use crate::{
    http::tests::deployment::Service,
    memory::{When, finished},
    metrics::Metric,
    ports::{Views, World},
    watchdog::look_after_all,
};
use grantlog_events::Place;
use http::Method;
use serde_json::json;

/// A deployment with people in all of its logs, of whom the read model knows nothing yet: nobody rings alarms here.
fn behind() -> Service {
    let deployment = Service::with(&[("LOG_SHARDS", "4")]);
    let token = deployment.operator("scim");
    for number in 0..10 {
        let user = json!({ "userName": format!("user-{number}") });
        deployment.send(Method::POST, "/scim/v2/Users", &token, Some(&user)).expect(201);
    }
    deployment
}

/// The logs of which the read model has not read everything.
fn lagging(deployment: &Service) -> Vec<Place> {
    let world = &deployment.world;
    let is_behind = |place: &Place| {
        let read = finished(world.views().read_model_position(*place)).unwrap().map_or(0, |seq| seq + 1);
        read < world.shard(*place).head().unwrap().next
    };
    world.places().into_iter().filter(is_behind).collect()
}

/// E8: an alarm that never rings again is made up for, in every log.
#[test]
fn logs_that_lag_without_an_alarm_catch_up() {
    let deployment = behind();
    assert_eq!(lagging(&deployment).len(), 5);
    finished(look_after_all(&deployment.world)).unwrap();
    assert_eq!(lagging(&deployment), []);
    assert_eq!(deployment.world.counted(Metric::WatchdogSucceeded), deployment.world.now().0);
}

#[test]
fn a_log_that_fails_holds_no_other_up() {
    for nth in 0.. {
        let deployment = behind();
        deployment.world.faults().fail(nth, When::Before, false);
        let done = finished(look_after_all(&deployment.world));
        if !deployment.world.faults().mend() {
            assert!(nth > 10 && done.is_ok());
            break;
        }
        let left = lagging(&deployment);
        // Before it is known which logs there are, none is asked.
        assert!(left.len() <= 1 || left.len() == 5, "a fault at {nth}: {left:?}");
        if done.is_err() {
            assert_eq!(deployment.world.counted(Metric::WatchdogSucceeded), 0);
        }
        // A write that failed may still land until then.
        deployment.wait(30_000);
        finished(look_after_all(&deployment.world)).unwrap();
        assert_eq!(lagging(&deployment), []);
    }
}

/// The first request opens the deployment, with the number of logs that is then configured; the watchdog does not.
#[test]
fn what_is_not_open_is_not_opened() {
    let deployment = Service::unopened(&[]);
    assert!(finished(look_after_all(&deployment.world)).is_err());
    assert_eq!(deployment.world.shard(Place::REGISTRY).head().unwrap().next, 0);
}
