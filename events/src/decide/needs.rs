//! What each rule looks at: named before anything is decided, so that a shard loads it in one go.

use crate::{
    Body, Command, Event, Kid, Place, Subject,
    command::{Authorize, Caller, Person},
    state::Key,
    token::{Party, Presented},
};

/// Rows and events that one command may look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Rows by key.
    pub rows: Vec<Key>,
    /// Rows by the beginning of their key.
    pub prefixes: Vec<String>,
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
                needs.prefixes.push("signing/".to_owned());
            }
            Self::HearClient(command) => needs.rows.push(Key::client(&command.client)),
            Self::HearKey(command) => needs.rows.push(Key::distrusted(&command.kid)),
            Self::ClaimName(command) => needs.rows.push(Key::claim(&command.claim)),
            Self::ReleaseName(command) => needs.rows.push(Key::claim(&command.claim)),
            Self::CreateSubject(command) => needs.rows.push(Key::subject(&command.subject)),
            Self::UpdateSubject(command) => needs.all_of(&command.subject, command.profile.suspended),
            Self::EraseSubject(command) => needs.all_of(&command.subject, true),
            Self::RevokeSubjectTokens(command) => needs.all_of(&command.subject, true),
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
                if command.refresh_token {
                    needs.what_outlives(&command.subject_token);
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
            Self::Authorize(command) => needs.authorize(command),
            Self::RefuseLogin(command) => {
                needs.rows.extend([Key::subject(&command.subject), Key::attempts(&command.subject)]);
            }
            Self::EndSession(command) => {
                needs.target(command.session);
                needs.rows.extend(command.person.iter().flat_map(rows_of_person));
            }
            Self::WithdrawConsent(command) => {
                let subject = &command.person.subject;
                needs.rows.extend(rows_of_person(&command.person));
                needs.rows.push(Key::consent(subject, &command.client));
                needs.prefixes.extend(all_grants(&Party::Subject(subject.clone())));
            }
            Self::SettleLogout(command) => {
                needs.rows.push(Key::notice(&command.subject, command.session, &command.client));
            }
            Self::RedeemCode(command) => {
                needs.caller(&command.caller, &command.signing.kid);
                needs.rows.extend(command.id_token.as_ref().map(|signing| Key::distrusted(&signing.kid)));
                needs.target(command.code.address.seq);
            }
            Self::Refresh(command) => {
                needs.caller(&command.caller, &command.signing.kid);
                needs.rows.extend(command.id_token.as_ref().map(|signing| Key::distrusted(&signing.kid)));
                needs.target(command.token.family);
            }
            Self::InspectRefresh(command) => needs.target(command.token.family),
            Self::RevokeRefresh(command) => {
                needs.rows.push(Key::client(&command.caller.client));
                needs.target(command.token.family);
            }
        }
        needs
    }

    /// What [`decide`](fn@crate::decide) looks at besides, once an event that the command needs is at hand: only
    /// that names the party.
    #[must_use]
    pub fn needs_about(&self, event: &Event) -> Needs {
        let mut needs = Needs::default();
        let Some(party) = event.party() else { return needs };
        let seq = event.seq;
        match self {
            Self::VoidExchange(_) => needs.rows.push(Key::revoked(&party, seq)),
            Self::RevokeToken(_) | Self::RevokeIssued(_) | Self::RevokeGrant(_) => {
                needs.rows.extend([Key::revoked(&party, seq), Key::grant(&party, seq), Key::lasting(&party, seq)]);
            }
            Self::RedeemCode(_) | Self::Refresh(_) | Self::InspectRefresh(_) | Self::RevokeRefresh(_) => {
                needs.family(event, &party);
            }
            Self::EndSession(command) => {
                if let Party::Subject(subject) = &party {
                    needs.rows.extend([Key::session(subject, seq), Key::subject(subject)]);
                }
                if command.with_grants {
                    needs.prefixes.extend(all_grants(&party));
                }
            }
            _ => {}
        }
        needs
    }
}

fn rows_of_person(person: &Person) -> [Key; 2] {
    [Key::subject(&person.subject), Key::session(&person.subject, person.session)]
}

/// Every refreshing grant of a party, whether it was revoked, and what lives longer beneath it.
fn all_grants(party: &Party) -> [String; 3] {
    [Key::grants_of(party), format!("revoked/{party}/"), format!("lasting/{party}/")]
}

/// Whether a token was issued by the log at `home`.
pub(super) fn is_here(token: &Presented, home: Place) -> bool {
    token.jti.address.place == home
}

impl Needs {
    fn caller(&mut self, caller: &Caller, kid: &Kid) {
        self.rows.extend([Key::client(&caller.client), Key::distrusted(kid)]);
    }

    /// A person and, if they end with the command, their sessions.
    fn all_of(&mut self, subject: &Subject, ends: bool) {
        self.rows.push(Key::subject(subject));
        self.prefixes.extend(ends.then(|| Key::sessions_of(subject)));
    }

    fn authorize(&mut self, command: &Authorize) {
        let subject = &command.subject;
        self.rows.extend([Key::subject(subject), Key::attempts(subject)]);
        self.rows.extend(command.session.map(|session| Key::session(subject, session)));
        self.rows.extend(command.authentication.as_ref().map(|how| Key::spent(&how.challenge.assertion)));
        if let Some(request) = &command.request {
            let client = &request.caller.client;
            self.rows.extend([Key::client(client), Key::consent(subject, client)]);
            self.rows.extend(request.pushed.as_ref().map(|pushed| Key::spent(&pushed.assertion)));
        }
    }

    /// Where a family begins, and all that it may die with.
    fn family(&mut self, root: &Event, party: &Party) {
        let (seq, session) = (
            root.seq,
            match &root.body {
                Body::CodeIssued(code) => Some(code.session),
                body => body.issued().and_then(|token| token.session),
            },
        );
        self.rows.extend([Key::grant(party, seq), Key::lasting(party, seq), Key::revoked(party, seq)]);
        let above = root.ancestors.iter().copied().chain(root.grant).chain(session);
        self.rows.extend(above.map(|seq| Key::revoked(party, seq)));
        self.rows.extend(root.client.as_ref().map(Key::client));
        if let Party::Subject(subject) = party {
            self.rows.push(Key::subject(subject));
        }
    }

    /// What an exchange that brings a refresh token makes live longer.
    fn what_outlives(&mut self, token: &Presented) {
        let above = [token.jti.address.seq, token.grant].into_iter().chain(token.ancestors.iter().copied());
        self.rows.extend(above.map(|seq| Key::lasting(&token.party, seq)));
        if let (Party::Subject(subject), Some(session)) = (&token.party, token.session) {
            self.rows.push(Key::session(subject, session));
        }
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
                .chain(token.session)
                .map(|seq| Key::revoked(&token.party, seq)),
        );
        self.rows.extend([Key::client(&token.client), Key::distrusted(&token.kid)]);
        self.rows.push(match &token.party {
            Party::Subject(subject) => Key::subject(subject),
            Party::Client(client) => Key::client(client),
        });
    }
}
