//! The contract between the pages' forms and the endpoints that read them: paths, fields and their values.

/// Where the login form posts to.
pub const LOGIN: &str = "/login";
/// Where the consent form posts to.
pub const CONSENT: &str = "/consent";
/// Where the choice between accounts posts to.
pub const CHOICE: &str = "/select-account";
/// Where the confirmation of a logout posts to.
pub const LOGOUT: &str = "/logout";
/// The account page, and where each of its forms posts to.
pub const ACCOUNT: &str = "/account";

/// The hidden field of every form: the opaque value its page was made with.
pub const CHALLENGE: &str = "challenge";
/// The login form's name of a person.
pub const USERNAME: &str = "username";
/// The login form's password.
pub const PASSWORD: &str = "password";

/// What a person decided: one of the following values.
pub const DECISION: &str = "decision";
/// Consent: give the client what it asks for.
pub const ALLOW: &str = "allow";
/// Consent: give it nothing.
pub const DENY: &str = "deny";
/// Choice: go on as the person who is signed in.
pub const CONTINUE: &str = "continue";
/// Consent and choice: sign in as somebody else.
pub const SWITCH: &str = "switch";

/// What an account form does: one of the following values.
pub const ACTION: &str = "action";
/// Which session or client an account form is about; absent when signing out.
pub const TARGET: &str = "target";
/// Account: end the session in `target`.
pub const END_SESSION: &str = "end_session";
/// Account: withdraw what was granted to the client in `target`.
pub const WITHDRAW: &str = "withdraw";
/// Account: end the session that the page is seen in.
pub const SIGN_OUT: &str = "sign_out";
