//! JOSE as Grantlog speaks it: compact JWS of three algorithms, access tokens (RFC 9068), assertions of
//! others (RFC 7523), JWK sets and the ring of our own keys.
//!
//! Guarantees that what comes out was signed by the key it names. Whether a token is still alive is left
//! to the log. Cryptography itself is behind [`crate::ports::Keys`].

pub mod access_token;
pub mod assertion;
mod claims;
mod compact;
mod fault;
pub mod id_token;
mod jwk;
pub mod jwks;
pub mod logout_token;
pub mod ring;
#[cfg(test)]
mod tests;
pub mod userinfo;

pub use access_token::Verified;
pub use assertion::Assertion;
pub use fault::{TokenFault, VerifyError};
pub use jwk::{PublicJwk, thumbprint};
pub use ring::Ring;
