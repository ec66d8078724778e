//! Signing keys as the log knows them: algorithm, public half, state. Private halves are never here.

use crate::{Seconds, Timestamp, choice, record};

choice! {
    /// A JWS algorithm that Grantlog signs with.
    pub enum Algorithm {
        /// ECDSA over P-256 with SHA-256.
        1 "ES256" => Es256,
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        2 "RS256" => Rs256,
        /// Ed25519 (RFC 8037).
        3 "EdDSA" => EdDsa,
    }
}

choice! {
    /// What a signing key may be used for now.
    pub enum KeyStatus {
        /// In the JWKS, not yet signing: the spare.
        1 "published" => Published,
        /// Signing.
        2 "active" => Active,
        /// Not signing; verifies until its longest token has expired.
        3 "retired" => Retired,
        /// Gone from the JWKS.
        4 "removed" => Removed,
        /// Leaked: nothing it signed is believed.
        5 "compromised" => Compromised,
    }
}

/// How long clients may cache the JWKS, and so how long a key is published before it signs.
pub const JWKS_LIFETIME: Seconds = Seconds(3600);

/// The longest life of any token that a signing key may have signed.
pub const LONGEST_TOKEN: Seconds = Seconds(24 * 3600);

record! {
    /// One signing key in the registry's state.
    pub struct SigningKey {
        1 => algorithm: Algorithm,
        /// The public JWK, as JSON.
        2 => jwk: String,
        3 => status: KeyStatus,
        4 => published_at: Timestamp,
        5 => activated_at: Option<Timestamp>,
        /// When a retired key leaves the JWKS.
        6 => until: Option<Timestamp>,
        /// Whether every shard has confirmed hearing that the key is compromised.
        7 => confirmed: bool,
    }
}
