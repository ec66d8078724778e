//! `export` against a server of a few lines: paging, patience, and what it writes down.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::{Export, FIRST, World, fresh_path, grantlog};
use grantlog_projections::rendered;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    thread,
};

/// One answer: status line, further headers, body.
type Answer = (&'static str, &'static str, String);

/// Gives these answers, one per request; the request heads come out of the channel.
fn serve(answers: Vec<Answer>) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let (heads, asked) = mpsc::channel();
    thread::spawn(move || {
        for answer in answers {
            let (stream, _) = listener.accept().unwrap();
            heads.send(head(&stream)).unwrap();
            respond(stream, &answer);
        }
    });
    (issuer, asked)
}

fn head(stream: &TcpStream) -> String {
    let lines = BufReader::new(stream).lines().map(Result::unwrap);
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn respond(mut stream: TcpStream, (status, headers, body): &Answer) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
}

fn ok(body: &Value) -> Answer {
    ("200 OK", "Content-Type: application/json\r\n", body.to_string())
}

/// The world's events as pages of five, as the contract has them.
fn pages(world: &World) -> Vec<Answer> {
    let rendered = |(event, bytes): &(_, Vec<u8>)| rendered::event(event, bytes, true, &|_| None);
    let events: Vec<Value> = world.logs().iter().flat_map(|log| log.events.iter().map(rendered)).collect();
    let count = events.chunks(5).count();
    let page = |(number, events): (usize, &[Value])| {
        let next = (number + 1 < count).then(|| format!("after page&{number}"));
        let mut page = json!({ "events": events });
        if let Some(next) = next {
            page["next"] = Value::from(next);
        }
        ok(&page)
    };
    events.chunks(5).enumerate().map(page).collect()
}

fn export_to(issuer: &str, out: &str) -> bundle::Ended {
    grantlog(&["export", "--issuer", issuer, "--token", "the-token", "--out", out])
}

#[test]
fn an_export_holds_every_log_and_verifies() {
    let world = World::new();
    let (issuer, asked) = serve(pages(&world));
    let export = Export(fresh_path("export"));
    let ended = export_to(&issuer, &export.path());
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.out.starts_with("exported 13 events of 3 logs to "), "{}", ended.out);
    assert_eq!(export.verify().code, 0, "{}", export.verify().out);
    assert_eq!(grantlog(&["diff", &export.path(), &world.write().path()]).code, 0);
    let manifest: Value = serde_json::from_slice(&fs::read(export.manifest()).unwrap()).unwrap();
    assert_eq!(manifest["issuer"], issuer);
    assert_eq!(manifest["logs"][1]["origin"], "op.example/log/1/0");
    assert_eq!(manifest["logs"][1]["events"], 7);
    assert_eq!(manifest["logs"][1]["files"][0]["path"], "logs/1-0/events.cborseq");
    let heads: Vec<String> = asked.iter().collect();
    assert!(heads[0].starts_with("GET /audit/events?raw=true&limit=1000 HTTP/1.1"), "{}", heads[0]);
    assert!(heads[0].to_ascii_lowercase().contains("authorization: bearer the-token"));
    assert!(heads[1].starts_with("GET /audit/events?raw=true&limit=1000&after=after%20page%260 "), "{}", heads[1]);
    assert_eq!(heads.len(), 3);
}

/// V1: a server that cannot read its log says 503, and is asked again.
#[test]
fn an_unavailable_log_is_asked_for_again() {
    let world = World::new();
    let unavailable = || ("503 Service Unavailable", "Retry-After: 0\r\n", String::new());
    let mut answers = vec![unavailable(), unavailable()];
    answers.extend(pages(&world));
    let (issuer, _asked) = serve(answers);
    let export = Export(fresh_path("export"));
    assert_eq!(export_to(&issuer, &export.path()).code, 0);
    assert_eq!(export.verify().code, 0);
    let (issuer, asked) = serve((0..6).map(|_| unavailable()).collect());
    let given_up = Export(fresh_path("export"));
    let ended = export_to(&issuer, &given_up.path());
    assert_eq!((ended.code, asked.iter().count()), (2, 6));
    assert!(ended.err.contains("could not read its log, 6 times in a row"), "{}", ended.err);
    assert!(!given_up.manifest().exists());
}

#[test]
fn what_the_server_refuses_is_said_in_a_sentence_without_the_token() {
    for (status, words) in [
        ("401 Unauthorized", "not accepted"),
        ("403 Forbidden", "lacks the scope \"audit\""),
        ("404 Not Found", "no audit log"),
        ("500 Internal Server Error", "answered 500"),
        ("302 Found", "answered 302"),
    ] {
        let (issuer, _asked) = serve(vec![(status, "Location: http://elsewhere.example/\r\n", String::new())]);
        let export = Export(fresh_path("export"));
        let ended = export_to(&issuer, &export.path());
        assert_eq!(ended.code, 2, "{status}");
        assert!(ended.err.contains(words), "{status}: {}", ended.err);
        assert_eq!(ended.err.lines().count(), 1);
        assert!(!ended.err.contains("the-token"));
    }
}

#[test]
fn an_export_that_broke_off_has_no_manifest() {
    let world = World::new();
    let mut answers = pages(&world);
    answers.truncate(1);
    answers.push(ok(&json!({ "events": [{ "address": "1.0.0", "raw": "AA", "digest": "00" }] })));
    let (issuer, _asked) = serve(answers);
    let export = Export(fresh_path("export"));
    let ended = export_to(&issuer, &export.path());
    assert!(ended.err.contains("listed 1.0.0 without a usable digest"), "{}", ended.err);
    assert_eq!((ended.code, export.verify().code), (2, 19));
}

#[test]
fn a_cursor_that_does_not_move_ends_the_export() {
    let page = || ok(&json!({ "events": [], "next": "here" }));
    let (issuer, asked) = serve(vec![page(), page()]);
    let export = Export(fresh_path("export"));
    let ended = export_to(&issuer, &export.path());
    assert!(ended.err.contains("the same page twice"), "{}", ended.err);
    assert_eq!((ended.code, asked.iter().count()), (2, 2));
}

/// An event whose bytes are not those of its digest is written down as it came, and found.
#[test]
fn what_the_server_got_wrong_is_kept_and_found() {
    let world = World::new();
    let mut answers = pages(&world);
    let mut page: Value = serde_json::from_str(&answers[1].2).unwrap();
    page["events"][1]["digest"] = json!("0".repeat(64));
    answers[1] = ok(&page);
    let (issuer, _asked) = serve(answers);
    let export = Export(fresh_path("export"));
    assert_eq!(export_to(&issuer, &export.path()).code, 0);
    let ended = export.verify();
    assert_eq!(ended.code, 13, "{}", ended.out);
    assert!(export.events(FIRST).exists());
}

#[test]
fn a_directory_that_holds_an_export_is_left_alone() {
    let export = World::new().write();
    let before = fs::read(export.manifest()).unwrap();
    let ended = export_to("http://127.0.0.1:1", &export.path());
    assert_eq!((ended.code, fs::read(export.manifest()).unwrap()), (1, before));
    assert!(ended.err.contains("holds an export already"));
    assert_eq!(export_to("op.example", fresh_path("export").to_str().unwrap()).code, 1);
    assert_eq!(grantlog(&["export", "--issuer", "http://x", "--out", "y"]).code, 1, "no token");
}

#[test]
fn a_server_that_is_not_there_is_said_in_a_sentence() {
    let export = Export(fresh_path("export"));
    let ended = export_to("http://127.0.0.1:1", &export.path());
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("cannot be reached"), "{}", ended.err);
}
