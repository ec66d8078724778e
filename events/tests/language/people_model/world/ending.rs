//! Steps that end things.

use super::super::reference::Standing;
use super::{CLIENTS, DEVICES, NAMES, PEOPLE, World};
use crate::{dice::Dice, sample::client, visit::logout};
use grantlog_events::{
    body::{RevokedBy, SubjectProfile},
    command::{
        EndSession, EraseSubject, HearClient, Person, RevokeGrant, RevokeIssued, RevokeRefresh, RevokeSubjectTokens,
        RevokeToken, UpdateSubject, WithdrawConsent,
    },
};

impl World {
    pub(super) fn revoke_token(&mut self, dice: &mut Dice) {
        let Some(at) = Self::recent(dice, self.tokens.len()) else { return };
        if dice.flag() {
            let (by, caller) = self.caller_like(dice, self.reference.tokens[at].client);
            let predicted = self.reference.revoke_token(at, Some(by));
            self.run(RevokeToken { caller, token: self.tokens[at].clone() }, &predicted);
        } else {
            let predicted = self.reference.revoke_token(at, None);
            let target = self.tokens[at].jti.address.seq;
            self.run(RevokeIssued { target, by: RevokedBy::Operator, reason: String::new() }, &predicted);
        }
    }

    pub(super) fn revoke_family(&mut self, dice: &mut Dice) {
        if dice.below(3) == 0 {
            let Some(at) = Self::recent(dice, self.codes.len()) else { return };
            let predicted = self.reference.revoke_grant(at);
            let target = self.codes[at].address.seq;
            self.run(RevokeGrant { target, by: RevokedBy::Operator, reason: String::new() }, &predicted);
            return;
        }
        let Some(at) = Self::recent(dice, self.families.len()) else { return };
        let (by, caller) = self.caller_like(dice, self.reference.families[at].client);
        let (token, proven) = (self.refresh_token(dice, at), dice.below(12) > 0);
        let predicted = self.reference.revoke_refresh(at, token.generation, by, proven);
        self.shard.refresh_is_proven = proven;
        self.run(RevokeRefresh { caller, token }, &predicted);
        self.shard.refresh_is_proven = true;
    }

    pub(super) fn log_out(&mut self, dice: &mut Dice) {
        let Some(login) = Self::recent(dice, self.sessions.len()) else { return };
        let (who, device, with_grants) = (dice.below(PEOPLE), dice.below(DEVICES), dice.flag());
        let own = self.devices[who][device];
        let person = own.filter(|_| dice.flag()).map(|own| (who, Some(own)));
        let predicted = self.reference.log_out(login, person, with_grants);
        let person = person.and_then(|(_, own)| own).map(|own| self.person(who, own));
        self.run(EndSession { with_grants, person, ..logout(self.sessions[login]) }, &predicted);
    }

    pub(super) fn person(&self, who: usize, own: usize) -> Person {
        Person { subject: self.people[who].clone(), session: self.sessions[own] }
    }

    pub(super) fn withdraw(&mut self, dice: &mut Dice) {
        let (who, device, at) = (dice.below(PEOPLE), dice.below(DEVICES), dice.below(CLIENTS));
        let Some(own) = self.devices[who][device] else { return };
        let predicted = self.reference.withdraw(who, Some(own), at);
        self.run(WithdrawConsent { client: client(NAMES[at]), person: self.person(who, own) }, &predicted);
    }

    pub(super) fn change_person(&mut self, dice: &mut Dice) {
        let who = dice.below(PEOPLE);
        let subject = self.people[who].clone();
        match dice.below(12) {
            0..=3 => {
                let predicted = self.reference.revoke_all(who);
                self.run(RevokeSubjectTokens { subject, reason: String::new() }, &predicted);
            }
            4 => {
                let predicted = self.reference.stand(who, Standing::Erased);
                self.run(EraseSubject { subject }, &predicted);
            }
            roll => self.suspend(who, roll < 10),
        }
    }

    pub(super) fn resume(&mut self, dice: &mut Dice) {
        let suspended = (0..PEOPLE).find(|who| self.reference.people[*who].standing == Standing::Suspended);
        if let Some(who) = suspended {
            self.suspend(who, false);
        } else {
            self.visit(dice, true);
        }
    }

    pub(super) fn suspend(&mut self, who: usize, suspended: bool) {
        let standing = if suspended { Standing::Suspended } else { Standing::Well };
        let predicted = self.reference.stand(who, standing);
        let (subject, profile) =
            (self.people[who].clone(), SubjectProfile { suspended, auditor: false, password: true });
        self.run(UpdateSubject { subject, profile, continued: 0, seen: None }, &predicted);
    }

    pub(super) fn change_client(&mut self, dice: &mut Dice) {
        let at = dice.below(CLIENTS);
        if self.reference.clients[at].deleted {
            return;
        }
        let (deleted, revoke_tokens) = (dice.below(8) == 0, dice.below(3) == 0);
        let predicted = self.reference.change_client(at, deleted, revoke_tokens);
        let generation = self.reference.clients[at].generation;
        let client = client(NAMES[at]);
        self.run(HearClient { client, generation, registry_seq: generation, deleted, revoke_tokens }, &predicted);
    }
}
