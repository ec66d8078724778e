//! What a refreshing grant costs: the same on its last day as on its first.

use crate::{
    shard::Shard,
    visit::{OFFLINE, held, refresh},
};
use grantlog_events::{Event, Stored};

fn rows_and_bytes(shard: &Shard) -> (usize, usize) {
    shard
        .state()
        .rows()
        .fold((0, 0), |(rows, bytes), (key, row)| (rows + 1, bytes + key.as_str().len() + row.to_bytes().len()))
}

/// R19, E19: 90 days; only the digits of positions and generations grow.
#[test]
fn refreshing_daily_for_ninety_days_makes_neither_events_nor_rows_grow() {
    let (mut shard, subject) = Shard::home();
    let mut held_now = shard.device(&subject, "app", OFFLINE).held;
    let mut events: Vec<Event> = Vec::new();
    let (rows, bytes) = rows_and_bytes(&shard);
    for _ in 0..90 {
        shard.pass(86_400);
        let event = shard.granted(refresh(&held_now));
        held_now = held(&event);
        assert_eq!(held_now.refresh.generation, events.len() as u64 + 2);
        events.push(event);
    }
    let size = |event: &Event| event.to_bytes().len();
    assert!(size(&events[89]) <= size(&events[0]) + 4, "{} after {}", size(&events[89]), size(&events[0]));
    assert!(size(&events[0]) <= 400, "{}", size(&events[0]));
    let (rows_after, bytes_after) = rows_and_bytes(&shard);
    assert_eq!(rows_after, rows);
    assert!(bytes_after <= bytes + 24, "{bytes_after} after {bytes}");
    assert!(shard.lives(&held_now.token) && shard.refreshes(&held_now));
}
