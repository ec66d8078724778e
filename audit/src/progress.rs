//! A bar on stderr where a person watches; nothing where a program does.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

const BYTES: &str = "{msg} {wide_bar} {binary_bytes}/{binary_total_bytes} {eta}";
const EVENTS: &str = "{spinner} {msg}: {pos} events, {per_sec}";

/// A bar over a known number of bytes.
pub(crate) fn over_bytes(total: u64, what: &'static str) -> ProgressBar {
    shown(ProgressBar::new(total), BYTES, what)
}

/// A counter of events whose number is not known.
pub(crate) fn of_events(what: &'static str) -> ProgressBar {
    shown(ProgressBar::no_length(), EVENTS, what)
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
