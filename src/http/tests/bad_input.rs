//! Bad input at the HTTP layer: a clean 4xx in the form of the RFCs, and nothing is written anywhere.

use super::deployment::{ACCESS_TOKEN, Client, EXCHANGE, Service, basic};
use crate::http::{Request, tests::deployment::Answer};
use ::http::{Method, header};
use proptest::prelude::*;

const FORM: &str = "application/x-www-form-urlencoded";

struct Stage {
    service: Service,
    app: Client,
    backend: Client,
    token: String,
}

fn stage() -> Stage {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let token = service.login(&app, &service.person());
    Stage { service, app, backend, token }
}

impl Stage {
    /// Sends it, and looks whether anything was appended.
    #[track_caller]
    fn refused(&self, request: Request, status: u16, error: &str) -> Answer {
        let before = self.service.heads();
        let answer = self.service.handle(request);
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(answer.body["error"], error, "{answer:?}");
        assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store");
        assert_eq!(answer.headers[header::CONTENT_TYPE], "application/json");
        assert_eq!(self.service.heads(), before, "something was appended");
        answer
    }

    fn form(&self, path: &str, content_type: &str, body: &[u8]) -> Request {
        let request = ::http::Request::post(path)
            .header(header::AUTHORIZATION, basic(&self.backend))
            .header(header::CONTENT_TYPE, content_type);
        request.body(body.to_vec()).unwrap()
    }
}

#[test]
fn a_body_of_another_type_is_no_form() {
    let stage = stage();
    let body = format!("grant_type=client_credentials&token={}", stage.token);
    for path in ["/token", "/introspect", "/revoke"] {
        for content_type in
            ["application/json", "multipart/form-data", "text/plain", "application/x-www-form-urlencodedx", ""]
        {
            stage.refused(stage.form(path, content_type, body.as_bytes()), 400, "invalid_request");
        }
        let without = ::http::Request::post(path).header(header::AUTHORIZATION, basic(&stage.backend));
        stage.refused(without.body(body.clone().into_bytes()).unwrap(), 400, "invalid_request");
        let charset = stage.form(path, "Application/X-WWW-Form-Urlencoded; charset=UTF-8", body.as_bytes());
        assert_eq!(stage.service.handle(charset).status, if path == "/revoke" { 400 } else { 200 });
    }
}

#[test]
fn a_body_over_64_kib_is_too_large() {
    let stage = stage();
    for path in [
        "/token",
        "/introspect",
        "/revoke",
        "/userinfo",
        "/register",
        "/scim/v2/Users",
        "/admin/revocations",
        "/nowhere",
    ] {
        let body = vec![b'a'; 64 * 1024 + 1];
        stage.refused(stage.form(path, FORM, &body), 413, "invalid_request");
    }
    let mut body = b"grant_type=client_credentials&x=".to_vec();
    body.resize(64 * 1024, b'a');
    assert_eq!(stage.service.handle(stage.form("/token", FORM, &body)).status, 200);
}

#[test]
fn what_is_not_utf_8_or_not_well_formed_is_refused() {
    let stage = stage();
    for value in [&b"%ff"[..], b"\xff\xfe", b"%", b"%4", b"%zz", b"%C3%28", b"%ED%A0%80"] {
        let bodies = [
            [b"grant_type=client_credentials&scope=", value].concat(),
            [b"grant_type=client_credentials&", value, b"=x"].concat(),
            [b"grant_type=", value].concat(),
        ];
        for body in bodies {
            stage.refused(stage.form("/token", FORM, &body), 400, "invalid_request");
        }
        stage.refused(stage.form("/introspect", FORM, &[b"token=", value].concat()), 400, "invalid_request");
    }
}

/// XD: `audience` and `resource` may repeat (RFC 8693, RFC 8707); nothing else may (RFC 6749 §3.2).
#[test]
fn a_repeated_parameter_is_refused_unless_it_is_audience_or_resource() {
    let stage = stage();
    let exchange = format!("grant_type={EXCHANGE}&subject_token={}&subject_token_type={ACCESS_TOKEN}", stage.token);
    for name in ["grant_type", "subject_token", "subject_token_type", "scope", "client_id", "unknown", "actor_token"] {
        for value in ["x", ""] {
            let body = format!("{exchange}&{name}=y&{name}={value}");
            stage.refused(stage.form("/token", FORM, body.as_bytes()), 400, "invalid_request");
        }
    }
    for path in ["/introspect", "/revoke"] {
        let body = format!("token={0}&token={0}", stage.token);
        stage.refused(stage.form(path, FORM, body.as_bytes()), 400, "invalid_request");
    }
    let body = format!("{exchange}&audience=api&audience=billing&resource=urn:files&resource=https://api.example/");
    assert_eq!(stage.service.handle(stage.form("/token", FORM, body.as_bytes())).status, 200);
    let many: Vec<String> = (0..65).map(|number| format!("p{number}=x")).collect();
    stage.refused(stage.form("/token", FORM, many.join("&").as_bytes()), 400, "invalid_request");
}

#[test]
fn what_is_missing_or_unknown_is_named_by_its_error() {
    let stage = stage();
    for (body, error) in [
        (String::new(), "invalid_request"),
        ("scope=read".to_owned(), "invalid_request"),
        ("grant_type=".to_owned(), "invalid_request"),
        ("grant_type=password".to_owned(), "unsupported_grant_type"),
        ("grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=x.y.z".to_owned(), "unauthorized_client"),
        ("grant_type=client_credentials&scope=groups".to_owned(), "invalid_scope"),
        ("grant_type=client_credentials&scope=%22".to_owned(), "invalid_scope"),
        (format!("grant_type={EXCHANGE}"), "invalid_request"),
        (format!("grant_type={EXCHANGE}&subject_token={}", stage.token), "invalid_request"),
        (format!("grant_type={EXCHANGE}&subject_token={}&subject_token_type=x", stage.token), "invalid_request"),
        (format!("grant_type={EXCHANGE}&subject_token=x&subject_token_type={ACCESS_TOKEN}"), "invalid_request"),
        (
            format!(
                "grant_type={EXCHANGE}&subject_token={0}&subject_token_type={ACCESS_TOKEN}&actor_token={0}",
                stage.token
            ),
            "invalid_request",
        ),
        (
            format!(
                "grant_type={EXCHANGE}&subject_token={}&subject_token_type={ACCESS_TOKEN}&actor_token_type=x",
                stage.token
            ),
            "invalid_request",
        ),
        (
            format!(
                "grant_type={EXCHANGE}&subject_token={}&subject_token_type={ACCESS_TOKEN}&requested_token_type=x",
                stage.token
            ),
            "invalid_request",
        ),
    ] {
        stage.refused(stage.form("/token", FORM, body.as_bytes()), 400, error);
    }
}

/// RFC 6749 §5.2: who does not prove itself gets 401 with a challenge, and learns nothing of why.
#[test]
fn a_client_that_proves_itself_wrongly_is_refused_alike() {
    let stage = stage();
    let known = &stage.app.id;
    let encoded =
        |text: &str| format!("Basic {}", base64::Engine::encode(&base64::engine::general_purpose::STANDARD, text));
    let mut sentences = std::collections::BTreeSet::new();
    for authorization in [
        encoded(&format!("{known}:wrong")),
        encoded(&format!("{known}:")),
        encoded("nobody:secret"),
        encoded("no colon"),
        encoded(&format!("{known}:%ff")),
        "Basic !!!".to_owned(),
        "Basic".to_owned(),
        format!("Bearer {}", stage.token),
        "Negotiate abc".to_owned(),
    ] {
        for path in ["/token", "/introspect", "/revoke"] {
            let request = ::http::Request::post(path)
                .header(header::AUTHORIZATION, &authorization)
                .header(header::CONTENT_TYPE, FORM);
            let body = format!("grant_type=client_credentials&token={}", stage.token);
            let answer = stage.refused(request.body(body.into_bytes()).unwrap(), 401, "invalid_client");
            assert!(answer.headers[header::WWW_AUTHENTICATE].to_str().unwrap().starts_with("Basic "));
            sentences.insert(answer.body["error_description"].to_string());
        }
    }
    assert_eq!(sentences.len(), 1);
    // Two ways at once, a method that is not registered, an id that is another's.
    for (body, status, error) in [
        ("client_secret=x", 400, "invalid_request"),
        ("client_id=other", 400, "invalid_request"),
        ("client_assertion=x&client_assertion_type=y", 400, "invalid_request"),
    ] {
        let body = format!("grant_type=client_credentials&{body}");
        stage.refused(stage.form("/token", FORM, body.as_bytes()), status, error);
    }
    let posted = format!("grant_type=client_credentials&client_id={known}&client_secret={}", stage.app.secret);
    let request = ::http::Request::post("/token").header(header::CONTENT_TYPE, FORM);
    stage.refused(request.body(posted.into_bytes()).unwrap(), 401, "invalid_client");
}

/// RFC 6750 §2: one place, and never the query.
#[test]
fn a_token_in_two_places_or_in_the_query_is_refused() {
    let stage = stage();
    let both = ::http::Request::post("/userinfo")
        .header(header::AUTHORIZATION, format!("Bearer {}", stage.token))
        .header(header::CONTENT_TYPE, FORM);
    stage.refused(both.body(format!("access_token={}", stage.token).into_bytes()).unwrap(), 400, "invalid_request");
    let in_query = stage.service.get(&format!("/userinfo?access_token={}", stage.token));
    assert_eq!(in_query.status, 401);
    let repeated = ::http::Request::post("/userinfo").header(header::CONTENT_TYPE, FORM);
    stage.refused(
        repeated.body(format!("access_token={0}&access_token={0}", stage.token).into_bytes()).unwrap(),
        400,
        "invalid_request",
    );
    let twice = ::http::Request::get("/userinfo")
        .header(header::AUTHORIZATION, format!("Bearer {}", stage.token))
        .header(header::AUTHORIZATION, format!("Bearer {}", stage.token));
    let status = stage.service.handle(twice.body(Vec::new()).unwrap()).status;
    assert!(status == 400 || status == 200, "{status}");
}

#[test]
fn another_method_and_another_path_are_refused_as_such() {
    let stage = stage();
    for (method, path) in [
        (Method::GET, "/token"),
        (Method::PUT, "/token"),
        (Method::GET, "/introspect"),
        (Method::GET, "/revoke"),
        (Method::DELETE, "/userinfo"),
        (Method::GET, "/register"),
        (Method::POST, "/.well-known/jwks.json"),
        (Method::GET, "/admin/revocations"),
        (Method::POST, "/audit/events"),
        (Method::POST, "/register/c"),
        (Method::PUT, "/scim/v2/Users"),
    ] {
        let request = ::http::Request::builder().method(method).uri(path).body(Vec::new()).unwrap();
        stage.refused(request, 405, "invalid_request");
    }
    for path in
        ["/", "/token/", "//token", "/TOKEN", "/scim/v2/Groups", "/scim/v2/Users/a/b", "/audit", "/.well-known/x"]
    {
        stage.refused(::http::Request::get(path).body(Vec::new()).unwrap(), 404, "not_found");
    }
}

fn any_request() -> impl Strategy<Value = Request> {
    let paths = prop::sample::select(vec![
        "/token",
        "/userinfo",
        "/introspect",
        "/revoke",
        "/register",
        "/register/c-1",
        "/scim/v2/Users",
        "/scim/v2/Users/1-AAAAAAAAAAAAAAAAAAAAAA",
        "/admin/revocations",
        "/audit/events",
        "/audit/tokens/1-2-3-0123abcd",
        "/healthz",
        "/.well-known/jwks.json",
    ]);
    let methods =
        prop::sample::select(vec![Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::HEAD]);
    let types = prop::sample::select(vec![FORM, "application/json", "application/scim+json", "text/plain"]);
    let begins = prop::sample::select(vec![
        "",
        "grant_type=",
        "grant_type=client_credentials&",
        "token=",
        "{\"",
        "{\"userName\":\"",
        "access_token=",
        "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=",
        "client_assertion=",
    ]);
    let authorizations = prop::sample::select(vec!["", "Basic ", "Bearer ", "Bearer eyJhbGciOiJFUzI1NiJ9.e30."]);
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    let header_bytes = prop::collection::vec(0x20_u8..0xff, 0..60);
    (methods, paths, types, begins, bytes, authorizations, header_bytes).prop_map(
        |(method, path, content_type, begin, bytes, scheme, value)| {
            let request =
                ::http::Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, content_type);
            let authorization = header::HeaderValue::from_bytes(&[scheme.as_bytes(), &value].concat());
            let request = match authorization {
                Ok(value) if !scheme.is_empty() => request.header(header::AUTHORIZATION, value),
                _ => request,
            };
            request.body([begin.as_bytes(), &bytes].concat()).unwrap()
        },
    )
}

/// No bytes of a stranger's make a 5xx, a panic or an event.
#[test]
fn random_bytes_are_answered_cleanly_and_write_nothing() {
    let stage = stage();
    let before = stage.service.heads();
    let mut runner =
        proptest::test_runner::TestRunner::new(ProptestConfig { cases: 3_000, ..ProptestConfig::default() });
    runner
        .run(&any_request(), |request| {
            let answer = stage.service.handle(request);
            prop_assert!(answer.status.as_u16() < 500, "{answer:?}");
            Ok(())
        })
        .unwrap();
    assert_eq!(stage.service.heads(), before);
}
