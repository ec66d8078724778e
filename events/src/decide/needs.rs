//! What each rule looks at: named before anything is decided, so that a shard loads it in one go.

use crate::{
    Command, Event, Kid, Place,
    command::Caller,
    state::Key,
    token::{Party, Presented},
};

/// Rows and events that one command may look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Rows by key.
    pub rows: Vec<Key>,
    /// Rows by the beginning of their key.
    pub prefixes: Vec<&'static str>,
    /// Events by position.
    pub events: Vec<u64>,
}

impl Command {
    /// What [`decide`](fn@crate::decide) and the fold of what it decides look at.
    #[must_use]
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        needs.rows.push(Key::log());
        match self {
            Self::OpenLog(_) | Self::RecordQuery(_) => {}
            Self::OpenEpoch(command) => needs.rows.push(Key::epoch(command.epoch)),
            Self::RecordBirth(command) => {
                let place = command.origin.place();
                needs.rows.extend([Key::epoch(place.epoch), Key::born(place)]);
            }
            Self::RegisterClient(command) => needs.rows.push(Key::registered(&command.client)),
            Self::UpdateClient(command) => needs.rows.push(Key::registered(&command.client)),
            Self::DeleteClient(command) => needs.rows.push(Key::registered(&command.client)),
            Self::RevokeClientTokens(command) => needs.rows.push(Key::registered(&command.client)),
            Self::ConfirmClientChange(command) => needs.rows.push(Key::registered(&command.client)),
            Self::PublishKey(_)
            | Self::ActivateKey(_)
            | Self::RemoveKey(_)
            | Self::CompromiseKey(_)
            | Self::ConfirmKeyCompromise(_) => {
                needs.prefixes.push("signing/");
            }
            Self::HearClient(command) => needs.rows.push(Key::client(&command.client)),
            Self::HearKey(command) => needs.rows.push(Key::distrusted(&command.kid)),
            Self::ClaimName(command) => needs.rows.push(Key::claim(&command.claim)),
            Self::ReleaseName(command) => needs.rows.push(Key::claim(&command.claim)),
            Self::CreateSubject(command) => needs.rows.push(Key::subject(&command.subject)),
            Self::UpdateSubject(command) => needs.rows.push(Key::subject(&command.subject)),
            Self::EraseSubject(command) => needs.rows.push(Key::subject(&command.subject)),
            Self::RevokeSubjectTokens(command) => needs.rows.push(Key::subject(&command.subject)),
            Self::Issue(command) => {
                needs.caller(&command.caller, &command.signing.kid);
                needs.rows.extend(command.subject.as_ref().map(Key::subject));
                needs.rows.extend(command.spend.as_ref().map(|spend| Key::spent(&spend.assertion)));
            }
            Self::Exchange(command) => {
                needs.caller(&command.caller, &command.signing.kid);
                needs.token(&command.subject_token);
                let home = command.subject_token.jti.address.place;
                if let Some(actor) = command.actor_token.as_ref().filter(|actor| is_here(actor, home)) {
                    needs.token(actor);
                }
            }
            Self::VoidExchange(command) => needs.target(command.target),
            Self::Inspect(command) => needs.token(&command.token),
            Self::SpendAssertion(command) => {
                needs.rows.extend([Key::spent(&command.spend.assertion), Key::client(&command.client)]);
            }
            Self::RevokeToken(command) => {
                needs.rows.push(Key::client(&command.caller.client));
                needs.token(&command.token);
            }
            Self::RevokeIssued(command) => needs.target(command.target),
            Self::RevokeGrant(command) => needs.target(command.target),
        }
        needs
    }
}

impl Needs {
    /// The rows that a rule looks at once it knows the event it is to end: only that names the party.
    #[must_use]
    pub fn rows_about(event: &Event) -> Vec<Key> {
        event.party().map(|party| Key::revoked(&party, event.seq)).into_iter().collect()
    }
}

/// Whether a token was issued by the log at `home`.
pub(super) fn is_here(token: &Presented, home: Place) -> bool {
    token.jti.address.place == home
}

impl Needs {
    fn caller(&mut self, caller: &Caller, kid: &Kid) {
        self.rows.extend([Key::client(&caller.client), Key::distrusted(kid)]);
    }

    fn target(&mut self, seq: u64) {
        self.events.push(seq);
    }

    fn token(&mut self, token: &Presented) {
        let seq = token.jti.address.seq;
        self.events.push(seq);
        self.rows.extend(
            [seq, token.grant]
                .into_iter()
                .chain(token.ancestors.iter().copied())
                .map(|seq| Key::revoked(&token.party, seq)),
        );
        self.rows.extend([Key::client(&token.client), Key::distrusted(&token.kid)]);
        self.rows.push(match &token.party {
            Party::Subject(subject) => Key::subject(subject),
            Party::Client(client) => Key::client(client),
        });
    }
}
