//! Any sequence of commands over a small world. After each step the log itself is asked, naively and from the start,
//! which tokens may live and what each inherited; the state must agree. That replay equals live, that the loaded part
//! decides as the whole, and that the chain holds is checked by the shard on every command.

use crate::{
    dice::Dice,
    sample::{client, kid, scope},
    shard::{Shard, exchange, issue, open_policy, presented, signing},
};
use grantlog_events::{
    Body, Command, Event, Subject, Timestamp,
    body::{RevokedBy, SubjectProfile},
    client::ExchangePolicy,
    command::{
        Caller, EraseSubject, Exchange, HearClient, HearKey, Inspect, Issue, RevokeGrant, RevokeIssued,
        RevokeSubjectTokens, RevokeToken, Signing, Spend, UpdateSubject, VoidExchange,
    },
    decide,
    decide::Answer,
    token::{Party, Presented},
};
use proptest::prelude::*;

const CLIENTS: [&str; 3] = ["a", "b", "c"];
const SCOPES: [&str; 4] = ["openid", "profile", "openid profile", "email admin"];

struct World {
    shard: Shard,
    subjects: Vec<Subject>,
    tokens: Vec<Presented>,
}

impl World {
    fn new() -> Self {
        let (mut shard, subject) = Shard::home();
        let other = Subject::born(1, [2; 16]);
        shard.create(&other);
        Self { shard, subjects: vec![subject, other], tokens: Vec::new() }
    }

    fn step(&mut self, dice: &mut Dice) {
        if dice.below(12) == 0 {
            return self.shard.pass(dice.pick(&[1, 59, 300]));
        }
        let command = self.command(dice);
        let rows_before: Vec<_> = self.shard.state().rows().map(|(key, _)| key.clone()).collect();
        let result = self.shard.run(command.clone());
        self.tokens.extend(result.events.iter().filter(|event| event.body.issued().is_some()).map(presented));
        if matches!(result.answer, Answer::Refused(_)) {
            assert!(self.shard.state().rows().map(|(key, _)| key).eq(rows_before.iter()), "a refusal left a row");
        }
        if can_be_repeated(&command) {
            assert_eq!(self.shard.run(command).events, [], "a repetition wrote again");
        }
    }

    fn command(&self, dice: &mut Dice) -> Command {
        if self.tokens.is_empty() {
            return self.issue(dice).into();
        }
        let token = dice.pick(&self.tokens);
        let (target, reason) = (token.jti.address.seq, String::new());
        let subject = dice.pick(&self.subjects);
        match dice.below(20) {
            0..=2 => self.issue(dice).into(),
            3..=10 => self.exchange(dice, &token).into(),
            11 => RevokeToken { caller: caller(dice), token }.into(),
            12 => RevokeIssued { target, by: RevokedBy::Operator, reason }.into(),
            13 => RevokeGrant { target: token.grant, by: RevokedBy::Operator, reason }.into(),
            14 => RevokeSubjectTokens { subject, reason }.into(),
            15 => suspend(subject, dice.flag()).into(),
            16 => hear(dice).into(),
            17 => HearKey { kid: kid(["k2", "k3"][dice.below(2)]), registry_seq: 1 }.into(),
            18 => VoidExchange { target, reason: grantlog_events::Refusal::ActorTokenNotLive }.into(),
            _ if dice.below(4) == 0 => EraseSubject { subject }.into(),
            _ => Inspect { token }.into(),
        }
    }

    fn issue(&self, dice: &mut Dice) -> Issue {
        Issue {
            caller: caller(dice),
            signing: any_signing(dice),
            subject: dice.flag().then(|| dice.pick(&self.subjects)),
            spend: dice.flag().then(|| Spend { assertion: [dice.byte() % 4; 16], until: self.shard.now }),
            scope: dice.flag().then(|| scope(SCOPES[dice.below(4)])),
            ..issue("a")
        }
    }

    fn exchange(&self, dice: &mut Dice, token: &Presented) -> Exchange {
        Exchange {
            caller: caller(dice),
            signing: any_signing(dice),
            scope: (dice.below(3) == 0).then(|| scope(SCOPES[dice.below(4)])),
            policy: Some(ExchangePolicy { impersonation: dice.below(4) > 0, ..open_policy() }),
            actor_token: dice.flag().then(|| dice.pick(&self.tokens)),
            ..exchange(token)
        }
    }

    fn holds(&self) {
        for token in &self.tokens {
            let inspection = Inspect { token: token.clone() }.into();
            let lives =
                decide(self.shard.state(), &inspection, self.shard.now).answer == Answer::Stands(token.jti.address.seq);
            assert_eq!(lives, self.may_live(token), "{token:?}");
        }
        self.shard.log().for_each(|event| self.inherits(event));
    }

    /// Told from the log alone: nothing in it says that the token ended.
    fn may_live(&self, token: &Presented) -> bool {
        let suspended = self.shard.log().filter_map(|event| match (&event.body, &token.party) {
            (Body::SubjectCreated(p) | Body::SubjectUpdated(p), Party::Subject(subject)) => {
                (event.subject.as_ref() == Some(subject)).then_some(p.suspended)
            }
            _ => None,
        });
        self.shard.now < token.expires_at
            && suspended.last() != Some(true)
            && self.shard.log().all(|event| !ends(event, token))
    }

    /// Told from parent and child alone: nothing grew.
    fn inherits(&self, child: &Event) {
        let (Some(issued), Some(parent)) = (child.body.issued(), child.ancestors.last()) else { return };
        let parent = self.shard.state().event(*parent).unwrap();
        let origin = parent.body.issued().unwrap();
        assert!(issued.expires_at <= origin.expires_at);
        assert!(issued.scope.is_within(&origin.scope) && !issued.scope.is_empty());
        assert_eq!(child.ancestors, [&parent.ancestors[..], &[parent.seq]].concat());
        assert_eq!((child.grant, child.party()), (parent.grant, parent.party()));
        assert!(child.actors.ends_with(&parent.actors));
    }
}

fn ends(event: &Event, token: &Presented) -> bool {
    let seq = token.jti.address.seq;
    let under = |target: u64| target == seq || target == token.grant || token.ancestors.contains(&target);
    let of_subject = matches!(&token.party, Party::Subject(subject) if event.subject.as_ref() == Some(subject));
    let named = matches!(&token.party, Party::Client(named) if event.client.as_ref() == Some(named));
    let of_client = named || event.client.as_ref() == Some(&token.client);
    match &event.body {
        Body::TokenRevoked(ended) | Body::GrantRevoked(ended) => under(ended.target),
        Body::ExchangeVoided(voided) => under(voided.target),
        Body::SubjectTokensRevoked(_) => of_subject && event.seq >= seq,
        Body::SubjectErased(_) => of_subject,
        Body::ClientChanged(changed) => of_client && (changed.deleted || (changed.revoke_tokens && event.seq >= seq)),
        Body::KeyDistrusted(key) => key.kid == token.kid,
        _ => false,
    }
}

fn can_be_repeated(command: &Command) -> bool {
    matches!(
        command,
        Command::RevokeToken(_)
            | Command::RevokeIssued(_)
            | Command::RevokeGrant(_)
            | Command::VoidExchange(_)
            | Command::HearClient(_)
            | Command::HearKey(_)
            | Command::EraseSubject(_)
            | Command::Inspect(_)
    )
}

fn caller(dice: &mut Dice) -> Caller {
    Caller { client: client(CLIENTS[dice.below(3)]), generation: dice.pick(&[9, 9, 9, 0, 1]) }
}

fn any_signing(dice: &mut Dice) -> Signing {
    Signing { kid: kid(["k1", "k1", "k2", "k3"][dice.below(4)]), ..signing(dice.pick(&[1, 60, 600])) }
}

fn suspend(subject: Subject, suspended: bool) -> UpdateSubject {
    UpdateSubject {
        subject,
        profile: SubjectProfile { suspended, auditor: false, password: false },
        continued: 1,
        seen: None,
    }
}

/// The registry numbers a client's changes, and a deletion is the last of them.
fn hear(dice: &mut Dice) -> HearClient {
    let generation = 1 + u64::try_from(dice.below(5)).unwrap();
    HearClient {
        client: client(CLIENTS[dice.below(3)]),
        generation,
        registry_seq: generation,
        deleted: generation == 5,
        revoke_tokens: dice.flag(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// X5, X6, X7, XC, XG, V12, VA, VC in any order.
    #[test]
    fn any_sequence_of_commands_leaves_the_state_that_the_log_tells(
        entropy in prop::collection::vec(any::<u8>(), 100..700),
    ) {
        let (mut world, mut dice) = (World::new(), Dice::new(entropy));
        while !dice.is_spent() {
            world.step(&mut dice);
            world.holds();
        }
        prop_assert!(world.shard.now > Timestamp(0));
    }
}
