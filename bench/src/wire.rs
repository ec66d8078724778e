//! Requests as bytes, made once and sent many times.

use crate::Failure;
use base64::{Engine, engine::general_purpose::STANDARD};
use grantlog_tests::{Client, request::encoded};

/// A request without a body.
pub(crate) fn get(port: u16, path: &str, bearer: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {bearer}\r\n\r\n").into_bytes()
}

/// The same request, asking what it cost.
pub(crate) fn traced(request: &[u8]) -> Result<Vec<u8>, Failure> {
    let line = request.windows(2).position(|pair| pair == b"\r\n").ok_or("a request without a line")? + 2;
    let (first, rest) = request.split_at(line);
    Ok([first, b"grantlog-trace: 1\r\n", rest].concat())
}

/// A form from a client that authenticates with HTTP Basic.
pub(crate) fn form(port: u16, path: &str, client: &Client, parameters: &[(&str, &str)]) -> Vec<u8> {
    let basic = STANDARD.encode(format!("{}:{}", encoded(&client.id), encoded(client.secret())));
    let pairs: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    let body = pairs.join("&");
    format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Basic {basic}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
