//! From SCIM attributes (RFC 7643) to OIDC claims (OIDC Core §5.1), grouped by the scope that opens them.

use serde_json::{Map, Value};

/// Scope and the JSON members it opens, without braces. The attributes are a SCIM user as JSON.
pub fn by_scope(attributes: &[u8]) -> Result<Vec<(String, String)>, &'static str> {
    let user: Value = serde_json::from_slice(attributes).map_err(|_| "attributes that are not JSON")?;
    let groups = [
        ("profile", profile(&user)),
        ("email", email(&user)),
        ("phone", phone(&user)),
        ("address", address(&user)),
        ("groups", group_names(&user)),
    ];
    Ok(groups
        .into_iter()
        .filter(|(_, claims)| !claims.is_empty())
        .map(|(scope, claims)| (scope.to_owned(), members(claims)))
        .collect())
}

/// The scope that opens a claim of this name (OIDC Core §5.4).
#[must_use]
pub fn scope_of(claim: &str) -> Option<&'static str> {
    match claim {
        "name" | "given_name" | "family_name" | "middle_name" | "nickname" | "preferred_username" | "profile"
        | "picture" | "website" | "gender" | "birthdate" | "zoneinfo" | "locale" | "updated_at" => Some("profile"),
        "email" | "email_verified" => Some("email"),
        "phone_number" | "phone_number_verified" => Some("phone"),
        "address" => Some("address"),
        "groups" => Some("groups"),
        _ => None,
    }
}

/// The members of a JSON object without its braces.
fn members(claims: Map<String, Value>) -> String {
    let object = Value::Object(claims).to_string();
    object.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default().to_owned()
}

fn profile(user: &Value) -> Map<String, Value> {
    let claims = [
        ("name", user.pointer("/name/formatted")),
        ("given_name", user.pointer("/name/givenName")),
        ("family_name", user.pointer("/name/familyName")),
        ("middle_name", user.pointer("/name/middleName")),
        ("nickname", user.pointer("/nickName")),
        ("preferred_username", user.pointer("/userName")),
        ("profile", user.pointer("/profileUrl")),
        ("locale", user.pointer("/locale")),
        ("zoneinfo", user.pointer("/timezone")),
    ];
    let mut claims = texts(&claims);
    if !claims.contains_key("name")
        && let Some(name) = joined_name(user)
    {
        claims.insert("name".to_owned(), name.into());
    }
    claims
}

fn joined_name(user: &Value) -> Option<String> {
    let part = |pointer| user.pointer(pointer).and_then(Value::as_str);
    let parts: Vec<&str> = [part("/name/givenName"), part("/name/familyName")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn email(user: &Value) -> Map<String, Value> {
    let Some(primary) = primary(user, "emails") else { return Map::new() };
    let mut claims = texts(&[("email", primary.get("value"))]);
    if !claims.is_empty() {
        // What an operator's directory provisions counts as verified unless it says otherwise.
        let verified = primary.get("verified").and_then(Value::as_bool).unwrap_or(true);
        claims.insert("email_verified".to_owned(), verified.into());
    }
    claims
}

fn phone(user: &Value) -> Map<String, Value> {
    texts(&[("phone_number", primary(user, "phoneNumbers").and_then(|number| number.get("value")))])
}

fn address(user: &Value) -> Map<String, Value> {
    let Some(primary) = primary(user, "addresses") else { return Map::new() };
    let members = texts(&[
        ("formatted", primary.get("formatted")),
        ("street_address", primary.get("streetAddress")),
        ("locality", primary.get("locality")),
        ("region", primary.get("region")),
        ("postal_code", primary.get("postalCode")),
        ("country", primary.get("country")),
    ]);
    if members.is_empty() { Map::new() } else { Map::from_iter([("address".to_owned(), Value::Object(members))]) }
}

fn group_names(user: &Value) -> Map<String, Value> {
    let Some(groups) = user.get("groups").and_then(Value::as_array) else { return Map::new() };
    let names: Vec<Value> =
        groups.iter().filter_map(|group| group.get("display").filter(|name| name.is_string()).cloned()).collect();
    if names.is_empty() { Map::new() } else { Map::from_iter([("groups".to_owned(), Value::Array(names))]) }
}

/// The primary one of a multi-valued attribute; where none is marked, the first.
fn primary<'a>(user: &'a Value, attribute: &str) -> Option<&'a Value> {
    let values = user.get(attribute)?.as_array()?;
    values.iter().find(|value| value.get("primary").and_then(Value::as_bool) == Some(true)).or_else(|| values.first())
}

fn texts(claims: &[(&str, Option<&Value>)]) -> Map<String, Value> {
    let present = claims.iter().filter_map(|(name, value)| {
        value
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
            .map(|text| ((*name).to_owned(), Value::from(text)))
    });
    present.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scope_opens_its_claims_and_the_primary_value_is_taken() {
        let user = br#"{"userName":"ada","name":{"givenName":"Ada","familyName":"Lovelace"},"locale":"en",
            "emails":[{"value":"old@example.org"},{"value":"ada@example.org","primary":true}],
            "groups":[{"display":"engine"},{"value":"no display"}]}"#;
        let expected = [
            (
                "profile",
                r#""family_name":"Lovelace","given_name":"Ada","locale":"en","name":"Ada Lovelace","preferred_username":"ada""#,
            ),
            ("email", r#""email":"ada@example.org","email_verified":true"#),
            ("groups", r#""groups":["engine"]"#),
        ];
        let expected: Vec<(String, String)> =
            expected.map(|(scope, claims)| (scope.to_owned(), claims.to_owned())).into();
        assert_eq!(by_scope(user), Ok(expected));
    }
}
