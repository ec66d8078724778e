//! Pages for people: typed views in, HTML out. Pure functions without a clock, storage or requests.
//!
//! A view's `page` gives a [`Page`], [`respond`] makes it a response that nobody caches, frames or adds a
//! script to. All text comes from one table per language (`text`), so that no sentence lacks a language.
//! Every page works without JavaScript. What a form may contain and where it posts to is in [`form`].

mod account;
mod choice;
mod consent;
mod destination;
pub mod form;
mod form_post;
mod frame;
mod granted;
mod language;
mod login;
mod logout;
mod moment;
mod policy;
mod respond;
mod stylesheet;
mod text;
mod trouble;

#[cfg(test)]
mod tests;

pub use account::{Account, AccountChange, Application, Session};
pub use choice::AccountChoice;
pub use consent::Consent;
pub use destination::Destination;
pub use form_post::FormPost;
pub use language::{Language, language};
pub use login::{Login, LoginProblem};
pub use logout::{LoggedOut, LogoutConfirmation};
pub use policy::form_post_csp;
pub use respond::{Page, respond};
pub use stylesheet::{stylesheet, stylesheet_response};
pub use trouble::{Trouble, TroublePage};
