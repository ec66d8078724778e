//! A log begins with its opening, which names this log, and is opened once.

use super::{Appended, Held};
use grantlog_events::Body;

pub(super) fn stands_first(appended: &Appended<'_>) -> Held {
    let event = appended.event;
    match (&event.body, event.seq) {
        (Body::LogOpened(log), 0) if log.place == event.origin.place() => Ok(()),
        (Body::LogOpened(_), 0) => Err("the log was opened as another one".to_owned()),
        (Body::LogOpened(_), _) => Err("the log is opened a second time".to_owned()),
        (_, 0) => Err("the log does not begin with its opening".to_owned()),
        (_, _) => Ok(()),
    }
}
