//! A bar on stderr where a person watches; nothing where a program does.

use indicatif::{ProgressBar, ProgressStyle};
use std::{io::IsTerminal, time::Duration};

const BYTES: &str = "{msg} {wide_bar} {binary_bytes}/{binary_total_bytes} {eta}";
const WAITING: &str = "{spinner} {msg}: {elapsed}";
const EVENTS: &str = "{spinner} {msg}: {pos} events, {per_sec}";

/// A bar over a known number of bytes.
pub(crate) fn over_bytes(total: u64, what: &'static str) -> ProgressBar {
    shown(ProgressBar::new(total), BYTES, what)
}

/// A counter of events whose number is not known.
pub(crate) fn of_events(what: &'static str) -> ProgressBar {
    shown(ProgressBar::no_length(), EVENTS, what)
}

/// A spinner while the server works.
pub(crate) fn of_waiting(what: &'static str) -> ProgressBar {
    let bar = shown(ProgressBar::no_length(), WAITING, what);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn shown(bar: ProgressBar, template: &str, what: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style).with_message(what),
        Err(_) => ProgressBar::hidden(),
    }
}
