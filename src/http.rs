//! The HTTP edge: one file per endpoint, over `http` requests and responses with whole bodies.
//!
//! [`handle`] is the one door. An endpoint returns `Result<Response, Stop>`; every refusal and every
//! failure leaves through `stop`, where each has its one public face.

mod answer;
mod bearer;
mod client;
mod cors;
mod discovery;
mod form;
mod memory;
mod operator;
mod page;
mod router;
mod stop;
mod strangers;

mod account;
mod admin;
mod audit;
mod authorize;
mod introspect;
mod logout;
mod rebuild;
mod register;
mod revoke;
mod scim;
mod token;
mod userinfo;

#[cfg(test)]
mod tests;

pub use memory::Memory;
pub use router::{CLIENT_ADDRESS, MAX_BODY, TRACE, handle, is_for_browsers};
pub use stop::{OAuthError, Stop};

/// A request with its whole body.
pub type Request = http::Request<Vec<u8>>;
/// A response with its whole body.
pub type Response = http::Response<Vec<u8>>;
