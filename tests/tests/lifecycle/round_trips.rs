//! Round trips as the served build counts them (DESIGN §6): one, once client and keys are remembered.
//!
//! The order of calls, cold isolates and failures are the business of the native tests; this one finds
//! out whether the build that is served does the same.

use grantlog_tests::{
    Answer, Browser, Person, Registration, RelyingParty, Request, Service,
    client::grant,
    party::{Cast, SCOPE},
};

/// `/userinfo`, exchange, `jwt-bearer`, `client_credentials`, `/introspect` and `/revoke`: one each.
#[test]
fn a_warm_request_makes_one_call() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    let machine = Registration::machine("counted").scope("read").register(&cast.service);
    let exchange = || cast.backend.exchange(&first).audience(&cast.service.issuer).request();
    let present = || {
        let assertion = cast.login.assertion(&cast.service.issuer, &cast.user.id);
        let form = [("grant_type", grant::JWT_BEARER), ("assertion", assertion.as_str()), ("scope", SCOPE)];
        cast.frontend.form("token_endpoint", &form)
    };
    let own = || machine.form("token_endpoint", &[("grant_type", grant::CLIENT_CREDENTIALS)]);
    assert_eq!(warm(|| cast.service.userinfo(&first)), 1, "/userinfo");
    assert_eq!(warm(exchange), 1, "exchange");
    assert_eq!(warm(present), 1, "jwt-bearer");
    assert_eq!(warm(own), 1, "client_credentials");
    assert_eq!(warm(|| cast.frontend.form("introspection_endpoint", &[("token", &first)])), 1, "/introspect");
    assert_eq!(warm(|| cast.frontend.form("revocation_endpoint", &[("token", &first)])), 1, "/revoke");
}

/// What the engine itself says it wrote (`rowsWritten`): one row for a token issued or exchanged, none for a question.
#[test]
fn the_engine_writes_one_row_for_a_token_and_none_for_a_question() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    let machine = Registration::machine("rows").scope("read").register(&cast.service);
    // A block of events begins with a table of its own; that is the rare exception.
    let usually = |request: &dyn Fn() -> Request| (0..3).map(|_| rows(request())).min().expect("three tries");
    assert_eq!(usually(&|| machine.form("token_endpoint", &[("grant_type", grant::CLIENT_CREDENTIALS)])), 1);
    assert_eq!(usually(&|| cast.backend.exchange(&first).audience(&cast.service.issuer).request()), 1);
    assert_eq!(usually(&|| cast.frontend.form("introspection_endpoint", &[("token", &first)])), 0);
    assert_eq!(usually(&|| cast.service.userinfo(&first)), 0);
}

/// A code and a refresh: the event and the grant's row; the first token of a grant brings its wrapped key.
#[test]
fn a_persons_tokens_cost_the_rows_they_should() {
    let service = Service::shared();
    let (party, person, browser) = (RelyingParty::register(&service), Person::create(&service), Browser::new(&service));
    let tokens = party.tokens(&browser, &person, &[]);
    let mut refresh = tokens.refresh().to_owned();
    let costs: Vec<(u32, u32)> = (0..3)
        .map(|_| {
            let form = [("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())];
            let answer = party.client.form("token_endpoint", &form).header("grantlog-trace", "1").send().expect(200);
            refresh = answer.text("refresh_token");
            (number(&answer, "grantlog-calls"), number(&answer, "grantlog-rows"))
        })
        .collect();
    assert_eq!(costs.iter().min(), Some(&(1, 2)), "{costs:?}");
    let silent = party.request(&[("prompt", "none")]);
    let costs: Vec<(u32, u32)> = (0..3)
        .map(|_| {
            let page = browser.send(service.request("GET", &silent).header("grantlog-trace", "1"));
            (number(&page.answer, "grantlog-calls"), number(&page.answer, "grantlog-rows"))
        })
        .collect();
    assert_eq!(costs.iter().min(), Some(&(1, 3)), "{costs:?}");
}

fn rows(request: Request) -> u32 {
    number(&request.header("grantlog-trace", "1").send().expect(200), "grantlog-rows")
}

fn number(answer: &Answer, name: &str) -> u32 {
    answer.header(name).parse().unwrap_or_else(|_| panic!("no {name}: {answer:?}"))
}

/// An actor whose token lies in another log costs one call more, made at the same time.
#[test]
fn a_foreign_actor_costs_one_call_more() {
    let cast = Cast::on_shared();
    let (first, actor) = (cast.first_token(), cast.actor.own_token("openid"));
    let calls = warm(|| cast.backend.exchange(&first).actor(&actor).audience(&cast.service.issuer).request());
    assert!((1..=2).contains(&calls), "{calls} calls");
}

/// The calls of a request that finds everything remembered that can be: the fewest of a few tries, for
/// what is remembered is read anew every 30 s.
pub(crate) fn warm(request: impl Fn() -> Request) -> u32 {
    let calls = (0..4).map(|_| {
        let answer = request().header("grantlog-trace", "1").send().expect(200);
        answer.header("grantlog-calls").parse().unwrap_or_else(|_| panic!("no count of calls: {answer:?}"))
    });
    calls.min().expect("four tries")
}
