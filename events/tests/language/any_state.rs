//! Whatever the state, whatever the order: the fold takes every event, a decision comes of every command, and the
//! part that a command names decides as the whole does.

use crate::{dice::Dice, rolled::Rolled, shard::load};
use grantlog_events::{Command, Event, State, Stored, Timestamp, decide, decide::Answer};
use proptest::prelude::*;

/// Events out of any context, one on top of the other.
fn any_state(dice: &mut Dice) -> State {
    let mut state = State::default();
    for _ in 0..dice.below(12) {
        let event = Event::roll(dice);
        state.apply(&event, &event.to_bytes());
        state.recall(event);
    }
    state.take_changes();
    state.refresh_is_proven = dice.flag();
    state
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_a_part_decides_as_the_whole(entropy in prop::collection::vec(any::<u8>(), 0..1500)) {
        let mut dice = Dice::new(entropy);
        let whole = any_state(&mut dice);
        for _ in 0..8 {
            let (command, now) = (Command::roll(&mut dice), Timestamp(dice.number()));
            let part = load(&whole, &command);
            prop_assert_eq!(decide(&part, &command, now), decide(&whole, &command, now));
        }
    }

    /// What `apply` reads while it folds is among what the command needed.
    #[test]
    fn what_a_command_leads_to_folds_alike_into_part_and_whole(entropy in prop::collection::vec(any::<u8>(), 0..1500)) {
        let mut dice = Dice::new(entropy);
        let mut whole = any_state(&mut dice);
        for _ in 0..8 {
            let command = Command::roll(&mut dice);
            let mut part = load(&whole, &command);
            let decision = decide(&whole, &command, Timestamp(dice.number()));
            for draft in decision.events {
                let event = Event {
                    body: draft.body, subject: draft.subject, client: draft.client, actors: draft.actors,
                    ancestors: draft.ancestors, outcome: draft.outcome, ..Event::roll(&mut dice)
                };
                part.apply(&event, &event.to_bytes());
                whole.apply(&event, &event.to_bytes());
                whole.recall(event);
            }
            prop_assert_eq!(part.take_changes(), whole.take_changes());
        }
    }

    #[test]
    fn a_refusal_says_so_and_only_what_names_a_genuine_token_records_it(entropy in prop::collection::vec(any::<u8>(), 0..1500)) {
        let mut dice = Dice::new(entropy);
        let state = any_state(&mut dice);
        let command = Command::roll(&mut dice);
        let decision = decide(&state, &command, Timestamp(dice.number()));
        match decision.answer {
            Answer::Granted => prop_assert!(!decision.events.is_empty()),
            Answer::NothingToDo => prop_assert!(decision.events.is_empty()),
            Answer::Stands(_) => {
                prop_assert!(decision.events.len() <= usize::from(matches!(command, Command::Refresh(_))));
            }
            Answer::Refused(_) => {
                let records = matches!(
                    command,
                    Command::Exchange(_) | Command::Refresh(_) | Command::RedeemCode(_) | Command::RefuseLogin(_)
                );
                prop_assert!(decision.events.len() <= usize::from(records));
            }
        }
    }
}
