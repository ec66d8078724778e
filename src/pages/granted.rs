//! What a client is granted, in words. A scope outside OIDC Core is told by its name.

use super::text::GrantedText;
use maud::{Markup, html};

/// A list of the scopes and the resources (RFC 8707) of a grant.
pub(super) fn list(text: &GrantedText, scopes: &[&str], resources: &[&str]) -> Markup {
    html! {
        ul.granted {
            @for scope in scopes { li { (in_words(text, scope)) } }
            @for resource in resources { li { (text.at_resource.name(resource)) } }
        }
    }
}

fn in_words(text: &GrantedText, scope: &str) -> Markup {
    let words = match scope {
        "openid" => text.openid,
        "profile" => text.profile,
        "email" => text.email,
        "address" => text.address,
        "phone" => text.phone,
        "groups" => text.groups,
        "offline_access" => text.offline_access,
        _ => return text.other.name(scope),
    };
    html! { (words) }
}
