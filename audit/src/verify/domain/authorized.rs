//! What a code or a refresh token buys is what was authorized, or less: for the same client and party, in the
//! same session, with the same login, and with no more scope, audience or claims.

use super::{Appended, Held};
use grantlog_events::{
    Body, Event, Scope, Timestamp,
    token::{IssuedToken, MayAct},
};

/// What the event that a family begins with allows.
pub(super) struct Authorization<'a> {
    pub(super) root: &'a Event,
    scope: &'a Scope,
    audience: &'a [String],
    claims: &'a [String],
    session: Option<u64>,
    login: Login<'a>,
}

type Login<'a> = (Option<&'a String>, &'a [String], Option<Timestamp>, Option<&'a MayAct>);

impl<'a> Authorization<'a> {
    /// What `root` allows, if it is a code or an exchange that came with a refresh token.
    pub(super) fn of(root: &'a Event) -> Option<Self> {
        match &root.body {
            Body::CodeIssued(code) => Some(Self {
                root,
                scope: &code.scope,
                audience: &code.audience,
                claims: &code.claims,
                session: (!code.offline).then_some(code.session),
                login: (Some(&code.acr), &code.amr, Some(code.auth_time), None),
            }),
            Body::TokenImpersonated(token) if token.refresh.is_some() => Some(Self {
                root,
                scope: &token.scope,
                audience: &token.audience,
                claims: &[],
                session: token.session,
                login: login(token),
            }),
            _ => None,
        }
    }

    fn is_code(&self) -> bool {
        matches!(self.root.body, Body::CodeIssued(_))
    }

    /// A token of a code descends from no token; one of an exchanged family from the exchange.
    fn lineage(&self) -> Vec<u64> {
        let own = (!self.is_code()).then_some(self.root.seq);
        self.root.ancestors.iter().copied().chain(own).collect()
    }
}

pub(super) fn is_not_exceeded(appended: &Appended<'_>, token: &IssuedToken, allowed: &Authorization<'_>) -> Held {
    belongs(appended.event, token, allowed)?;
    if !token.scope.is_within(allowed.scope) {
        return Err(format!("its scope \"{}\" exceeds what was authorized, \"{}\"", token.scope, allowed.scope));
    }
    if token.scope.is_empty() {
        return Err("its scope is empty".to_owned());
    }
    if token.audience.iter().any(|audience| !allowed.audience.contains(audience)) {
        return Err("it is for an audience that was not authorized".to_owned());
    }
    if token.claims.iter().any(|claim| !allowed.claims.contains(claim)) {
        return Err("it opens claims that nobody asked the person for".to_owned());
    }
    if token.id_token.is_some() && !(allowed.is_code() && token.scope.contains("openid")) {
        return Err("it comes with an ID token where none is due".to_owned());
    }
    Ok(())
}

fn belongs(event: &Event, token: &IssuedToken, allowed: &Authorization<'_>) -> Held {
    let root = allowed.root;
    let address = root.address();
    if event.client != root.client {
        return Err(format!("it gives another client what {address} allows"));
    }
    if event.party() != root.party() {
        return Err(format!("it names another party than {address}"));
    }
    if event.grant != root.grant {
        return Err(format!("it left the grant of {address}"));
    }
    if event.ancestors != allowed.lineage() || event.actors != root.actors {
        return Err(format!("it descends from other tokens or actors than what {address} allows"));
    }
    if token.session != allowed.session {
        return Err(format!("it does not die with the session that {address} dies with"));
    }
    if login(token) != allowed.login {
        return Err(format!("it says other things of the login than {address}"));
    }
    Ok(())
}

fn login(token: &IssuedToken) -> Login<'_> {
    (token.acr.as_ref(), &token.amr, token.auth_time, token.may_act.as_ref())
}
