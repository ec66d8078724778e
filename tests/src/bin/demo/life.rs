//! The first half: who plays, and what the tokens are good for.

use crate::transcript::{Told, Transcript};
use grantlog_tests::{
    Answer, Request, Service, jwt,
    party::{Cast, ORDERS, SCOPE},
};
use serde_json::Value;

/// Three generations of one person's tokens.
pub(crate) struct Tokens {
    pub(crate) first: String,
    pub(crate) delegated: String,
    pub(crate) onward: String,
}

/// Asks the server to say how many remote calls the request took.
pub(crate) fn traced(request: Request) -> Answer {
    request.header("grantlog-trace", "1").send()
}

pub(crate) fn meet(transcript: &mut Transcript, service: &Service) -> Cast {
    transcript.step("Register a frontend, a backend and an actor; create a person", |told| {
        let cast = Cast::of(service);
        told.asked("POST /register, three times (RFC 7591)");
        told.came(&format!("frontend {}, presents assertions of {}", cast.frontend.id, cast.login.name));
        told.came(&format!("backend  {}, exchanges tokens", cast.backend.id));
        told.came(&format!("actor    {}, acts for people", cast.actor.id));
        told.asked("POST /scim/v2/Users (RFC 7644)");
        told.came(&format!("{} is {}", cast.user.name, cast.user.id));
        // The first request of a client reads its registration; the figures below are of later ones.
        let warm = cast.delegated(&cast.first_token());
        told.holds("all of them get tokens", cast.backend.introspect(&warm).is_active());
        cast
    })
}

pub(crate) fn live(transcript: &mut Transcript, cast: &Cast) -> Tokens {
    let first = transcript.step("The frontend presents an assertion (RFC 7523)", |told| issue(told, cast));
    let delegated =
        transcript.step("The backend exchanges it, the actor acting (RFC 8693)", |told| exchange(told, cast, &first));
    let onward = transcript.step("The backend exchanges that onward, for one service alone", |told| {
        exchange_onward(told, cast, &delegated)
    });
    transcript.step("Ask who the person is, with the exchanged token", |told| ask_who(told, cast, &delegated));
    transcript.step("Introspect it (RFC 7662)", |told| introspect(told, cast, &delegated));
    Tokens { first, delegated, onward }
}

fn issue(told: &mut Told, cast: &Cast) -> String {
    let assertion = cast.login.assertion(&cast.service.issuer, &cast.user.id);
    let form = [
        ("grant_type", grantlog_tests::client::grant::JWT_BEARER),
        ("assertion", assertion.as_str()),
        ("scope", SCOPE),
    ];
    told.asked("POST /token, grant_type=jwt-bearer");
    let answer = traced(cast.frontend.form("token_endpoint", &form)).expect(200);
    told.counted("/token, assertion", &answer);
    let token = answer.access_token();
    let claims = jwt::verify(&token, &cast.service.jwks()).expect("a published key signed the token");
    told.came(&summary(&claims));
    told.holds("a published key signed it", true);
    told.holds("it is the person's", claims["sub"] == cast.user.id);
    told.holds(
        "its jti is the address of an event",
        claims["jti"].as_str().is_some_and(|jti| jti.split('-').count() == 4),
    );
    token
}

fn exchange(told: &mut Told, cast: &Cast, first: &str) -> String {
    let actor = cast.actor.own_token("openid");
    told.asked("POST /token, grant_type=token-exchange with an actor_token");
    let exchange = cast.backend.exchange(first).actor(&actor).audience(&cast.service.issuer).scope("openid profile");
    let answer = traced(exchange.request()).expect(200);
    told.counted("/token, exchange with an actor", &answer);
    let token = answer.access_token();
    let (parent, claims) = (jwt::claims(first), jwt::claims(&token));
    told.came(&summary(&claims));
    told.holds("the person stays the same", claims["sub"] == parent["sub"]);
    told.holds("the actor is named in `act`", claims["act"]["sub"] == cast.actor.id);
    told.holds("the scope shrank to what was asked", claims["scope"] == "openid profile");
    told.holds("it ends no later than its parent", claims["exp"].as_u64() <= parent["exp"].as_u64());
    token
}

fn exchange_onward(told: &mut Told, cast: &Cast, delegated: &str) -> String {
    told.asked(&format!("POST /token, grant_type=token-exchange, audience={ORDERS}"));
    let answer = traced(cast.backend.exchange(delegated).audience(ORDERS).scope("openid").request()).expect(200);
    told.counted("/token, exchange", &answer);
    let token = answer.access_token();
    let claims = jwt::claims(&token);
    told.came(&summary(&claims));
    told.holds("it is for that service", claims["aud"] == ORDERS || claims["aud"] == serde_json::json!([ORDERS]));
    told.holds("the actor sticks", claims["act"]["sub"] == cast.actor.id);
    token
}

fn ask_who(told: &mut Told, cast: &Cast, token: &str) {
    told.asked("GET /userinfo");
    let answer = traced(cast.service.userinfo(token)).expect(200);
    told.counted("/userinfo", &answer);
    let claims = answer.json();
    told.came(&claims.to_string());
    told.holds("sub is the person", claims["sub"] == cast.user.id);
    told.holds("the name is told, as the scope `profile` allows", claims["given_name"].is_string());
    told.holds("the e-mail is not, for the exchange left that scope out", claims["email"].is_null());
}

fn introspect(told: &mut Told, cast: &Cast, token: &str) {
    told.asked("POST /introspect");
    let answer = traced(cast.backend.form("introspection_endpoint", &[("token", token)])).expect(200);
    told.counted("/introspect", &answer);
    let said = answer.json();
    told.came(&said.to_string());
    told.holds(
        "active, with the same actor as in the token",
        said["active"] == true && said["act"] == jwt::claims(token)["act"],
    );
}

fn summary(claims: &Value) -> String {
    let mut line =
        format!("jti {}  scope \"{}\"", claims["jti"].as_str().unwrap_or("?"), claims["scope"].as_str().unwrap_or("?"));
    if claims["act"].is_object() {
        line = format!("{line}\nact {}", claims["act"]);
    }
    line
}
