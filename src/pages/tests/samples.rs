//! Each page with each of its variants, filled with given words.

use crate::pages::{
    Account, AccountChange, AccountChoice, Application, Consent, Destination, FormPost, Language, LoggedOut, Login,
    LoginProblem, LogoutConfirmation, Page, Session, Trouble, TroublePage,
};
use grantlog_events::{Seconds, Timestamp};

/// What a page is told by others.
pub(super) struct Words {
    pub(super) client: String,
    pub(super) client_id: String,
    pub(super) person: String,
    pub(super) username: String,
    pub(super) opaque: String,
    pub(super) scope: String,
    pub(super) resource: String,
}

impl Words {
    /// As in ordinary life.
    pub(super) fn ordinary() -> Self {
        Self {
            client: "Photo Book".to_owned(),
            client_id: "c-5Yk2p0WqT1u8Zr3v".to_owned(),
            person: "Ada Lovelace".to_owned(),
            username: "ada".to_owned(),
            opaque: "bTkyS3lKQ2hhbGxlbmdl".to_owned(),
            scope: "calendar.read".to_owned(),
            resource: "https://api.photos.example/".to_owned(),
        }
    }

    /// The same words everywhere.
    pub(super) fn only(text: &str) -> Self {
        let text = || text.to_owned();
        Self {
            client: text(),
            client_id: text(),
            person: text(),
            username: text(),
            opaque: text(),
            scope: text(),
            resource: text(),
        }
    }
}

/// Where the sample's client is.
pub(super) fn destination() -> Destination {
    Destination::parse("https://photos.example/callback").unwrap()
}

/// Every page by name.
pub(super) fn all(words: &Words, language: Language) -> Vec<(&'static str, Page)> {
    let mut pages = logins(words, language);
    pages.extend(people(words, language));
    pages.extend(accounts(words, language));
    pages.extend(troubles(words, language));
    pages
}

fn logins(words: &Words, language: Language) -> Vec<(&'static str, Page)> {
    let leads_to = destination();
    let login = Login {
        client_name: Some(&words.client),
        challenge: &words.opaque,
        username: None,
        problem: None,
        leads_to: Some(&leads_to),
    };
    let again = |problem| Login { username: Some(&words.username), problem: Some(problem), ..login.clone() };
    vec![
        ("login", login.page(language)),
        ("login-wrong-credentials", again(LoginProblem::WrongCredentials).page(language)),
        ("login-too-many-attempts", again(LoginProblem::TooManyAttempts { wait: Seconds(200) }).page(language)),
        ("login-expired", again(LoginProblem::Expired).page(language)),
        ("login-to-account", Login { client_name: None, leads_to: None, ..login }.page(language)),
    ]
}

fn people(words: &Words, language: Language) -> Vec<(&'static str, Page)> {
    let leads_to = destination();
    let (client_name, challenge) = (Some(words.client.as_str()), words.opaque.as_str());
    let consent = Consent {
        client_name,
        client_id: &words.client_id,
        redirect_uri: &leads_to,
        person: &words.person,
        scopes: &["openid", "profile", "email", "address", "phone", "groups", "offline_access", &words.scope],
        resources: &[&words.resource],
        challenge,
    };
    let bare = Consent { client_name: None, scopes: &["openid"], resources: &[], ..consent.clone() };
    let choice = AccountChoice { client_name, person: &words.person, challenge, leads_to: Some(&leads_to) };
    let logout = LogoutConfirmation { client_name, challenge, leads_to: Some(&leads_to) };
    let fields = [("code", challenge), ("state", words.username.as_str()), (words.scope.as_str(), "x")];
    vec![
        ("consent", consent.page(language)),
        ("consent-without-a-name", bare.page(language)),
        ("choice", choice.page(language)),
        ("logout", logout.page(language)),
        ("logout-without-a-client", LogoutConfirmation { client_name: None, leads_to: None, ..logout }.page(language)),
        ("logged-out", LoggedOut { back: Some((&words.client, &leads_to)) }.page(language)),
        ("logged-out-for-good", LoggedOut { back: None }.page(language)),
        ("form-post", FormPost { client_name, action: &leads_to, fields: &fields }.page(language)),
        ("form-post-without-a-name", FormPost { client_name: None, action: &leads_to, fields: &[] }.page(language)),
    ]
}

fn accounts(words: &Words, language: Language) -> Vec<(&'static str, Page)> {
    let session = |started: u64, last_used: u64, current: bool| Session {
        target: &words.opaque,
        started: Timestamp::at_seconds(started),
        last_used: Timestamp::at_seconds(last_used),
        current,
    };
    let application = |client_name, scopes| Application {
        target: &words.opaque,
        client_name,
        scopes,
        resources: &[],
        since: Timestamp::at_seconds(1_786_000_000),
    };
    let calendar = ["openid", words.scope.as_str()];
    let account = Account {
        person: &words.person,
        challenge: &words.opaque,
        done: Some(AccountChange::SessionEnded),
        sessions: &[session(1_796_000_000, 1_796_096_161, true), session(1_795_500_000, 1_795_999_999, false)],
        applications: &[
            application(&words.client, &["openid", "profile", "offline_access"]),
            application("Calendar", &calendar),
        ],
    };
    let empty = Account { done: Some(AccountChange::Withdrawn), applications: &[], ..account.clone() };
    vec![("account", account.page(language)), ("account-without-applications", empty.page(language))]
}

fn troubles(words: &Words, language: Language) -> Vec<(&'static str, Page)> {
    let page = |trouble| TroublePage { trouble, request_id: &words.opaque }.page(language);
    vec![
        ("trouble-unknown-client", page(Trouble::UnknownClient)),
        ("trouble-unregistered-redirect-uri", page(Trouble::UnregisteredRedirectUri)),
        ("trouble-malformed-request", page(Trouble::MalformedRequest)),
        ("trouble-sign-in-expired", page(Trouble::SignInExpired)),
        ("trouble-cookie-missing", page(Trouble::CookieMissing)),
        ("trouble-account-form-expired", page(Trouble::AccountFormExpired)),
        ("trouble-not-found", page(Trouble::NotFound)),
        ("trouble-unavailable", page(Trouble::Unavailable { wait: Seconds(5) })),
    ]
}
