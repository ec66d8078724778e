//! The export, the check that needs no server, and a forgery that the check must find.

use crate::transcript::{Told, Transcript};
use grantlog_tests::{Service, audit::Auditor, command_line, random::unique};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

pub(crate) fn export_and_verify(transcript: &mut Transcript, service: &Service) {
    let directory = env::temp_dir().join(format!("grantlog-demo-{}", unique()));
    let (genuine, forged) = (directory.join("export"), directory.join("forged"));
    transcript.step("Export every log", |told| {
        fs::create_dir_all(&directory).expect("the directory of temporary files can be written");
        told.asked("grantlog export");
        let ran = command_line::export(&service.issuer, &Auditor::of(service).token, &genuine);
        told.came(ran.printed.trim());
        told.holds("exit code 0", ran.code == 0);
    });
    transcript.step("Verify it, without asking the server", |told| {
        told.asked("grantlog verify");
        let ran = command_line::verify(&genuine);
        told.came(ran.printed.trim());
        told.holds("exit code 0", ran.code == 0);
    });
    transcript.step("Forge one byte of a copy, and verify that", |told| forge(told, &genuine, &forged));
    drop(fs::remove_dir_all(&directory));
}

fn forge(told: &mut Told, genuine: &Path, forged: &Path) {
    copy(genuine, forged);
    let log = longest(&forged.join("logs"));
    let mut bytes = fs::read(&log).expect("an exported log can be read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, bytes).expect("a copy can be written");
    told.asked("grantlog verify, of the copy");
    let ran = command_line::verify(forged);
    told.came(ran.printed.trim());
    told.holds(&format!("refused with exit code {}", ran.code), ran.code >= 10);
}

fn longest(logs: &Path) -> PathBuf {
    let files =
        fs::read_dir(logs).expect("an export has logs").map(|log| log.expect("a log").path().join("events.cborseq"));
    files.max_by_key(|file| fs::metadata(file).map_or(0, |metadata| metadata.len())).expect("an export has a log")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a copy can be made");
    for entry in fs::read_dir(from).expect("an export can be listed").map(|entry| entry.expect("an entry")) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a file can be copied");
        }
    }
}
