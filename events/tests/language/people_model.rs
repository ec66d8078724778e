//! Any interleaving of what two people do on two devices each with three clients, over months: the log decides as a
//! reference predicts that was written apart from it, and after every step the same tokens, refresh tokens and
//! sessions are alive in the reference, in the log's state and in the view that a person's tokens are looked up in.
//! That replay equals live and that the loaded part decides as the whole is checked by the shard on every command.

mod reference;
mod world;

use crate::{
    dice::Dice,
    user::{LiveRevocation, UserView, pack},
};
use grantlog_events::{
    Timestamp,
    command::{Inspect, InspectRefresh, PresentedRefresh},
    decide,
    decide::{Answer, session_is_live},
    state::{Key, Row},
    stored::Bytes,
};
use proptest::prelude::*;
use reference::Standing;
use world::World;

const DAY: u64 = 86_400;

impl World {
    fn agree(&self, views: &[Option<UserView>]) {
        let (state, now) = (self.shard.state(), self.shard.now);
        assert_eq!(self.tokens.len(), self.reference.tokens.len());
        for (at, token) in self.tokens.iter().enumerate() {
            let told = &self.reference.tokens[at];
            let predicted = self.reference.token_lives(at);
            let inspection = Inspect { token: token.clone() }.into();
            let lives = decide(state, &inspection, now).answer == Answer::Stands(token.jti.address.seq);
            assert_eq!(lives, predicted, "token {at}: {told:?}");
            // What the edge knows besides the view: the token's own time, and its client.
            let knows = now < token.expires_at && self.reference.client_is_well(told.client, told.born);
            let admitted = knows && views[told.who].as_ref().is_some_and(|view| view.admits(token));
            assert_eq!(admitted, predicted, "token {at} in the view: {told:?}");
            assert_eq!((token.expires_at.0, token.session), (told.until, told.login.map(|login| self.sessions[login])));
            assert!(
                token.scope.tokens().eq(told.scope.iter().copied()) || token.scope.tokens().count() == told.scope.len()
            );
        }
        for at in 0..self.families.len() {
            let good = self.reference.families[at].generation;
            for generation in good.saturating_sub(2)..=good + 1 {
                let token = PresentedRefresh { family: self.families[at], generation };
                let answer = decide(state, &InspectRefresh { token }.into(), now).answer;
                let lives = matches!(answer, Answer::Stands(_));
                assert_eq!(lives, self.reference.refresh_lives(at, generation), "family {at}/{generation}: {answer:?}");
            }
        }
        for (at, session) in self.sessions.iter().enumerate() {
            let who = &self.people[self.reference.logins[at].who];
            assert_eq!(session_is_live(state, who, *session, now), self.reference.login_lives(at), "login {at}");
        }
    }

    /// The views that the home shard would write now.
    fn views(&self) -> Vec<Option<UserView>> {
        let (state, now) = (self.shard.state(), self.shard.now);
        let of = |who: usize| {
            let subject = &self.people[who];
            let row = state.subject(subject).unwrap();
            let under = Key::revocations_of(subject);
            let revoked = state.rows().filter_map(|(key, row)| match row {
                Row::Revoked(row) if key.as_str().starts_with(&under) => {
                    Some(LiveRevocation { target: key.position().unwrap(), until: row.until })
                }
                _ => None,
            });
            (self.reference.people[who].standing != Standing::Erased).then(|| UserView {
                seq: state.head.next - 1,
                standing: row.standing,
                dead_through: row.dead_through,
                revoked: Bytes(pack(revoked.collect(), row.dead_through, now)),
                claims: Vec::new(),
            })
        };
        (0..self.people.len()).map(of).collect()
    }
}

// 256 cases, or as many as `PROPTEST_CASES` says.
proptest! {
    /// R2, R3, R5, R13, R20, RA, RB, X5, X6, XG, V10, V12, V14, V15, VA, VC in any order.
    #[test]
    fn whatever_people_and_their_clients_do_the_log_decides_as_the_reference_predicts(
        entropy in prop::collection::vec(any::<u8>(), 100..900),
    ) {
        let (mut world, mut dice) = (World::new(), Dice::new(entropy));
        while !dice.is_spent() {
            world.step(&mut dice);
            world.agree(&world.views());
        }
        // A view that nothing was written to since forgets nothing too soon.
        let views = world.views();
        for seconds in [31, 600, DAY, 6 * DAY, 15 * DAY, 61 * DAY] {
            world.pass(seconds);
            world.agree(&views);
            world.agree(&world.views());
        }
        prop_assert!(world.shard.now > Timestamp(0));
    }
}
