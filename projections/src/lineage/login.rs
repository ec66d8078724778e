//! The login that a grant rests on: the person's session, and the code.

use grantlog_events::{
    Body, ClientId, Event, Refusal, Scope, State, Subject, Timestamp, body::CodeIssued, decide::session_is_live,
    state::Standing, token::Party,
};

/// A session and the code given in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The person.
    pub subject: Subject,
    /// Position of the session.
    pub session: u64,
    /// Whether the session lives.
    pub session_lives: bool,
    /// Whom the code was given to.
    pub client: ClientId,
    /// What for.
    pub scope: Scope,
    /// Whether the grant outlives the session.
    pub outlives_session: bool,
    /// Why the grant is over, if it is.
    pub refusal: Option<Refusal>,
}

impl Login {
    pub(super) fn of(state: &State, event: Event, now: Timestamp) -> Option<Self> {
        let Body::CodeIssued(code) = event.body else { return None };
        let (subject, client) = (event.subject?, event.client?);
        let refusal = ended(state, event.seq, &code, &subject).or_else(|| gone(state, event.seq, &subject, &client));
        Some(Self {
            session: code.session,
            session_lives: session_is_live(state, &subject, code.session, now),
            subject,
            client,
            scope: code.scope,
            outlives_session: code.offline,
            refusal,
        })
    }
}

/// What was ended by name: the grant, or the session that it dies with.
fn ended(state: &State, grant: u64, code: &CodeIssued, subject: &Subject) -> Option<Refusal> {
    let party = Party::Subject(subject.clone());
    if state.revoked(&party, grant).is_some() {
        return Some(Refusal::GrantRevoked);
    }
    (!code.offline && state.revoked(&party, code.session).is_some()).then_some(Refusal::SessionEnded)
}

/// Whose everything ended: the person's, or the client's.
fn gone(state: &State, grant: u64, subject: &Subject, client: &ClientId) -> Option<Refusal> {
    let dead = |through: Option<u64>| through.is_some_and(|through| grant <= through);
    match state.subject(subject) {
        Some(row) if row.standing == Standing::Erased => return Some(Refusal::SubjectErased),
        Some(row) if row.standing == Standing::Suspended => return Some(Refusal::SubjectSuspended),
        Some(row) if dead(row.dead_through) => return Some(Refusal::SubjectTokensRevoked),
        _ => {}
    }
    match state.client(client) {
        Some(row) if row.deleted => Some(Refusal::ClientDeleted),
        Some(row) if dead(row.dead_through) => Some(Refusal::ClientTokensRevoked),
        _ => None,
    }
}
