//! Any sequence of steps while anything happens to the writes of a person's view.

use super::{ALARM, LAG, Stage, scim};
use crate::{
    http::tests::{agreement::logs_and_views_agree, deployment::Service},
    memory::Fate,
};
use ::http::Method;
use proptest::{collection::vec, prelude::*};
use serde_json::json;

#[derive(Clone, Debug)]
enum Step {
    Login,
    /// Revokes one of the tokens.
    Revoke(usize),
    Suspend(bool),
    Alarm,
    Wait(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        Just(Step::Login),
        (0..8_usize).prop_map(Step::Revoke),
        any::<bool>().prop_map(Step::Suspend),
        Just(Step::Alarm),
        (0..3_000_u64).prop_map(Step::Wait),
    ];
    vec(step, 1..16)
}

/// Every fate but those that land after they were said to have failed.
fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        3 => Just(Fate::Done),
        1 => Just(Fate::TooOften),
        1 => Just(Fate::Lost),
        1 => Just(Fate::Unheard),
        1 => (0..1_900_u64).prop_map(Fate::Slow),
    ]
}

fn any_fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        3 => fate(),
        1 => (0..30_000_u64).prop_map(Fate::Late),
        1 => (0..32_000_u64).prop_map(Fate::Hangs),
    ]
}

/// What the caller was told of the person and of each token.
struct Told {
    tokens: Vec<(String, bool)>,
    is_suspended: Option<bool>,
}

impl Told {
    fn nothing(stage: &Stage) -> Self {
        Self { tokens: vec![(stage.login(), true)], is_suspended: Some(false) }
    }

    fn take(&mut self, stage: &Stage, step: &Step) {
        match step {
            Step::Login if self.is_suspended == Some(false) => self.tokens.push((stage.login(), true)),
            Step::Login => {}
            Step::Revoke(number) => {
                let count = self.tokens.len();
                let (token, lives) = &mut self.tokens[number % count];
                let status = stage.revoke(token).status;
                assert!(status == 200 || status == 503, "{status}");
                *lives &= status != 200;
            }
            Step::Suspend(suspend) => {
                let patch = json!({ "Operations": [{ "op": "replace", "path": "active", "value": !suspend }] });
                let status = scim(stage, Method::PATCH, Some(&patch)).status;
                assert!(status == 200 || status == 503, "{status}");
                self.is_suspended = (status == 200).then_some(*suspend);
            }
            Step::Alarm => drop(stage.alarms_ring()),
            Step::Wait(milliseconds) => stage.go_to(stage.now() + milliseconds),
        }
    }

    /// No token of which the caller was told that it is dead is taken.
    fn holds(&self, edge: &Service) -> bool {
        let dead = |(_, lives): &&(String, bool)| !lives || self.is_suspended == Some(true);
        self.tokens.iter().filter(dead).all(|(token, _)| edge.userinfo(token).status == 401)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// VB: whatever becomes of single writes, acknowledged is seen: here at once, elsewhere after a minute.
    #[test]
    fn what_was_acknowledged_is_seen_whichever_writes_fail(steps in steps(), fates in vec(fate(), 0..24)) {
        let stage = Stage::new();
        let mut told = Told::nothing(&stage);
        stage.kv().plan(&stage.key(), fates);
        for step in &steps {
            told.take(&stage, step);
            prop_assert!(told.holds(&stage.here), "{step:?}");
        }
        stage.go_to(stage.now() + LAG);
        prop_assert!(told.holds(&stage.there));
    }

    /// E1: and once nothing can land any more, views and logs agree and the alarms rest.
    #[test]
    fn whatever_becomes_of_writes_the_views_are_right_in_the_end(steps in steps(), fates in vec(any_fate(), 0..24)) {
        let stage = Stage::new();
        let mut told = Told::nothing(&stage);
        stage.kv().plan(&stage.key(), fates);
        for step in &steps {
            told.take(&stage, step);
        }
        let begun = stage.now();
        while !stage.alarms_ring() {
            prop_assert!(stage.now() - begun < 240_000, "the alarms never rest");
            stage.go_to(stage.now() + ALARM);
        }
        prop_assert!(told.holds(&stage.here));
        logs_and_views_agree(&stage.here);
        stage.go_to(stage.now() + LAG);
        prop_assert!(told.holds(&stage.here) && told.holds(&stage.there));
    }
}
