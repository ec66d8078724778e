//! Everything the pages say: one table per language. A sentence that one language lacks does not compile.

mod english;
mod japanese;

use super::Language;
use maud::{Markup, html};

/// What surrounds a name, in whichever order a language has it.
pub(super) struct Around(pub(super) &'static str, pub(super) &'static str);

impl Around {
    /// The sentence with the name set apart: its own direction of writing cannot turn the words beside it.
    pub(super) fn name(&self, name: &str) -> Markup {
        html! { (self.0) bdi { (name) } (self.1) }
    }

    /// The sentence as text, for a title.
    pub(super) fn text(&self, inner: &str) -> String {
        format!("{}{inner}{}", self.0, self.1)
    }
}

/// A trouble's heading, what happened, and what to do.
pub(super) struct TroubleText {
    pub(super) title: &'static str,
    pub(super) happened: &'static str,
    pub(super) remedy: &'static str,
}

pub(super) struct LoginText {
    pub(super) title: &'static str,
    pub(super) to_client: Around,
    pub(super) username: &'static str,
    pub(super) password: &'static str,
    pub(super) submit: &'static str,
    /// One sentence for an unknown person, a wrong password and a suspended person: it must not tell which.
    pub(super) wrong_credentials: &'static str,
    pub(super) too_many_attempts: Around,
    pub(super) expired: &'static str,
}

pub(super) struct ConsentText {
    pub(super) title: Around,
    pub(super) signed_in_as: Around,
    pub(super) switch: &'static str,
    pub(super) it_can: &'static str,
    pub(super) client_id: &'static str,
    pub(super) leads_to: &'static str,
    pub(super) revocable: &'static str,
    pub(super) allow: &'static str,
    pub(super) deny: &'static str,
}

pub(super) struct GrantedText {
    pub(super) openid: &'static str,
    pub(super) profile: &'static str,
    pub(super) email: &'static str,
    pub(super) address: &'static str,
    pub(super) phone: &'static str,
    pub(super) groups: &'static str,
    pub(super) offline_access: &'static str,
    pub(super) other: Around,
    pub(super) at_resource: Around,
}

pub(super) struct ChoiceText {
    pub(super) title: &'static str,
    pub(super) signed_in: &'static str,
    pub(super) continue_as: Around,
    pub(super) switch: &'static str,
}

pub(super) struct LogoutText {
    pub(super) title: &'static str,
    pub(super) by_client: Around,
    pub(super) what_ends: &'static str,
    pub(super) submit: &'static str,
    pub(super) stay: &'static str,
    pub(super) done: &'static str,
    pub(super) close: &'static str,
    pub(super) back: Around,
}

pub(super) struct AccountText {
    pub(super) title: &'static str,
    pub(super) signed_in_as: Around,
    pub(super) sign_out: &'static str,
    pub(super) sessions: &'static str,
    pub(super) this_session: &'static str,
    pub(super) started: &'static str,
    pub(super) last_used: &'static str,
    pub(super) end_session: &'static str,
    pub(super) applications: &'static str,
    pub(super) no_applications: &'static str,
    pub(super) since: &'static str,
    pub(super) withdraw: &'static str,
    pub(super) session_ended: &'static str,
    pub(super) withdrawn: &'static str,
}

pub(super) struct TroublesText {
    pub(super) reference: &'static str,
    pub(super) unknown_client: TroubleText,
    pub(super) unregistered_redirect_uri: TroubleText,
    pub(super) malformed_request: TroubleText,
    pub(super) sign_in_expired: TroubleText,
    pub(super) cookie_missing: TroubleText,
    pub(super) account_form_expired: TroubleText,
    pub(super) not_found: TroubleText,
    pub(super) unavailable: TroubleText,
}

pub(super) struct FormPostText {
    pub(super) title: Around,
    pub(super) if_nothing_happens: &'static str,
    pub(super) submit: &'static str,
}

/// One language's table.
pub(super) struct Text {
    /// Before the title of a page that reports a problem.
    pub(super) problem: &'static str,
    pub(super) footer: &'static str,
    pub(super) months: [&'static str; 12],
    pub(super) seconds: fn(u64) -> String,
    pub(super) minutes: fn(u64) -> String,
    pub(super) login: LoginText,
    pub(super) consent: ConsentText,
    pub(super) granted: GrantedText,
    pub(super) choice: ChoiceText,
    pub(super) logout: LogoutText,
    pub(super) account: AccountText,
    pub(super) troubles: TroublesText,
    pub(super) form_post: FormPostText,
}

impl Text {
    /// The table of a language.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &english::TEXT,
            Language::Japanese => &japanese::TEXT,
        }
    }

    /// How long to wait, rounded up: seconds below two minutes, then minutes.
    pub(super) fn wait(&self, seconds: u64) -> String {
        if seconds < 120 { (self.seconds)(seconds.max(1)) } else { (self.minutes)(seconds.div_ceil(60)) }
    }
}
