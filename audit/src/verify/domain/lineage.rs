//! An exchange stays in its family: same grant, same party, the parent added to the ancestors, and what
//! the login established is kept.

use super::{Exchanged, Held};

pub(super) fn continues(exchanged: &Exchanged<'_>) -> Held {
    let (event, parent) = (exchanged.appended.event, exchanged.parent);
    let (token, parent_token) = (exchanged.token, exchanged.parent_token);
    if !parent.ancestors.iter().chain([&parent.seq]).eq(&event.ancestors) {
        return Err("its ancestors are not its parent's with the parent added".to_owned());
    }
    if event.grant != parent.grant {
        return Err("it left the grant of its parent".to_owned());
    }
    if event.party() != parent.party() {
        return Err("it names another party than its parent".to_owned());
    }
    if token.session != parent_token.session {
        return Err("it left the session of its parent".to_owned());
    }
    let same_login = token.acr == parent_token.acr
        && token.amr == parent_token.amr
        && token.auth_time == parent_token.auth_time
        && token.may_act == parent_token.may_act;
    if same_login { Ok(()) } else { Err("it says other things of the login than its parent".to_owned()) }
}
