//! What a client is registered as, and which changes widen its rights.

use crate::{ClientId, Malformed, Scope, Seconds, Stored, cbor::Value, choice, key::Algorithm, record};

choice! {
    /// How a client proves itself at the token endpoint.
    pub enum AuthenticationMethod {
        /// RFC 6749 §2.3.1, HTTP Basic.
        1 "client_secret_basic" => SecretBasic,
        /// RFC 6749 §2.3.1, in the body.
        2 "client_secret_post" => SecretPost,
        /// RFC 7523 §2.2.
        3 "private_key_jwt" => PrivateKeyJwt,
        /// A public client.
        4 "none" => None,
    }
}

choice! {
    /// A grant type.
    pub enum GrantType {
        /// RFC 6749 §4.4.
        1 "client_credentials" => ClientCredentials,
        /// RFC 7523 §2.1.
        2 "urn:ietf:params:oauth:grant-type:jwt-bearer" => JwtBearer,
        /// RFC 8693.
        3 "urn:ietf:params:oauth:grant-type:token-exchange" => TokenExchange,
        /// RFC 6749 §4.1.
        4 "authorization_code" => AuthorizationCode,
        /// RFC 6749 §6.
        5 "refresh_token" => RefreshToken,
    }
}

/// Which clients a rule lets in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admitted {
    /// Every client.
    Any,
    /// These alone; an empty list is none.
    Only(Vec<ClientId>),
}

impl Admitted {
    /// Whether `client` is let in.
    #[must_use]
    pub fn admits(&self, client: &ClientId) -> bool {
        match self {
            Self::Any => true,
            Self::Only(clients) => clients.contains(client),
        }
    }

    fn is_within(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::Any) => true,
            (Self::Any, Self::Only(_)) => false,
            (Self::Only(clients), Self::Only(_)) => clients.iter().all(|client| other.admits(client)),
        }
    }
}

impl Stored for Admitted {
    fn store(&self) -> Value {
        match self {
            Self::Any => Value::Uint(1),
            Self::Only(clients) => clients.store(),
        }
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match value {
            Value::Uint(1) => Ok(Self::Any),
            other => Vec::load(other).map(Self::Only),
        }
    }
}

record! {
    /// What a client may do by token exchange (RFC 8693).
    pub struct ExchangePolicy {
        1 => audiences: Vec<String>,
        2 => resources: Vec<String>,
        /// Whether it may exchange without an actor token.
        3 => impersonation: bool,
        /// Clients whose tokens may be actor tokens.
        4 => actors: Admitted,
        /// Clients whose tokens may be subject tokens.
        5 => subject_clients: Admitted,
        6 => refresh_token: bool,
    }
}

record! {
    /// An issuer of RFC 7523 assertions that the client may present.
    pub struct AssertionIssuer {
        1 => issuer: String,
        /// Its JWK set, as JSON.
        2 => jwks: String,
    }
}

record! {
    /// Where people can read about a client.
    pub struct AboutClient {
        1 => client_uri: Option<String>,
        2 => logo_uri: Option<String>,
        3 => policy_uri: Option<String>,
        4 => tos_uri: Option<String>,
    }
}

record! {
    /// A client's registered metadata.
    pub struct ClientMetadata {
        1 => name: Option<String>,
        2 => redirect_uris: Vec<String>,
        3 => grant_types: Vec<GrantType>,
        4 => authentication: AuthenticationMethod,
        5 => scope: Scope,
        /// The client's JWK set, as JSON.
        6 => jwks: Option<String>,
        7 => access_token_alg: Algorithm,
        8 => access_token_lifetime: Option<Seconds>,
        9 => refresh_token_lifetime: Option<Seconds>,
        /// Whether `/userinfo` asks the log for this client's tokens, not KV.
        10 => userinfo_from_log: bool,
        11 => token_exchange: Option<ExchangePolicy>,
        12 => assertion_issuers: Vec<AssertionIssuer>,
        /// How ID tokens are signed; absent means RS256 (OIDC Registration §2).
        13 => id_token_alg: Option<Algorithm>,
        /// How `/userinfo` signs its answer; absent means that it does not.
        14 => userinfo_alg: Option<Algorithm>,
        /// The oldest login that will do, where a request does not say.
        15 => default_max_age: Option<Seconds>,
        /// Whether a request must have been pushed (RFC 9126 §6).
        16 => require_pushed: bool,
        /// What the client may ask for by RFC 8707 when a person lets it in.
        17 => resources: Vec<String>,
        18 => post_logout_redirect_uris: Vec<String>,
        /// Where the client hears that a session ended (OIDC Back-Channel Logout §2.2).
        19 => backchannel_logout_uri: Option<String>,
        /// The sector by which people are known to the client; absent means that their subjects are public
        /// (OIDC Core §8.1).
        20 => sector: Option<String>,
        21 => sector_identifier_uri: Option<String>,
        /// Whether it runs on the person's device (OIDC Registration §2, `application_type`).
        22 => native: bool,
        23 => about: Option<AboutClient>,
    }
}

impl ClientMetadata {
    /// Whether this metadata gives a right that `before` did not.
    ///
    /// Names, URIs and keys may change freely; scope, grant types, lifetimes, resources, exchange, assertion issuers
    /// and the strength of authentication only shrink without `client:register`, and whoever knows people by
    /// pairwise subjects comes to know them by no other.
    #[must_use]
    pub fn widens(&self, before: &Self) -> bool {
        !self.scope.is_within(&before.scope)
            || self.grant_types.iter().any(|grant| !before.grant_types.contains(grant))
            || self.assertion_issuers.iter().any(|issuer| !before.assertion_issuers.contains(issuer))
            || strength(self.authentication) < strength(before.authentication)
            || widens_exchange(self.token_exchange.as_ref(), before.token_exchange.as_ref())
            || (before.userinfo_from_log && !self.userinfo_from_log)
            || self.resources.iter().any(|resource| !before.resources.contains(resource))
            || (before.require_pushed && !self.require_pushed)
            || (before.sector.is_some() && self.sector != before.sector)
            || is_longer(self.access_token_lifetime, before.access_token_lifetime)
            || is_longer(self.refresh_token_lifetime, before.refresh_token_lifetime)
    }
}

/// Whether a lifetime grew; without one, the deployment's own counts, which may be anything.
fn is_longer(after: Option<Seconds>, before: Option<Seconds>) -> bool {
    match (after, before) {
        (Some(after), Some(before)) => after > before,
        (None, None) => false,
        (None, Some(_)) | (Some(_), None) => true,
    }
}

fn strength(method: AuthenticationMethod) -> u8 {
    match method {
        AuthenticationMethod::None => 0,
        AuthenticationMethod::SecretBasic | AuthenticationMethod::SecretPost => 1,
        AuthenticationMethod::PrivateKeyJwt => 2,
    }
}

fn widens_exchange(after: Option<&ExchangePolicy>, before: Option<&ExchangePolicy>) -> bool {
    match (after, before) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(after), Some(before)) => {
            after.audiences.iter().any(|audience| !before.audiences.contains(audience))
                || after.resources.iter().any(|resource| !before.resources.contains(resource))
                || (after.impersonation && !before.impersonation)
                || (after.refresh_token && !before.refresh_token)
                || !after.actors.is_within(&before.actors)
                || !after.subject_clients.is_within(&before.subject_clients)
        }
    }
}
