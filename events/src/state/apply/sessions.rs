//! The fold of a person's sessions, consents and wrong passwords.

use super::super::{ConsentRow, Key, NoticeRow, Row, SessionRow, State};
use crate::{
    Event, Scope, Timestamp,
    body::{SessionEnded, SessionRenewed, SessionStarted},
    decide::counted,
};

impl State {
    pub(super) fn start_session(&mut self, event: &Event, started: &SessionStarted) {
        let Some(subject) = &event.subject else { return };
        let row = SessionRow {
            acr: started.acr.clone(),
            amr: started.amr.clone(),
            auth_time: event.occurred_at,
            last_used: event.occurred_at,
            idle: started.idle,
            until: started.until,
            ended: None,
            clients: Vec::new(),
        };
        self.put(Key::session(subject, event.seq), Row::Session(row));
        self.spend(&started.spent.assertion, started.spent.until);
        self.forget_attempts(event);
    }

    pub(super) fn renew_session(&mut self, event: &Event, renewed: &SessionRenewed) {
        self.change_session(event, renewed.session, |row| {
            row.acr.clone_from(&renewed.acr);
            row.amr.clone_from(&renewed.amr);
            row.auth_time = event.occurred_at;
            row.last_used = event.occurred_at;
        });
        self.spend(&renewed.spent.assertion, renewed.spent.until);
        self.forget_attempts(event);
    }

    pub(super) fn end_session(&mut self, event: &Event, ended: &SessionEnded) {
        let Some(subject) = &event.subject else { return };
        self.change_session(event, ended.session, |row| row.ended = Some(event.seq));
        self.revoke(event, ended.session, ended.until);
        self.revoke_all(event, &ended.grants);
        for client in &ended.notify {
            let row = NoticeRow { ended: event.seq, at: event.occurred_at };
            self.put(Key::notice(subject, ended.session, client), Row::Notice(row));
        }
    }

    pub(super) fn settle_notice(&mut self, event: &Event, session: u64) {
        let (Some(subject), Some(client)) = (&event.subject, &event.client) else { return };
        self.remove(Key::notice(subject, session, client));
    }

    pub(super) fn consent_to(&mut self, event: &Event, scope: &Scope) {
        let (Some(subject), Some(client)) = (&event.subject, &event.client) else { return };
        let row = ConsentRow { scope: scope.clone(), since: event.occurred_at };
        self.put(Key::consent(subject, client), Row::Consent(row));
    }

    pub(super) fn withdraw_consent(&mut self, event: &Event, grants: &[(u64, Timestamp)]) {
        let (Some(subject), Some(client)) = (&event.subject, &event.client) else { return };
        self.remove(Key::consent(subject, client));
        self.revoke_all(event, grants);
    }

    pub(super) fn count_attempt(&mut self, event: &Event) {
        let Some(subject) = &event.subject else { return };
        let row = counted(self.attempts(subject), event.occurred_at);
        self.put(Key::attempts(subject), Row::Attempts(row));
    }

    /// Being used keeps a session alive; a client that wants to hear of its end is remembered.
    pub(super) fn use_session(&mut self, event: &Event, session: u64, tell_client: bool) {
        self.change_session(event, session, |row| {
            row.last_used = event.occurred_at;
            if let Some(client) = event.client.as_ref().filter(|client| tell_client && !row.clients.contains(client)) {
                row.clients.push(client.clone());
            }
        });
    }

    fn revoke_all(&mut self, event: &Event, grants: &[(u64, Timestamp)]) {
        for (grant, until) in grants {
            self.revoke(event, *grant, *until);
        }
    }

    fn forget_attempts(&mut self, event: &Event) {
        let Some(subject) = &event.subject else { return };
        if self.attempts(subject).is_some() {
            self.remove(Key::attempts(subject));
        }
    }

    fn change_session(&mut self, event: &Event, session: u64, change: impl FnOnce(&mut SessionRow)) {
        let Some(subject) = &event.subject else { return };
        let Some(mut row) = self.session(subject, session).cloned() else { return };
        change(&mut row);
        self.put(Key::session(subject, session), Row::Session(row));
    }
}
