//! The 4,000 subject tokens: good ones, and each kind of bad one, in the proportions of the mix.

use crate::{
    THREADS,
    people::{Population, SCOPES},
};
use grantlog_tests::{Random, key::KeyPair, parallel, tamper};
use std::{thread, time::Duration};

const TOKENS: usize = 4_000;

/// What is true of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Good,
    Expired,
    FlippedSignature,
    ForeignKey,
    Revoked,
}

impl Standing {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Expired => "expired",
            Self::FlippedSignature => "flipped signature",
            Self::ForeignKey => "foreign key",
            Self::Revoked => "revoked",
        }
    }
}

/// A subject token, and all that a verdict about it is judged by.
#[derive(Clone)]
pub(crate) struct Specimen {
    pub(crate) token: String,
    pub(crate) subject: String,
    pub(crate) scope: &'static str,
    pub(crate) standing: Standing,
}

/// 70 % good (of which a fifth will meet an actor), and 10 % each expired, badly signed, revoked.
fn proportions() -> Vec<Standing> {
    let shares = [
        (Standing::Good, 70),
        (Standing::Expired, 10),
        (Standing::FlippedSignature, 5),
        (Standing::ForeignKey, 5),
        (Standing::Revoked, 10),
    ];
    shares.iter().flat_map(|(standing, percent)| vec![*standing; TOKENS * percent / 100]).collect()
}

/// Issues all, then does to each what its standing says.
pub(crate) fn make(population: &Population, random: &mut Random) -> Vec<Specimen> {
    let mut plan: Vec<Specimen> =
        proportions().into_iter().map(|standing| planned(population, random, standing)).collect();
    random.shuffle(&mut plan);
    let forger = KeyPair::es256("forger");
    let mut specimens = parallel::each(THREADS, &plan, |_, planned| issued(population, planned));
    for specimen in &mut specimens {
        match specimen.standing {
            Standing::FlippedSignature => specimen.token = tamper::flipped_signature(&specimen.token),
            Standing::ForeignKey => specimen.token = tamper::foreign_signature(&specimen.token, &forger),
            Standing::Good | Standing::Expired | Standing::Revoked => {}
        }
    }
    revoke(population, &specimens);
    // The last of the brief tokens may have been issued just now.
    thread::sleep(Duration::from_millis(1_500));
    specimens
}

fn planned(population: &Population, random: &mut Random, standing: Standing) -> Specimen {
    let subject = random.pick(&population.people).id.clone();
    Specimen { token: String::new(), subject, scope: random.pick::<&str>(&SCOPES), standing }
}

fn issued(population: &Population, planned: &Specimen) -> Specimen {
    let is_brief = planned.standing == Standing::Expired;
    let client = if is_brief { &population.brief_frontend } else { &population.frontend };
    let token = client.token_for(&population.login, &planned.subject, planned.scope);
    Specimen { token, ..planned.clone() }
}

fn revoke(population: &Population, specimens: &[Specimen]) {
    let revoked: Vec<&Specimen> = specimens.iter().filter(|specimen| specimen.standing == Standing::Revoked).collect();
    assert_eq!(revoked.len(), TOKENS / 10);
    parallel::each(THREADS, &revoked, |_, specimen| {
        let answer = population.frontend.revoke(&specimen.token);
        assert_eq!(answer.status, 200, "a revocation was not acknowledged: {answer:?}");
    });
}
