//! A client's view: what the edge needs to authenticate it and to bound what it may ask.

use grantlog_events::{ClientId, Place, Timestamp, client::ClientMetadata, record};

record! {
    /// The value of `client:<id>` in KV, and the registry's answer for a client.
    pub struct ClientView {
        1 => client: ClientId,
        2 => generation: u64,
        3 => deleted: bool,
        4 => metadata: ClientMetadata,
        /// SHA-256 of the client secret.
        5 => secret: Option<[u8; 32]>,
        /// SHA-256 of the registration access token.
        6 => registration_token: Option<[u8; 32]>,
        /// Per log, the position up to which the client's tokens are dead.
        7 => dead_through: Vec<(Place, u64)>,
        /// Position in the registry's log of the last change shown here.
        8 => seq: u64,
        9 => registered_at: Timestamp,
    }
}

impl ClientView {
    /// Whether a token of this client, issued at a position, died with a revocation of all its tokens.
    #[must_use]
    pub fn is_dead(&self, place: Place, seq: u64) -> bool {
        self.dead_through.iter().any(|(at, through)| *at == place && seq <= *through)
    }
}
