use super::*;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

fn read(name: &str, value: Option<&str>) -> Result<Config, Misconfigured> {
    let key = URL_SAFE_NO_PAD.encode([1; 32]);
    Config::read(|asked| {
        if asked == name {
            return value.map(str::to_owned);
        }
        Some(match asked {
            "ISSUER" => "https://id.example".to_owned(),
            "OPERATOR_CLIENT_ID" => "operator".to_owned(),
            "OPERATOR_CLIENT_SECRET" | "KEK" | "LOG_KEY" | "NAME_KEY" => key.clone(),
            _ => return None,
        })
    })
}

fn sentence(name: &str, value: &str) -> String {
    read(name, Some(value)).unwrap_err().to_string()
}

#[test]
fn what_is_not_set_has_its_default() {
    let config = read("", None).unwrap();
    let day = 86_400;
    assert_eq!(config.access_token_ttl, Seconds(900));
    assert_eq!((config.refresh_token_ttl, config.refresh_grace), (Seconds(30 * day), Seconds(30)));
    assert_eq!((config.session_idle, config.session_lifetime), (Seconds(day), Seconds(14 * day)));
    assert_eq!((config.log_shards, config.log_epoch, config.userinfo_from_log), (64, 1, false));
    assert_eq!(config.kek_previous, None);
    // The empty text is nothing, as an unset variable of a shell is.
    assert_eq!(read("REFRESH_GRACE", Some("")).unwrap().refresh_grace, Seconds(30));
}

#[test]
fn a_missing_value_is_named() {
    for name in ["ISSUER", "OPERATOR_CLIENT_ID", "OPERATOR_CLIENT_SECRET", "KEK", "LOG_KEY", "NAME_KEY"] {
        assert_eq!(read(name, None).unwrap_err().to_string(), format!("{name} is not set."));
    }
}

#[test]
fn a_lifetime_is_within_its_bounds_and_a_wrong_one_is_named_in_one_sentence() {
    let year = 31_536_000;
    for (name, least, most) in [
        ("ACCESS_TOKEN_TTL", 1, 86_400),
        ("REFRESH_TOKEN_TTL", 60, year),
        ("REFRESH_GRACE", 0, 300),
        ("SESSION_IDLE", 60, year),
        ("SESSION_LIFETIME", 60, year),
    ] {
        for good in [least, most] {
            assert!(read(name, Some(&good.to_string())).is_ok(), "{name} {good}");
        }
        for bad in [(least - 1).to_string(), (most + 1).to_string(), "1.5".to_owned(), "a day".to_owned()] {
            assert_eq!(sentence(name, &bad), format!("{name} is not a number from {least} to {most}."), "{bad}");
        }
    }
    let config = read("SESSION_LIFETIME", Some("3600")).unwrap();
    assert_eq!((config.session_lifetime, config.session_idle), (Seconds(3600), Seconds(86_400)));
    assert_eq!(read("SESSION_IDLE", Some("60")).unwrap().session_idle, Seconds(60));
    assert_eq!(read("REFRESH_TOKEN_TTL", Some("61")).unwrap().refresh_token_ttl, Seconds(61));
    assert_eq!(read("REFRESH_GRACE", Some("0")).unwrap().refresh_grace, Seconds(0));
}

#[test]
fn other_wrong_values_are_named_and_never_shown() {
    for (name, value) in [
        ("ISSUER", "https://id.example/tenant"),
        ("ISSUER", "id.example"),
        ("ISSUER", "https://user@id.example"),
        ("OPERATOR_CLIENT_ID", "an operator"),
        ("OPERATOR_CLIENT_ID", "1-AAAAAAAAAAAAAAAAAAAAAA"),
        ("OPERATOR_CLIENT_ID", "p-operator"),
        ("KEK", "c2hvcnQ"),
        ("KEK_PREVIOUS", "not base64url!"),
        ("LOG_SHARDS", "many"),
        ("USERINFO_CONSISTENCY", "d1"),
    ] {
        let sentence = sentence(name, value);
        assert!(sentence.starts_with(name) && sentence.ends_with('.'), "{sentence}");
        assert!(!sentence.contains(value), "{sentence}");
    }
}

#[test]
fn no_secret_is_in_what_is_printed() {
    let config = read("", None).unwrap();
    let printed = format!("{:?}", (&config.kek, &config.log_key, &config.name_key));
    assert_eq!(printed, "([redacted], [redacted], [redacted])");
}
