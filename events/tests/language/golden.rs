//! Golden files: the bytes of each stored form, pinned. `GOLDEN_UPDATE=1` rewrites them; once released, a
//! changed line is a broken log, not an update.

use crate::{sample, sample_commands, sample_rows};
use grantlog_events::{Body, Command, Event, Refusal, Stored, state::Row};
use std::{
    collections::{BTreeSet, HashSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

const BYTES_PER_LINE: usize = 32;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn hex_lines(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.chunks(BYTES_PER_LINE) {
        for byte in line {
            write!(text, "{byte:02x}").unwrap();
        }
        text.push('\n');
    }
    text
}

pub fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.chars().filter_map(|c| c.to_digit(16)).map(|d| u8::try_from(d).unwrap()).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

fn holds(path: &Path, text: &str) {
    if std::env::var_os("GOLDEN_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let pinned = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(pinned, text, "{} pins other bytes (GOLDEN_UPDATE=1 rewrites it)", path.file_name().unwrap().display());
}

fn names_in(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

/// E17, E19: what stands in a log for ever is looked at once by a person, in a diff.
#[test]
fn every_event_is_stored_as_pinned_and_read_back_from_the_pinned_bytes() {
    for (name, event) in sample::events() {
        let path = folder("events").join(format!("{name}.hex"));
        holds(&path, &hex_lines(&event.to_bytes()));
        let pinned = bytes_of(&fs::read_to_string(&path).unwrap());
        assert_eq!(Event::from_bytes(&pinned).unwrap(), event, "{name}");
    }
}

#[test]
fn every_registered_event_type_has_a_golden_file_and_no_golden_file_is_left_over() {
    let pinned = names_in(&folder("events"));
    let sampled: BTreeSet<String> = sample::events().into_iter().map(|(name, _)| name).collect();
    assert_eq!(pinned, sampled);
    for (number, name) in Body::REGISTRY {
        assert!(pinned.contains(*name), "event type {number} {name} has no golden file");
    }
}

#[test]
fn every_row_is_stored_as_pinned_and_read_back_from_the_pinned_bytes() {
    for (key, row) in sample_rows::rows() {
        let kind = key.split('/').next().unwrap();
        let path = folder("rows").join(format!("{kind}.hex"));
        holds(&path, &hex_lines(&row.to_bytes()));
        let (read_key, read) = Row::read(key, &bytes_of(&fs::read_to_string(&path).unwrap())).unwrap();
        assert_eq!((read_key.as_str(), &read), (key, &row));
    }
    assert_eq!(names_in(&folder("rows")).len(), sample_rows::rows().len());
}

#[test]
fn every_command_is_stored_as_pinned_and_read_back_from_the_pinned_bytes() {
    let mut kinds = HashSet::new();
    for (name, command) in sample_commands::all() {
        let path = folder("commands").join(format!("{name}.hex"));
        holds(&path, &hex_lines(&command.to_bytes()));
        let pinned = bytes_of(&fs::read_to_string(&path).unwrap());
        assert_eq!(Command::from_bytes(&pinned).unwrap(), command, "{name}");
        kinds.insert(std::mem::discriminant(&command));
    }
    assert_eq!(kinds.len(), sample_commands::all().len(), "two samples of one kind");
    assert_eq!(names_in(&folder("commands")).len(), kinds.len());
}

#[test]
fn the_registry_of_event_types_is_closed_ordered_and_pinned() {
    holds(&folder("registry.txt"), &table(Body::REGISTRY.iter().copied()));
    assert!(Body::REGISTRY.windows(2).all(|pair| pair[0].0 < pair[1].0), "numbers ascend and are used once");
}

#[test]
fn the_table_of_refusals_is_pinned_and_no_number_or_name_is_used_twice() {
    holds(&folder("refusals.txt"), &table(Refusal::ALL.iter().map(|refusal| (refusal.number(), refusal.name()))));
    let numbers: BTreeSet<u64> = Refusal::ALL.iter().map(|refusal| refusal.number()).collect();
    let names: BTreeSet<&str> = Refusal::ALL.iter().map(|refusal| refusal.name()).collect();
    assert_eq!((numbers.len(), names.len()), (Refusal::ALL.len(), Refusal::ALL.len()));
    for refusal in Refusal::ALL {
        assert_eq!(Refusal::named(refusal.name()), Some(*refusal));
    }
}

fn table(entries: impl Iterator<Item = (u64, &'static str)>) -> String {
    entries.map(|(number, name)| format!("{number} {name}")).collect::<Vec<_>>().join("\n") + "\n"
}
