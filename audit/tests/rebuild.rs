//! `rebuild` against a server of a few lines: what it says of equal and of differing views.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::grantlog;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    thread,
};

/// Gives one answer to one request; the request's first line comes back at the end.
fn serve(body: &Value) -> (String, thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let body = body.to_string();
    let asked = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
        let first = lines.next().unwrap();
        lines.take_while(|line| !line.is_empty()).for_each(drop);
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        first
    });
    (issuer, asked)
}

fn compared(view: &str, equal: bool) -> Value {
    json!({ "log": "1/3", "view": view, "rows": 2, "shadow": "aa", "live": "bb", "equal": equal })
}

/// E6.
#[test]
fn equal_views_end_with_0_and_a_differing_one_is_named() {
    let (issuer, asked) = serve(&json!({ "views": [compared("users", true), compared("read_model.keys", true)] }));
    let run = grantlog(&["rebuild", "--issuer", &issuer, "--token", "t"]);
    assert_eq!(asked.join().unwrap(), "POST /admin/rebuilds HTTP/1.1");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("users: 2 rows of 1 logs"), "{}", run.out);

    let (issuer, _asked) = serve(&json!({ "views": [compared("users", true), compared("clients", false)] }));
    let run = grantlog(&["rebuild", "--issuer", &issuer, "--token", "t"]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.out.contains("differs: clients of log 1/3"), "{}", run.out);
}

#[test]
fn one_view_can_be_asked_for_and_an_unknown_one_is_a_usage_error() {
    let views = json!({ "views": [compared("users", true), compared("clients", false)] });
    let (issuer, _asked) = serve(&views);
    assert_eq!(grantlog(&["rebuild", "--issuer", &issuer, "--token", "t", "--view", "users"]).code, 0);
    let (issuer, _asked) = serve(&views);
    assert_eq!(grantlog(&["rebuild", "--issuer", &issuer, "--token", "t", "--view", "tokens"]).code, 1);
}
