//! A user's view: what `/userinfo` needs to answer in one read.
//!
//! Claims are kept ready to be sent: one JSON fragment for each scope that opens them, so that no
//! claim is parsed on the way out, however many groups a person is in.

use grantlog_events::{Timestamp, record, state::Standing, token::Presented};

record! {
    /// A revoked token, grant or session of this user, until it would have expired anyway.
    pub struct LiveRevocation { 1 => target: u64, 2 => until: Timestamp }
}

record! {
    /// The value of `user:<sub>` in KV. Written by the home shard alone.
    pub struct UserView {
        /// Position in the home shard's log that this view has seen.
        1 => seq: u64,
        2 => standing: Standing,
        /// Tokens issued up to this position are dead.
        3 => dead_through: Option<u64>,
        /// Revoked positions in ascending order, each as the distance from the one before, in LEB128.
        4 => revoked: grantlog_events::stored::Bytes,
        /// Scope and the JSON members it opens, without braces: `"name":"…","locale":"…"`.
        5 => claims: Vec<(String, String)>,
    }
}

impl UserView {
    /// Whether the view lets a token of this user live. The token's own `exp` is not judged here.
    #[must_use]
    pub fn admits(&self, token: &Presented) -> bool {
        let seq = token.jti.address.seq;
        let named = |revoked: u64| {
            revoked == seq
                || revoked == token.grant
                || token.session == Some(revoked)
                || token.ancestors.contains(&revoked)
        };
        self.standing == Standing::Active
            && self.dead_through.is_none_or(|through| seq > through)
            && !revoked_positions(&self.revoked.0).any(named)
    }
}

/// Packs the revocations that still matter at `now`.
#[must_use]
pub fn pack(mut revocations: Vec<LiveRevocation>, dead_through: Option<u64>, now: Timestamp) -> Vec<u8> {
    revocations.retain(|revoked| revoked.until > now && dead_through.is_none_or(|through| through < revoked.target));
    revocations.sort_unstable_by_key(|revoked| revoked.target);
    let mut packed = Vec::new();
    let mut last = 0;
    for revoked in revocations {
        leb128(&mut packed, revoked.target - last);
        last = revoked.target;
    }
    packed
}

impl UserView {
    /// The view without what depends on when it was written: to compare one with another.
    ///
    /// `gone` are the positions whose revocation no longer matters.
    #[must_use]
    pub fn comparable(mut self, gone: &[u64]) -> Self {
        let left: Vec<LiveRevocation> = revoked_positions(&self.revoked.0)
            .filter(|target| !gone.contains(target))
            .map(|target| LiveRevocation { target, until: Timestamp(u64::MAX) })
            .collect();
        self.revoked = grantlog_events::stored::Bytes(pack(left, self.dead_through, Timestamp(0)));
        self.seq = 0;
        self
    }
}

fn leb128(out: &mut Vec<u8>, mut number: u64) {
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or_default();
        number >>= 7;
        if number == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

/// The positions in a packed list; a number cut short at the end is dropped by whoever cut it.
fn revoked_positions(packed: &[u8]) -> impl Iterator<Item = u64> + '_ {
    let mut bytes = packed.iter();
    let mut last = 0_u64;
    std::iter::from_fn(move || {
        let mut number = 0_u64;
        for shift in (0..63).step_by(7) {
            let byte = bytes.next()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                last = last.saturating_add(number);
                return Some(last);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_revocations_come_back_in_order_and_leave_when_their_token_has_expired() {
        let at = |target, until| LiveRevocation { target, until: Timestamp(until) };
        let packed = pack(vec![at(70_000, 10), at(5, 10), at(300, 10), at(6, 3)], None, Timestamp(4));
        assert_eq!(revoked_positions(&packed).collect::<Vec<_>>(), [5, 300, 70_000]);
    }

    #[test]
    fn a_revocation_of_everything_until_a_position_makes_the_single_ones_before_it_needless() {
        let at = |target| LiveRevocation { target, until: Timestamp(10) };
        let packed = pack(vec![at(5), at(300)], Some(5), Timestamp(4));
        assert_eq!(revoked_positions(&packed).collect::<Vec<_>>(), [300]);
    }
}
