//! What happens to people: logins, sessions, consents, codes and refreshes.

use super::{AssertionSpent, RevokedBy};
use crate::{ClientId, Scope, Seconds, Timestamp, record};

record! {
    /// A person logged in.
    pub struct SessionStarted {
        1 => acr: String,
        2 => amr: Vec<String>,
        /// How long it lives unused.
        3 => idle: Seconds,
        /// How long it lives at most.
        4 => until: Timestamp,
        /// The sign-in challenge.
        5 => spent: AssertionSpent,
    }
}
record! {
    /// A person who was logged in proved again who they are.
    pub struct SessionRenewed {
        1 => session: u64,
        2 => acr: String,
        3 => amr: Vec<String>,
        /// The sign-in challenge.
        4 => spent: AssertionSpent,
    }
}
record! {
    /// A session is over, and with it what was issued for its duration.
    pub struct SessionEnded {
        1 => session: u64,
        2 => by: RevokedBy,
        3 => reason: String,
        /// When the longest token under it has expired.
        4 => until: Timestamp,
        /// Grants that would outlive the session and end with it, and when all under each has expired.
        5 => grants: Vec<(u64, Timestamp)>,
        /// Clients that are to be told (OIDC Back-Channel Logout).
        6 => notify: Vec<ClientId>,
    }
}
record! {
    /// A login failed; the envelope's outcome says why.
    pub struct LoginRefused {}
}
record! {
    /// A client took the logout token of a session.
    pub struct LogoutDelivered { 1 => session: u64, 2 => attempts: u64 }
}
record! {
    /// A client was not told of a session's end, and never will be.
    pub struct LogoutAbandoned { 1 => session: u64, 2 => attempts: u64, 3 => reason: String }
}
record! {
    /// A person let a client have a scope.
    pub struct ConsentGranted { 1 => scope: Scope }
}
record! {
    /// A person let a client have nothing any more; what was given under the consent is dead.
    pub struct ConsentWithdrawn {
        1 => by: RevokedBy,
        2 => reason: String,
        /// The grants that end, and when all under each has expired.
        3 => grants: Vec<(u64, Timestamp)>,
    }
}
record! {
    /// A root authorization, for which a code was given. What the code carries besides is sealed in it.
    pub struct CodeIssued {
        1 => session: u64,
        /// First 16 bytes of SHA-256 of the redirect URI.
        2 => redirect: [u8; 16],
        3 => scope: Scope,
        4 => audience: Vec<String>,
        /// The code challenge (RFC 7636, S256).
        5 => challenge: Option<[u8; 32]>,
        /// When the code's life is over.
        6 => until: Timestamp,
        /// Claims asked for by name beside those of the scope.
        7 => claims: Vec<String>,
        8 => acr: String,
        9 => amr: Vec<String>,
        10 => auth_time: Timestamp,
        /// The pushed authorization request.
        11 => spent: Option<AssertionSpent>,
        /// Whether the grant outlives the session.
        12 => offline: bool,
        /// Whether the client wants to be told when the session ends.
        13 => logout: bool,
        /// When the session's life is over.
        14 => session_until: Timestamp,
    }
}
record! {
    /// A rotated refresh token came again within its grace and got the same answer; noted once per rotation.
    pub struct RefreshReplayed {
        1 => family: u64,
        2 => generation: u64,
        /// Position of the event whose answer was given again.
        3 => issued: u64,
    }
}
record! {
    /// A genuine refresh token was presented and refused; the envelope's outcome says why.
    pub struct RefreshRefused {
        1 => family: u64,
        2 => generation: u64,
        /// How many refusals of this family for this reason were counted, and not recorded, since the last one.
        3 => unrecorded: Option<u64>,
    }
}
