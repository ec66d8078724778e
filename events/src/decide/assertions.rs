//! A client's assertion (RFC 7523 §2.2) is spent once, before the call it authenticates.

use super::Decision;
use crate::{Body, Draft, Refusal, State, body::AssertionSpent, command::SpendAssertion};

pub(super) fn spend(state: &State, command: &SpendAssertion) -> Result<Decision, Refusal> {
    if state.spent(&command.spend.assertion).is_some() {
        return Err(Refusal::AssertionSpent);
    }
    let body = AssertionSpent { assertion: command.spend.assertion, until: command.spend.until };
    Ok(Decision::grant(Draft::of(Body::AssertionSpent(body)).of_client(command.client.clone())))
}
