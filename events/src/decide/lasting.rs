//! How long the end of something must be remembered: until the longest token under it has expired.

use crate::{State, Timestamp, token::Party};

/// When everything under the token or grant at `seq` has expired, if it expires itself at `own`.
///
/// A refreshing grant knows it by its own row; a refresh token that an exchange brought outlives the tokens
/// above it, and each of them has a row that says for how long.
pub(super) fn until(state: &State, party: &Party, seq: u64, own: Timestamp) -> Timestamp {
    let grant = state.grant(party, seq).map(|row| row.until);
    let beneath = state.lasting(party, seq).map(|row| row.until);
    [grant, beneath].into_iter().flatten().fold(own, Timestamp::max)
}
