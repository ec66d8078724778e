//! What a client asked of a person, as it travels through pages and pushed requests: sealed, never kept.

use grantlog_events::{ClientId, Scope, Seconds, Subject, choice, command::Spend, record};
use grantlog_projections::claims::scope_of;

choice! {
    /// How the answer comes back (OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode).
    pub enum ResponseMode {
        /// In the query of the redirect URI.
        1 "query" => Query,
        /// In its fragment.
        2 "fragment" => Fragment,
        /// In a form that the browser posts to it.
        3 "form_post" => FormPost,
    }
}

choice! {
    /// What the person is to see (OIDC Core §3.1.2.1).
    pub enum Prompt {
        /// Nothing.
        1 "none" => None,
        /// The login page.
        2 "login" => Login,
        /// The consent page.
        3 "consent" => Consent,
        /// The choice between accounts.
        4 "select_account" => SelectAccount,
    }
}

record! {
    /// An authorization request that was read and found good; client and redirect URI are proven.
    pub(in crate::http) struct Asked {
        1 => client: ClientId,
        2 => redirect_uri: String,
        3 => mode: ResponseMode,
        4 => state: Option<String>,
        5 => nonce: Option<String>,
        6 => scope: Scope,
        /// The code challenge (RFC 7636, S256).
        7 => challenge: Option<[u8; 32]>,
        8 => resources: Vec<String>,
        /// Claims asked for by name at `/userinfo` and in the ID token.
        9 => userinfo_claims: Vec<String>,
        10 => id_token_claims: Vec<String>,
        11 => max_age: Option<Seconds>,
        12 => prompt: Vec<Prompt>,
        13 => login_hint: Option<String>,
        14 => ui_locales: Option<String>,
        /// Whom the answer must be about: the subject of an `id_token_hint` or of the claim `sub`.
        15 => about: Option<Subject>,
        /// The pushed request that this was, to be spent with the code.
        16 => pushed: Option<Spend>,
    }
}

impl Asked {
    pub(super) fn wants(&self, prompt: Prompt) -> bool {
        self.prompt.contains(&prompt)
    }

    /// Whether the answer may be about this person.
    pub(super) fn is_about(&self, subject: &Subject) -> bool {
        self.about.as_ref().is_none_or(|about| about == subject)
    }

    /// The scopes that the claims asked for by name belong to: the person is asked about them alike.
    pub(super) fn implied_scope(&self) -> Scope {
        let names = self.userinfo_claims.iter().chain(&self.id_token_claims);
        let scopes: Vec<&str> = names.filter_map(|name| scope_of(name)).collect();
        Scope::parse(&scopes.join(" ")).unwrap_or_default()
    }

    /// The same once the person has seen what they were to see: asked for once, it is not asked for again.
    pub(super) fn after(mut self, prompt: Prompt) -> Self {
        self.prompt.retain(|wanted| *wanted != prompt);
        self
    }

    /// The same for who has just logged in: that is recent enough, however long they take for what is still to be asked.
    pub(super) fn after_login(self) -> Self {
        Self { max_age: None, ..self.after(Prompt::Login).after(Prompt::SelectAccount) }
    }
}
