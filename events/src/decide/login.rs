//! Wrong passwords: each is noted, and after too many the account rests for a while.

use super::Decision;
use crate::{
    Body, Draft, Refusal, Seconds, State, Subject, Timestamp, body::LoginRefused, command::RefuseLogin,
    envelope::Outcome, state::AttemptsRow,
};

/// How many wrong passwords one account takes within [`ATTEMPTS_WINDOW`].
pub const MAX_ATTEMPTS: u64 = 10;

/// How long wrong passwords count, from the first of them.
pub const ATTEMPTS_WINDOW: Seconds = Seconds(300);

/// Whether a password may be tried at all.
pub(super) fn may_try(state: &State, subject: &Subject, now: Timestamp) -> Result<(), Refusal> {
    match state.attempts(subject) {
        Some(row) if row.count >= MAX_ATTEMPTS && is_recent(row, now) => Err(Refusal::TooManyAttempts),
        _ => Ok(()),
    }
}

pub(super) fn refuse(state: &State, command: &RefuseLogin, now: Timestamp) -> Result<Decision, Refusal> {
    state.subject(&command.subject).ok_or(Refusal::SubjectUnknown)?;
    may_try(state, &command.subject, now)?;
    let refusal = Refusal::CredentialsWrong;
    let draft = Draft { outcome: Outcome::Refused(refusal), ..Draft::of(Body::LoginRefused(LoginRefused {})) };
    Ok(Decision::refuse(refusal).recording(draft.about(Some(command.subject.clone()))))
}

/// One more wrong password, at `now`.
pub(crate) fn counted(before: Option<&AttemptsRow>, now: Timestamp) -> AttemptsRow {
    match before {
        Some(row) if is_recent(row, now) => AttemptsRow { count: row.count.saturating_add(1), since: row.since },
        _ => AttemptsRow { count: 1, since: now },
    }
}

fn is_recent(row: &AttemptsRow, now: Timestamp) -> bool {
    now < row.since.after(ATTEMPTS_WINDOW)
}
