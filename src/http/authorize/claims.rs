//! The `claims` parameter (OIDC Core §5.5): claims asked for by name, and what must be so.

use serde::Deserialize;
use serde_json::{Map, Value};

/// What a login with a password is called here.
pub(in crate::http) const ACR_PASSWORD: &str = "urn:grantlog:acr:password";

/// The most claims that can be asked for by name, in each place.
const MOST: usize = 32;

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct AskedClaims {
    pub(super) userinfo: Vec<String>,
    pub(super) id_token: Vec<String>,
    /// Whom the answer must be about.
    pub(super) sub: Option<String>,
    /// Whether an essential `acr` is one that a login here has.
    pub(super) acr_can_be_met: bool,
}

#[derive(Deserialize)]
struct Parameter {
    #[serde(default)]
    userinfo: Option<Map<String, Value>>,
    #[serde(default)]
    id_token: Option<Map<String, Value>>,
}

/// Claims that an ID token has anyway, or that say something of themselves.
const OF_THE_TOKEN: [&str; 12] =
    ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "azp", "sid", "at_hash"];

pub(super) fn read(parameter: Option<&str>) -> Result<AskedClaims, &'static str> {
    let Some(text) = parameter else { return Ok(AskedClaims { acr_can_be_met: true, ..AskedClaims::default() }) };
    // A derived reader would take an array for a struct too.
    let object = Some(text).filter(|text| text.trim_start().starts_with('{')).unwrap_or_default();
    let parameter: Parameter =
        serde_json::from_str(object).map_err(|_| "The claims parameter is not such an object.")?;
    let (userinfo, id_token) = (parameter.userinfo.unwrap_or_default(), parameter.id_token.unwrap_or_default());
    if userinfo.len() > MOST || id_token.len() > MOST {
        return Err("There are too many claims.");
    }
    let sub = [&id_token, &userinfo].into_iter().find_map(|claims| claims.get("sub")?.get("value")?.as_str());
    Ok(AskedClaims {
        sub: sub.map(str::to_owned),
        acr_can_be_met: id_token.get("acr").is_none_or(acr_can_be_met),
        userinfo: names(&userinfo),
        id_token: names(&id_token),
    })
}

fn names(claims: &Map<String, Value>) -> Vec<String> {
    claims.keys().filter(|name| !OF_THE_TOKEN.contains(&name.as_str())).cloned().collect()
}

/// A voluntary `acr` binds to nothing (OIDC Core §5.5.1.1).
fn acr_can_be_met(acr: &Value) -> bool {
    if acr.get("essential") != Some(&Value::Bool(true)) {
        return true;
    }
    let one = acr.get("value").into_iter();
    let several = acr.get("values").and_then(Value::as_array).into_iter().flatten();
    let mut wanted = one.chain(several).peekable();
    wanted.peek().is_none() || wanted.any(|acr| acr == ACR_PASSWORD)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn claims_are_asked_for_by_name_in_two_places() {
        let text = r#"{"userinfo":{"name":{"essential":true},"sub":null},"id_token":{"email":null,"auth_time":null}}"#;
        let asked = read(Some(text)).unwrap();
        assert_eq!((asked.userinfo, asked.id_token), (vec!["name".to_owned()], vec!["email".to_owned()]));
        assert!(asked.acr_can_be_met && asked.sub.is_none());
    }

    #[test]
    fn only_an_essential_acr_must_be_met() {
        let met = |acr: &str| read(Some(&format!("{{\"id_token\":{{\"acr\":{acr}}}}}"))).unwrap().acr_can_be_met;
        assert!(met(r#"{"values":["gold"]}"#));
        assert!(met(r#"{"essential":true}"#));
        assert!(!met(r#"{"essential":true,"values":["gold"]}"#));
        assert!(met(&format!(r#"{{"essential":true,"values":["gold","{ACR_PASSWORD}"]}}"#)));
    }

    #[test]
    fn the_subject_may_be_named() {
        let asked = read(Some(r#"{"id_token":{"sub":{"value":"someone"}}}"#)).unwrap();
        assert_eq!(asked.sub.as_deref(), Some("someone"));
    }

    #[test]
    fn what_is_no_such_object_is_refused() {
        for text in ["", "[]", r#"{"userinfo":[]}"#, "nonsense"] {
            assert!(read(Some(text)).is_err(), "{text}");
        }
    }
}
