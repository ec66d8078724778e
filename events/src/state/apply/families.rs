//! The fold of grants that refresh: a code given and redeemed, a refresh token rotated.

use super::super::{GrantRow, Key, LastingRow, Row, State};
use crate::{
    Event, Timestamp,
    body::CodeIssued,
    token::{IssuedToken, Party},
};

impl State {
    pub(super) fn give_code(&mut self, event: &Event, code: &CodeIssued) {
        let (Some(party), Some(client)) = (event.party(), &event.client) else { return };
        let row = GrantRow {
            client: client.clone(),
            session: Some(code.session),
            offline: code.offline,
            scope: code.scope.clone(),
            started: event.occurred_at,
            redeemed: None,
            until: code.until,
            generation: 0,
            refresh_until: None,
            rotated_at: None,
            issued: None,
            token_until: None,
            replayed: false,
            kid: None,
            id_kid: None,
        };
        self.put(Key::grant(&party, event.seq), Row::Grant(row));
        self.use_session(event, code.session, code.logout);
        if let Some(pushed) = &code.spent {
            self.spend(&pushed.assertion, pushed.until);
        }
    }

    /// The first tokens of a code.
    pub(super) fn begin_family(&mut self, event: &Event, token: &IssuedToken) {
        let Some(grant) = event.grant else { return };
        self.change_grant(event, grant, |row| {
            row.redeemed = Some(event.seq);
            take(row, event, token);
        });
    }

    pub(super) fn rotate(&mut self, event: &Event, token: &IssuedToken) {
        let Some(refresh) = &token.refresh else { return };
        self.change_grant(event, refresh.family, |row| {
            // The same generation again, within the grace: counted from the first rotation still.
            if row.generation != refresh.generation {
                row.rotated_at = Some(event.occurred_at);
                row.replayed = false;
            }
            take(row, event, token);
        });
    }

    /// An exchange that came with a refresh token; what it descends from must be remembered for as long.
    pub(super) fn begin_exchanged_family(&mut self, event: &Event, token: &IssuedToken) {
        let (Some(refresh), Some(party), Some(client)) = (&token.refresh, event.party(), &event.client) else { return };
        let mut row = GrantRow {
            client: client.clone(),
            session: token.session,
            offline: token.session.is_none(),
            scope: token.scope.clone(),
            started: event.occurred_at,
            redeemed: Some(event.seq),
            until: refresh.until,
            generation: 0,
            refresh_until: None,
            rotated_at: None,
            issued: None,
            token_until: None,
            replayed: false,
            kid: None,
            id_kid: None,
        };
        take(&mut row, event, token);
        let until = row.until;
        self.put(Key::grant(&party, event.seq), Row::Grant(row));
        for above in event.ancestors.iter().copied().chain(event.grant) {
            self.outlive(&party, above, until);
        }
    }

    pub(super) fn change_grant(&mut self, event: &Event, grant: u64, change: impl FnOnce(&mut GrantRow)) {
        let Some(party) = event.party() else { return };
        let Some(mut row) = self.grant(&party, grant).cloned() else { return };
        change(&mut row);
        self.put(Key::grant(&party, grant), Row::Grant(row));
    }

    fn outlive(&mut self, party: &Party, seq: u64, until: Timestamp) {
        if self.lasting(party, seq).is_none_or(|row| row.until < until) {
            self.put(Key::lasting(party, seq), Row::Lasting(LastingRow { until }));
        }
    }
}

fn take(row: &mut GrantRow, event: &Event, token: &IssuedToken) {
    row.issued = Some(event.seq);
    row.token_until = Some(token.expires_at);
    row.kid = Some(token.kid.clone());
    row.id_kid = token.id_token.as_ref().map(|id_token| id_token.kid.clone());
    row.until = row.until.max(token.expires_at);
    if let Some(refresh) = &token.refresh {
        row.generation = refresh.generation;
        row.refresh_until = Some(refresh.until);
        row.until = row.until.max(refresh.until);
    }
}
