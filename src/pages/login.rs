//! The login page. What went wrong is said once, above the form, and each field refers to it.

use super::frame::{self, Width};
use super::text::{LoginText, Text};
use super::{Destination, Language, Page, form, policy};
use grantlog_events::Seconds;
use http::StatusCode;
use maud::{Markup, html};

/// What the login page shows.
#[derive(Clone, Debug)]
pub struct Login<'a> {
    /// The name of the client that waits for the person; `None` on the way to our own account page.
    pub client_name: Option<&'a str>,
    /// Goes into the hidden field.
    pub challenge: &'a str,
    /// The name to begin with: `login_hint`, or what was typed before.
    pub username: Option<&'a str>,
    /// Why the form is shown again.
    pub problem: Option<LoginProblem>,
    /// Where the form may lead in the end: the client's redirect URI.
    pub leads_to: Option<&'a Destination>,
}

/// Why a login did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginProblem {
    /// Unknown person, wrong password, suspended person or an account that rests: nobody is told which.
    WrongCredentials,
    /// Too many wrong passwords from this address.
    TooManyAttempts {
        /// Until the next attempt can succeed.
        wait: Seconds,
    },
    /// The page was older than its challenge lasts; this one has a fresh challenge.
    Expired,
}

impl Login<'_> {
    /// The page. A refused login is a 403 (RFC 9110 §15.5.4), so that a password manager does not keep what was typed.
    #[must_use]
    pub fn page(&self, language: Language) -> Page {
        let text = Text::of(language);
        let title = format!("{}{}", self.problem.map_or("", |_| text.problem), text.login.title);
        let html = frame::document(language, Width::Narrow, &title, &self.content(text));
        let page = Page::new(language, policy::of_page(self.leads_to), html);
        match self.problem {
            None => page,
            Some(LoginProblem::WrongCredentials) => page.with(StatusCode::FORBIDDEN),
            Some(LoginProblem::TooManyAttempts { wait }) => {
                Page { retry_after: Some(wait), ..page.with(StatusCode::TOO_MANY_REQUESTS) }
            }
            Some(LoginProblem::Expired) => page.with(StatusCode::BAD_REQUEST),
        }
    }

    fn content(&self, text: &Text) -> Markup {
        let login = &text.login;
        html! {
            h1 { (login.title) }
            @if let Some(client) = self.client_name { p.lead { (login.to_client.name(client)) } }
            @if let Some(problem) = self.problem { p.problem #problem role="alert" { (sentence(text, problem)) } }
            form method="post" action=(form::LOGIN) {
                (frame::challenge(self.challenge))
                (self.username_field(login))
                (self.password_field(login))
                button.primary type="submit" { (login.submit) }
            }
        }
    }

    fn username_field(&self, login: &LoginText) -> Markup {
        html! {
            label for="username" { (login.username) }
            input #username type="text" name=(form::USERNAME) value=[self.username] autocomplete="username"
                autocapitalize="none" spellcheck="false" required autofocus[self.username.is_none()]
                aria-invalid=[self.invalid()] aria-describedby=[self.described_by()];
        }
    }

    fn password_field(&self, login: &LoginText) -> Markup {
        html! {
            label for="password" { (login.password) }
            input #password type="password" name=(form::PASSWORD) autocomplete="current-password"
                required autofocus[self.username.is_some()]
                aria-invalid=[self.invalid()] aria-describedby=[self.described_by()];
        }
    }

    fn described_by(&self) -> Option<&'static str> {
        self.problem.map(|_| "problem")
    }

    /// Only what was typed can be invalid, not the time at which it was.
    fn invalid(&self) -> Option<&'static str> {
        (self.problem == Some(LoginProblem::WrongCredentials)).then_some("true")
    }
}

fn sentence(text: &Text, problem: LoginProblem) -> String {
    match problem {
        LoginProblem::WrongCredentials => text.login.wrong_credentials.to_owned(),
        LoginProblem::TooManyAttempts { wait } => text.login.too_many_attempts.text(&text.wait(wait.0)),
        LoginProblem::Expired => text.login.expired.to_owned(),
    }
}
