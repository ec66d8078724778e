//! A replay repeats the last rotation's answer and is noted once; a refused refresh names a family and why.

use super::{Appended, Held, refreshed::family};
use grantlog_events::{Body, Outcome, body::RefreshReplayed};

pub(super) fn repeat_the_last_answer(appended: &Appended<'_>) -> Held {
    match &appended.event.body {
        Body::RefreshReplayed(replayed) => repeats(appended, replayed),
        Body::RefreshRefused(refused) => {
            let (_, row) = family(appended, refused.family)?;
            if !(1..=row.generation).contains(&refused.generation) {
                return Err(format!("it refuses the generation {}, which was never given", refused.generation));
            }
            says_why(appended)
        }
        Body::LoginRefused(_) => says_why(appended),
        _ => Ok(()),
    }
}

fn repeats(appended: &Appended<'_>, replayed: &RefreshReplayed) -> Held {
    let (_, row) = family(appended, replayed.family)?;
    if replayed.generation.checked_add(1) != Some(row.generation) || Some(replayed.issued) != row.issued {
        return Err("it repeats another answer than that of the last rotation".to_owned());
    }
    if row.replayed { Err("it notes a replay that was noted already".to_owned()) } else { Ok(()) }
}

fn says_why(appended: &Appended<'_>) -> Held {
    match appended.event.outcome {
        Outcome::Refused(_) => Ok(()),
        Outcome::Granted => Err("it notes a refusal and says that it was granted".to_owned()),
    }
}
