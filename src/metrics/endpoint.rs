//! The endpoints by the first segment of their path: a closed list, since a path may hold anything.

use grantlog_events::choice;

choice! {
    /// Where a request went.
    pub enum Endpoint {
        /// A path that nothing here answers.
        0 "other" => Other,
        /// Discovery and keys.
        1 ".well-known" => WellKnown,
        /// Whether it is open.
        2 "healthz" => Healthz,
        /// RFC 6749 §3.2.
        3 "token" => Token,
        /// OIDC Core §5.3.
        4 "userinfo" => Userinfo,
        /// RFC 7662.
        5 "introspect" => Introspect,
        /// RFC 7009.
        6 "revoke" => Revoke,
        /// RFC 7591, 7592.
        7 "register" => Register,
        /// RFC 7644.
        8 "scim" => Scim,
        /// Operators' commands.
        9 "admin" => Admin,
        /// What is read of the logs.
        10 "audit" => Audit,
        /// RFC 6749 §3.1.
        11 "authorize" => Authorize,
        /// RFC 9126.
        12 "par" => Par,
        /// The login form.
        13 "login" => Login,
        /// The consent form.
        14 "consent" => Consent,
        /// OIDC RP-Initiated Logout.
        15 "logout" => Logout,
        /// A person's own page.
        16 "account" => Account,
    }
}

impl Endpoint {
    /// The endpoint that answers a path.
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        path.split('/').nth(1).and_then(Self::named).unwrap_or(Self::Other)
    }
}
