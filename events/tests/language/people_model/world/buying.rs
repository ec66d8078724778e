//! Steps that buy tokens.

use super::super::reference::{Refused, Scope};
use super::{CLIENTS, DAY, PEOPLE, World};
use crate::{
    dice::Dice,
    sample::scope,
    shard::{exchange, issue, open_policy, signing},
    visit::{Held, redeem, refresh},
};
use grantlog_events::{
    Seconds,
    client::ExchangePolicy,
    command::{Exchange, Issue, PresentedRefresh, RedeemCode, Refresh},
};

impl World {
    pub(super) fn issue(&mut self, dice: &mut Dice) {
        let (who, at, lifetime) = (dice.below(PEOPLE), dice.below(CLIENTS), lifetime(dice));
        let (by, caller) = self.caller(dice, at);
        let predicted = self.reference.assertion(who, by, lifetime);
        let subject = Some(self.people[who].clone());
        self.run(Issue { caller, subject, signing: signing(lifetime), ..issue("app") }, &predicted);
    }

    /// Mostly one of the last few.
    pub(super) fn recent(dice: &mut Dice, length: usize) -> Option<usize> {
        let back = if dice.below(4) == 0 { dice.below(length) } else { dice.below(length.min(4)) };
        length.checked_sub(back + 1)
    }

    pub(super) fn redeem(&mut self, dice: &mut Dice) {
        let at = Self::recent(dice, self.codes.len());
        self.redeem_at(dice, at);
    }

    pub(super) fn redeem_at(&mut self, dice: &mut Dice, at: Option<usize>) {
        let Some(at) = at else { return };
        let (by, caller) = self.caller_like(dice, self.reference.authorizations[at].client);
        let (lifetime, refresh) = (lifetime(dice), (dice.below(6) > 0).then(|| unused(dice)));
        let right = redeem("app", &self.codes[at]);
        let (proven, shown) = match dice.below(16) {
            0 => (false, RedeemCode { challenge: Some([9; 32]), ..right }),
            1 => (false, RedeemCode { redirect: [9; 16], ..right }),
            _ => (true, right),
        };
        let predicted = self.reference.redeem(at, by, proven, refresh, lifetime);
        let (signing, refresh) = (signing(lifetime), refresh.map(Seconds));
        self.run(RedeemCode { caller, signing, refresh, ..shown }, &predicted);
    }

    pub(super) fn exchange(&mut self, dice: &mut Dice) {
        let Some(at) = Self::recent(dice, self.tokens.len()) else { return };
        let (lifetime, refresh) = (lifetime(dice), (dice.below(3) == 0).then(|| unused(dice)));
        let (by, caller) = {
            let at = dice.below(CLIENTS);
            self.caller(dice, at)
        };
        let predicted = self.reference.exchange(at, by, refresh, lifetime);
        let command = Exchange {
            caller,
            signing: signing(lifetime),
            policy: Some(ExchangePolicy { refresh_token: true, ..open_policy() }),
            refresh_token: refresh.is_some(),
            refresh_lifetime: refresh.map(Seconds),
            ..exchange(&self.tokens[at])
        };
        self.run(command, &predicted);
    }

    /// A refresh token of a family: the good one, the one before, an old one, or one that never was.
    pub(super) fn refresh_token(&self, dice: &mut Dice, at: usize) -> PresentedRefresh {
        let good = self.reference.families[at].generation;
        let before = good.saturating_sub(dice.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 1, 2])).max(1);
        let generation = if dice.below(24) == 0 { dice.pick(&[0, good + 1]) } else { before };
        PresentedRefresh { family: self.families[at], generation }
    }

    pub(super) fn refresh(&mut self, dice: &mut Dice) {
        let Some(at) = Self::recent(dice, self.families.len()) else { return };
        let token = self.refresh_token(dice, at);
        self.refresh_with(dice, at, token);
    }

    pub(super) fn refresh_with(&mut self, dice: &mut Dice, at: usize, token: PresentedRefresh) {
        let (by, caller) = self.caller_like(dice, self.reference.families[at].client);
        let (generation, proven) = (token.generation, dice.below(24) > 0);
        let times = (lifetime(dice), unused(dice));
        let wanted: Option<&[&'static str]> = match dice.below(10) {
            0 => Some(&["openid"]),
            1 => Some(&["openid", "email"]),
            _ => None,
        };
        let wanted_there: Option<Scope> = wanted.map(|wanted| wanted.iter().copied().collect());
        let (is_owner, may_ask) = (by.client == self.reference.families[at].client, !by.stale);
        let good = self.reference.families[at].generation;
        let is_deleted = self.reference.clients[by.client].deleted;
        let predicted = self.reference.refresh(at, generation, by, proven, wanted_there, times);
        self.shard.refresh_is_proven = proven;
        let like = refresh(&Held { token: self.tokens[0].clone(), refresh: token });
        let command = Refresh {
            caller,
            signing: signing(times.0),
            scope: wanted.map(|wanted| scope(&wanted.join(" "))),
            lifetime: Seconds(times.1),
            ..like
        };
        let result = self.run(command, &predicted);
        self.shard.refresh_is_proven = true;
        let is_genuine = proven && is_owner && may_ask && !is_deleted && (1..=good).contains(&generation);
        if predicted == Refused {
            assert_eq!(result.events.len(), usize::from(is_genuine), "E13: a refusal of a genuine token is on record");
        }
    }
}

fn lifetime(dice: &mut Dice) -> u64 {
    dice.pick(&[5, 60, 600, 600, 3_600])
}

fn unused(dice: &mut Dice) -> u64 {
    dice.pick(&[600, DAY, 7 * DAY, 30 * DAY, 60 * DAY])
}
