//! Reads a request out of JavaScript: method, path with query, the headers that somebody here reads,
//! and the body up to one byte over what the router takes.

use super::thrown::bytes_of;
use crate::http::{CLIENT_ADDRESS, MAX_BODY as MOST_BODY, TRACE, is_for_browsers};
use ::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Uri,
    header::{ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, IF_NONE_MATCH},
};
use js_sys::{JsString, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    type Headers;
    type Stream;
    type Reader;
    type Chunk;

    #[wasm_bindgen(method, catch)]
    fn get(this: &Headers, name: &JsString) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn reader(this: &Stream) -> Result<Reader, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn read(this: &Reader) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn cancel(this: &Reader) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn value(this: &Chunk) -> JsValue;
}

thread_local! {
    static NAMES: Names = Names::new();
}

/// The headers to read, each with its name as JavaScript has it.
struct Names {
    without_body: Vec<(HeaderName, JsString)>,
    with_body: Vec<(HeaderName, JsString)>,
    of_browsers: Vec<(HeaderName, JsString)>,
}

impl Names {
    fn new() -> Self {
        let named = |names: &[HeaderName]| names.iter().map(|name| (name.clone(), name.as_str().into())).collect();
        Self {
            without_body: named(&[AUTHORIZATION, IF_NONE_MATCH, TRACE]),
            with_body: named(&[AUTHORIZATION, CONTENT_TYPE, CONTENT_LENGTH, TRACE]),
            of_browsers: named(&[COOKIE, ACCEPT_LANGUAGE, CONTENT_TYPE, CONTENT_LENGTH, CLIENT_ADDRESS, TRACE]),
        }
    }

    fn of(&self, method: &Method, path: &str) -> &[(HeaderName, JsString)] {
        match *method {
            _ if is_for_browsers(path) => &self.of_browsers,
            Method::GET | Method::HEAD | Method::OPTIONS => &self.without_body,
            _ => &self.with_body,
        }
    }
}

/// The request; `None` if it is none that this side can hold, or if it breaks off.
pub(super) async fn read(request: &web_sys::Request) -> Option<Request<Vec<u8>>> {
    let method = Method::from_bytes(request.method().as_bytes()).ok()?;
    let uri = path_and_query(&request.url())?;
    let headers = NAMES.with(|names| headers(request, names.of(&method, uri.path())))?;
    let body = match method {
        Method::GET | Method::HEAD | Method::OPTIONS => Vec::new(),
        _ => body(request, headers.get(CONTENT_LENGTH)).await.ok()?,
    };
    let mut read = Request::new(body);
    *read.uri_mut() = uri;
    *read.method_mut() = method;
    *read.headers_mut() = headers;
    Some(read)
}

/// What follows the authority in a URL that the runtime has normalised.
fn path_and_query(url: &str) -> Option<Uri> {
    let (_, rest) = url.split_once("://")?;
    rest.get(rest.find('/')?..)?.parse().ok()
}

fn headers(request: &web_sys::Request, names: &[(HeaderName, JsString)]) -> Option<HeaderMap> {
    let sent: Headers = JsValue::from(request.headers()).unchecked_into();
    let mut headers = HeaderMap::with_capacity(names.len());
    for (name, javascript_name) in names {
        if let Some(value) = sent.get(javascript_name).ok()? {
            headers.insert(name, HeaderValue::from_bytes(value.as_bytes()).ok()?);
        }
    }
    Some(headers)
}

/// How much of a body that is too long is read and dropped, so that its sender gets to hear the answer.
const PATIENCE: usize = 1024 * 1024;

/// The body; of one that is too long, one byte more than the router takes.
async fn body(request: &web_sys::Request, declared: Option<&HeaderValue>) -> Result<Vec<u8>, JsValue> {
    let declared = declared.and_then(|text| text.to_str().ok()).and_then(|text| text.parse::<usize>().ok());
    match declared {
        Some(length) if length <= MOST_BODY => Ok(bytes_of(&JsFuture::from(request.array_buffer()?).await?)),
        Some(_) | None => read_to_the_limit(request).await,
    }
}

async fn read_to_the_limit(request: &web_sys::Request) -> Result<Vec<u8>, JsValue> {
    let Some(stream) = request.body() else { return Ok(Vec::new()) };
    let reader = JsValue::from(stream).unchecked_into::<Stream>().reader()?;
    let mut body = Vec::new();
    let mut read = 0;
    while read < PATIENCE {
        let chunk: Chunk = JsFuture::from(reader.read()?).await?.unchecked_into();
        if chunk.value().is_undefined() {
            return Ok(body);
        }
        let bytes = bytes_of(&chunk.value());
        read += bytes.len();
        body.extend(bytes);
        body.truncate(MOST_BODY + 1);
    }
    drop(reader.cancel());
    Ok(body)
}
