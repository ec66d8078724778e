//! What is missing from an export shows (19): files, manifests, logs whose birth is on record.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::{Export, FIRST, SECOND, World, assert_wrong};
use std::fs;

#[test]
fn a_missing_file_is_found() {
    for remove in [Export::events, Export::digests] {
        let export = World::new().write();
        fs::remove_file(remove(&export, SECOND)).unwrap();
        assert_wrong(&export.verify(), 19, "is missing");
    }
}

#[test]
fn a_directory_without_a_sound_manifest_is_no_export() {
    let export = World::new().write();
    fs::write(export.manifest(), "{}").unwrap();
    assert_wrong(&export.verify(), 19, "is not a manifest");
    let twice = [FIRST, FIRST];
    export.seal(twice);
    assert_wrong(&export.verify(), 19, "lists the log 1-0 twice");
    fs::remove_file(export.manifest()).unwrap();
    assert_wrong(&export.verify(), 19, "not a finished export");
}

#[test]
fn a_file_that_the_manifest_describes_otherwise_is_found() {
    let export = World::new().write();
    let digests = fs::read_to_string(export.digests(FIRST)).unwrap();
    fs::write(export.digests(FIRST), digests.replace('\n', "\r\n")).unwrap();
    assert_wrong(&export.verify(), 19, "logs/1-0/digests.hex: size or SHA-256");
}

/// An absent log shows, since the registry's log records every birth.
#[test]
fn a_log_left_out_is_found_by_its_birth() {
    let world = World::new();
    assert_wrong(&Export::write(&[&world.registry, &world.first]).verify(), 19, "op.example/log/1/1 was born");
    assert_wrong(&Export::write(&[&world.first, &world.second]).verify(), 19, "registry's log is missing");
}

#[test]
fn an_epoch_with_fewer_births_than_shards_is_found() {
    let mut world = World::new();
    world.registry.events.pop();
    let export = Export::write(&[&world.registry, &world.first]);
    assert_wrong(&export.verify(), 19, "Epoch 1 has 2 logs, but no birth of 1-1");
    let export = Export::write(&world.logs());
    assert_wrong(&export.verify(), 19, "no birth of 1-1");
}
