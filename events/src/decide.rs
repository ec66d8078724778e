//! Decisions: what a command does to a log in a given state. Pure and synchronous; one file per rule.
//!
//! Two steps: [`Command::needs`] names the rows and events the rule looks at, [`decide`] judges with
//! nothing else at hand. Every refusal is a value; a decision never fails.

mod assertions;
mod authorize;
mod clients;
mod code;
mod consent;
mod ending;
mod exchange;
mod family;
mod hearing;
mod issue;
mod keys;
mod lasting;
mod live;
mod login;
mod logs;
mod names;
mod needs;
mod queries;
mod refresh;
mod revoke;
mod sessions;
mod subjects;

pub use exchange::{MAX_ACTORS, MAX_ANCESTORS, MAX_TARGETS};
pub(crate) use login::counted;
pub use login::{ATTEMPTS_WINDOW, MAX_ATTEMPTS};
pub use needs::Needs;
pub use sessions::session_is_live;

use crate::{Command, Draft, Refusal, State, Timestamp};

/// What comes of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What is appended; a refusal may append too.
    pub events: Vec<Draft>,
    /// What is answered.
    pub answer: Answer,
}

/// Yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Granted; the appended events say what.
    Granted,
    /// Granted before, or only asked about: the event at this position says what, whatever is appended now.
    Stands(u64),
    /// Granted, and nothing had to be recorded.
    NothingToDo,
    /// Refused.
    Refused(Refusal),
}

impl Decision {
    fn grant(event: Draft) -> Self {
        Self { events: vec![event], answer: Answer::Granted }
    }

    fn stands(seq: u64) -> Self {
        Self { events: Vec::new(), answer: Answer::Stands(seq) }
    }

    fn nothing_to_do() -> Self {
        Self { events: Vec::new(), answer: Answer::NothingToDo }
    }

    fn refuse(refusal: Refusal) -> Self {
        Self { events: Vec::new(), answer: Answer::Refused(refusal) }
    }

    fn recording(mut self, event: Draft) -> Self {
        self.events.push(event);
        self
    }
}

impl From<Refusal> for Decision {
    fn from(refusal: Refusal) -> Self {
        Self::refuse(refusal)
    }
}

/// Judges one command at the instant `now` of the shard's clock.
#[must_use]
pub fn decide(state: &State, command: &Command, now: Timestamp) -> Decision {
    logs::is_open(state, command).and_then(|()| judge(state, command, now)).unwrap_or_else(Decision::from)
}

/// Which rule judges which command.
fn judge(state: &State, command: &Command, now: Timestamp) -> Result<Decision, Refusal> {
    match command {
        Command::OpenLog(command) => logs::open_log(state, command),
        Command::OpenEpoch(command) => logs::open_epoch(state, command),
        Command::RecordBirth(command) => logs::record_birth(state, command),
        Command::RegisterClient(command) => clients::register(state, command),
        Command::UpdateClient(command) => clients::update(state, command),
        Command::DeleteClient(command) => clients::delete(state, command),
        Command::RevokeClientTokens(command) => clients::revoke_tokens(state, command),
        Command::ConfirmClientChange(command) => clients::confirm(state, command),
        Command::PublishKey(command) => Ok(keys::publish(state, command)),
        Command::ActivateKey(command) => keys::activate(state, command, now),
        Command::RemoveKey(command) => keys::remove(state, command, now),
        Command::CompromiseKey(command) => keys::compromise(state, command),
        Command::ConfirmKeyCompromise(command) => keys::confirm(state, command),
        Command::RecordQuery(command) => Ok(queries::record(command)),
        Command::HearClient(command) => Ok(hearing::client(state, command)),
        Command::HearKey(command) => Ok(hearing::key(state, command)),
        Command::ClaimName(command) => names::claim(state, command),
        Command::ReleaseName(command) => names::release(state, command),
        Command::CreateSubject(command) => subjects::create(state, command),
        Command::UpdateSubject(command) => subjects::update(state, command, now),
        Command::EraseSubject(command) => subjects::erase(state, command, now),
        Command::Issue(command) => issue::issue(state, command, now),
        Command::Exchange(command) => exchange::exchange(state, command, now),
        Command::VoidExchange(command) => exchange::void(state, command),
        Command::Inspect(command) => live::inspect(state, &command.token, now),
        Command::SpendAssertion(command) => assertions::spend(state, command),
        Command::RevokeToken(command) => revoke::token(state, command, now),
        Command::RevokeIssued(command) => revoke::issued(state, command),
        Command::RevokeGrant(command) => revoke::grant(state, command),
        Command::RevokeSubjectTokens(command) => revoke::subject_tokens(state, command, now),
        Command::Authorize(command) => authorize::authorize(state, command, now),
        Command::RefuseLogin(command) => login::refuse(state, command, now),
        Command::EndSession(command) => sessions::end(state, command, now),
        Command::WithdrawConsent(command) => consent::withdraw(state, command, now),
        Command::SettleLogout(command) => Ok(sessions::settle_logout(state, command)),
        Command::RedeemCode(command) => code::redeem(state, command, now),
        Command::Refresh(command) => refresh::refresh(state, command, now),
        Command::InspectRefresh(command) => refresh::inspect(state, command, now),
        Command::RevokeRefresh(command) => refresh::revoke(state, command),
    }
}
