//! The 2,000 exchanges: what each asks, and what the one right answer to it is.

use crate::{
    THREADS, counted,
    people::Population,
    specimens::{Specimen, Standing},
};
use grantlog_tests::{Answer, Client, Random, exchange::Exchange, jwt, parallel};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const EXCHANGES: usize = 2_000;

/// One exchange, fixed before any is asked for.
struct Plan<'a> {
    specimen: &'a Specimen,
    client: &'a Client,
    /// The actor's client and token.
    actor: Option<&'a (String, String)>,
    audience: &'a str,
    resource: Option<&'a str>,
    scope: Option<&'a str>,
}

/// Asks for all; answers with what was asked and with what was answered wrong.
pub(crate) fn all(
    population: &Population,
    specimens: &[Specimen],
    random: &mut Random,
) -> (BTreeMap<&'static str, usize>, Vec<String>) {
    let actors: Vec<(String, String)> =
        population.actors.iter().map(|actor| (actor.id.clone(), actor.own_token("openid"))).collect();
    let plans = plans(population, specimens, &actors, random);
    let jwks = population.service.jwks();
    let wrong = parallel::each(THREADS, &plans, |_, plan| {
        let answer = plan.request().send();
        plan.fault(&answer, &jwks).map(|fault| format!("{fault}: {:?} {answer:?}", plan.specimen.standing))
    });
    (counted(plans.iter().map(|plan| plan.specimen.standing)), wrong.into_iter().flatten().collect())
}

/// 56 % good, 14 % good with an actor, and 10 % each expired, badly signed, revoked.
fn plans<'a>(
    population: &'a Population,
    specimens: &'a [Specimen],
    actors: &'a [(String, String)],
    random: &mut Random,
) -> Vec<Plan<'a>> {
    let shares = [
        (Standing::Good, false, 56),
        (Standing::Good, true, 14),
        (Standing::Expired, false, 10),
        (Standing::FlippedSignature, false, 5),
        (Standing::ForeignKey, false, 5),
        (Standing::Revoked, false, 10),
    ];
    let mut plans = Vec::with_capacity(EXCHANGES);
    for (standing, with_actor, percent) in shares {
        let fitting: Vec<&Specimen> = specimens.iter().filter(|specimen| specimen.standing == standing).collect();
        for _ in 0..EXCHANGES * percent / 100 {
            let actor = with_actor.then(|| random.pick(actors));
            plans.push(plan(population, random.pick::<&Specimen>(&fitting), actor, random));
        }
    }
    random.shuffle(&mut plans);
    plans
}

fn plan<'a>(
    population: &'a Population,
    specimen: &'a Specimen,
    actor: Option<&'a (String, String)>,
    random: &mut Random,
) -> Plan<'a> {
    Plan {
        specimen,
        client: random.pick(&population.services),
        actor,
        audience: random.pick(&population.audiences).as_str(),
        resource: (random.below(2) == 0).then(|| random.pick(&population.resources).as_str()),
        // Every subject token has `openid`; those without `email` must not gain it.
        scope: *random.pick(&[None, Some("openid"), Some("openid email")]),
    }
}

impl Plan<'_> {
    fn request(&self) -> Exchange<'_> {
        let mut exchange = self.client.exchange(&self.specimen.token).audience(self.audience);
        if let Some((_, token)) = self.actor {
            exchange = exchange.actor(token);
        }
        if let Some(resource) = self.resource {
            exchange = exchange.resource(resource);
        }
        if let Some(scope) = self.scope {
            exchange = exchange.scope(scope);
        }
        exchange
    }

    fn fault(&self, answer: &Answer, jwks: &Value) -> Option<String> {
        if self.specimen.standing == Standing::Good {
            self.fault_in_grant(answer, jwks)
        } else {
            fault_in_refusal(answer)
        }
    }

    fn fault_in_grant(&self, answer: &Answer, jwks: &Value) -> Option<String> {
        if answer.status != 200 {
            return Some("a good token was refused".to_owned());
        }
        let body = answer.json();
        let claims = match jwt::verify(body["access_token"].as_str().unwrap_or_default(), jwks) {
            Ok(claims) => claims,
            Err(error) => return Some(format!("no published key verifies the token: {error}")),
        };
        let parent = jwt::claims(&self.specimen.token);
        let checks = [
            ("issued_token_type is missing", body["issued_token_type"] == grantlog_tests::exchange::ACCESS_TOKEN),
            (
                "token_type is not Bearer",
                body["token_type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("bearer")),
            ),
            ("expires_in is not a number", body["expires_in"].is_number()),
            ("sub was not kept", claims["sub"] == self.specimen.subject.as_str()),
            ("client_id is not the exchanger's", claims["client_id"] == self.client.id.as_str()),
            ("the scope is not what was to be granted", words(&claims["scope"]) == self.expected_scope()),
            ("the answer says another scope than the token", body["scope"] == claims["scope"]),
            ("the audience is not what was asked for", audience(&claims) == self.expected_audience()),
            ("act is wrong", self.act_is_right(&claims["act"])),
            ("exp passes the parent's", claims["exp"].as_u64() <= parent["exp"].as_u64() && claims["exp"].is_u64()),
        ];
        checks.iter().find(|(_, holds)| !holds).map(|(fault, _)| (*fault).to_owned())
    }

    /// Asked for ∩ the subject token's; every client of the mix may have all.
    fn expected_scope(&self) -> BTreeSet<&str> {
        let held = self.specimen.scope.split(' ');
        held.filter(|word| self.scope.is_none_or(|asked| asked.split(' ').any(|wanted| wanted == *word))).collect()
    }

    fn expected_audience(&self) -> BTreeSet<&str> {
        [Some(self.audience), self.resource].into_iter().flatten().collect()
    }

    fn act_is_right(&self, act: &Value) -> bool {
        match self.actor {
            Some((client, _)) => {
                *act == json!({ "sub": client }) || *act == json!({ "sub": client, "client_id": client })
            }
            None => act.is_null(),
        }
    }
}

fn fault_in_refusal(answer: &Answer) -> Option<String> {
    let in_form = answer.error().as_deref() == Some("invalid_request")
        && answer.header("content-type").starts_with("application/json")
        && answer.header("cache-control").contains("no-store");
    match (answer.status, in_form) {
        (400, true) => None,
        (400, false) => Some("the refusal is not in the form of RFC 6749 and RFC 8693".to_owned()),
        _ => Some("a bad token did not get 400".to_owned()),
    }
}

fn words(scope: &Value) -> BTreeSet<&str> {
    scope.as_str().unwrap_or_default().split(' ').collect()
}

fn audience(claims: &Value) -> BTreeSet<&str> {
    match &claims["aud"] {
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}
