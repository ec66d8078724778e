//! What people and their clients ask of the person's home.

use super::{Caller, Signing, Spend};
use crate::{ClientId, Jti, Scope, Seconds, Subject, body::RevokedBy, record};

record! {
    /// How a person just proved who they are.
    pub struct Authentication {
        1 => acr: String,
        2 => amr: Vec<String>,
        /// The sign-in challenge.
        3 => challenge: Spend,
        /// How long the session may live unused.
        4 => idle: Seconds,
        /// How long the session may live at most.
        5 => lifetime: Seconds,
    }
}
record! {
    /// What a client asks of a person (RFC 6749 §4.1.1, OIDC Core §3.1.2.1).
    pub struct AuthorizationRequest {
        1 => caller: Caller,
        2 => scope: Scope,
        3 => client_scope: Scope,
        /// First 16 bytes of SHA-256 of the redirect URI.
        4 => redirect: [u8; 16],
        5 => challenge: Option<[u8; 32]>,
        6 => audience: Vec<String>,
        7 => claims: Vec<String>,
        /// The oldest login that will do.
        8 => max_age: Option<Seconds>,
        /// Whether consent must be given now, whatever is remembered.
        9 => ask_consent: bool,
        /// Whether consent was given now.
        10 => consents: bool,
        /// The pushed request.
        11 => pushed: Option<Spend>,
        12 => may_refresh: bool,
        /// Whether the client wants to be told when the session ends.
        13 => logout: bool,
        /// How long the code may live.
        14 => lifetime: Seconds,
        /// Scopes that claims asked for by name belong to: consented to like the others, but not granted.
        15 => implied: Scope,
    }
}
record! {
    /// Let a person in, or find them logged in, and give a client a code if one asks and may have it.
    pub struct Authorize {
        1 => subject: Subject,
        /// Position of the session that the browser holds.
        2 => session: Option<u64>,
        3 => authentication: Option<Authentication>,
        4 => request: Option<AuthorizationRequest>,
    }
}
record! {
    /// Note that a password was wrong.
    pub struct RefuseLogin { 1 => subject: Subject }
}
record! {
    /// Redeem a code (RFC 6749 §4.1.3).
    pub struct RedeemCode {
        1 => caller: Caller,
        2 => signing: Signing,
        3 => id_token: Option<Signing>,
        4 => code: Jti,
        /// First 16 bytes of SHA-256 of the redirect URI.
        5 => redirect: [u8; 16],
        /// SHA-256 of the code verifier.
        6 => challenge: Option<[u8; 32]>,
        /// How long a refresh token lives unused; absent if the client gets none.
        7 => refresh: Option<Seconds>,
    }
}
record! {
    /// A refresh token as presented; whether its secret part is right, the shard finds out for itself.
    pub struct PresentedRefresh {
        /// Position at which its family begins.
        1 => family: u64,
        2 => generation: u64,
    }
}
record! {
    /// Rotate a refresh token (RFC 6749 §6, RFC 9700 §4.14).
    pub struct Refresh {
        1 => caller: Caller,
        2 => signing: Signing,
        3 => id_token: Option<Signing>,
        4 => token: PresentedRefresh,
        5 => scope: Option<Scope>,
        6 => client_scope: Scope,
        /// How long the successor lives unused.
        7 => lifetime: Seconds,
        /// How long after its rotation a token gets the same answer again.
        8 => grace: Seconds,
    }
}
record! {
    /// Say whether a refresh token is live. Writes nothing.
    pub struct InspectRefresh { 1 => token: PresentedRefresh }
}
record! {
    /// Revoke a refresh token's family for its client (RFC 7009).
    pub struct RevokeRefresh { 1 => caller: Caller, 2 => token: PresentedRefresh }
}
record! {
    /// A person who acts for themselves, by the session that their browser holds.
    pub struct Person { 1 => subject: Subject, 2 => session: u64 }
}
record! {
    /// End a session.
    pub struct EndSession {
        /// Position at which it begins.
        1 => session: u64,
        2 => by: RevokedBy,
        3 => reason: String,
        /// Whether grants that would outlive it end with it.
        4 => with_grants: bool,
        /// The person, if one asks.
        5 => person: Option<Person>,
        /// Whose session it must be.
        6 => subject: Option<Subject>,
    }
}
record! {
    /// Forget a consent and end what was given under it.
    pub struct WithdrawConsent { 1 => client: ClientId, 2 => person: Person }
}
record! {
    /// Note that a client was told of a session's end, or never will be.
    pub struct SettleLogout {
        1 => subject: Subject,
        2 => session: u64,
        3 => client: ClientId,
        4 => attempts: u64,
        /// Why the client was not told.
        5 => abandoned: Option<String>,
    }
}
