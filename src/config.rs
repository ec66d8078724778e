//! Configuration: Worker vars and secrets, read once. A missing or malformed value stops the start.

use grantlog_events::{ClientId, Seconds};
use std::fmt;

/// A secret of 32 bytes; prints nothing of itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

/// What the deployment is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The issuer, an origin without a trailing slash.
    pub issuer: String,
    /// The issuer's host with port, the beginning of every log's origin.
    pub host: String,
    /// The operator's client.
    pub operator: ClientId,
    /// SHA-256 of the operator's secret.
    pub operator_secret: [u8; 32],
    /// Wraps private keys.
    pub kek: Secret,
    /// Opens old wraps.
    pub kek_previous: Option<Secret>,
    /// From it each log's checkpoint key is derived.
    pub log_key: Secret,
    /// Keys the hashes of unique names.
    pub name_key: Secret,
    /// Shards of an epoch that is opened now.
    pub log_shards: u32,
    /// The epoch for new subjects and machine grants.
    pub log_epoch: u32,
    /// Life of an access token, unless the client is registered otherwise.
    pub access_token_ttl: Seconds,
    /// Life of an unused refresh token, unless the client is registered otherwise.
    pub refresh_token_ttl: Seconds,
    /// How long a rotated refresh token gets the same answer again.
    pub refresh_grace: Seconds,
    /// Life of an unused session.
    pub session_idle: Seconds,
    /// Life of a session.
    pub session_lifetime: Seconds,
    /// Whether `/userinfo` asks the log instead of KV.
    pub userinfo_from_log: bool,
}

/// Why the start stops: one sentence that names the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misconfigured(pub String);

impl fmt::Display for Misconfigured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Config {
    /// Reads the configuration; `value` looks a name up.
    pub fn read(value: impl Fn(&str) -> Option<String>) -> Result<Self, Misconfigured> {
        let value = |name: &str| value(name).filter(|text| !text.is_empty());
        let (issuer, host) = issuer(&required("ISSUER", value("ISSUER"))?)?;
        let operator = ClientId::parse(&required("OPERATOR_CLIENT_ID", value("OPERATOR_CLIENT_ID"))?)
            .map_err(|_| Misconfigured("OPERATOR_CLIENT_ID is not a client id.".to_owned()))?;
        if crate::pairwise::is_pairwise(operator.as_str()) {
            return Err(Misconfigured("OPERATOR_CLIENT_ID begins with p-, as pairwise subjects do.".to_owned()));
        }
        let operator_secret = required("OPERATOR_CLIENT_SECRET", value("OPERATOR_CLIENT_SECRET"))?;
        let secret = |name: &str| key(name, &required(name, value(name))?);
        Ok(Self {
            issuer,
            host,
            operator,
            operator_secret: grantlog_events::Digest::of(operator_secret.as_bytes()).0,
            kek: secret("KEK")?,
            kek_previous: value("KEK_PREVIOUS").map(|text| key("KEK_PREVIOUS", &text)).transpose()?,
            log_key: secret("LOG_KEY")?,
            name_key: secret("NAME_KEY")?,
            log_shards: number("LOG_SHARDS", value("LOG_SHARDS"), 64, 1..=1024)?,
            log_epoch: number("LOG_EPOCH", value("LOG_EPOCH"), 1, 1..=u32::MAX)?,
            access_token_ttl: Seconds(u64::from(number(
                "ACCESS_TOKEN_TTL",
                value("ACCESS_TOKEN_TTL"),
                900,
                1..=86_400,
            )?)),
            refresh_token_ttl: seconds(&value, "REFRESH_TOKEN_TTL", 30 * 86_400, 60..=31_536_000)?,
            refresh_grace: seconds(&value, "REFRESH_GRACE", 30, 0..=300)?,
            session_idle: seconds(&value, "SESSION_IDLE", 86_400, 60..=31_536_000)?,
            session_lifetime: seconds(&value, "SESSION_LIFETIME", 14 * 86_400, 60..=31_536_000)?,
            userinfo_from_log: consistency(value("USERINFO_CONSISTENCY").as_deref())?,
        })
    }
}

fn required(name: &str, value: Option<String>) -> Result<String, Misconfigured> {
    value.ok_or_else(|| Misconfigured(format!("{name} is not set.")))
}

fn issuer(text: &str) -> Result<(String, String), Misconfigured> {
    let wrong = || Misconfigured("ISSUER is not an http or https origin without path, query or fragment.".to_owned());
    let issuer = text.trim_end_matches('/');
    let host = issuer.strip_prefix("https://").or_else(|| issuer.strip_prefix("http://")).ok_or_else(wrong)?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b'[' | b']');
    if host.is_empty() || !host.bytes().all(plain) {
        return Err(wrong());
    }
    Ok((issuer.to_owned(), host.to_owned()))
}

fn key(name: &str, text: &str) -> Result<Secret, Misconfigured> {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    URL_SAFE_NO_PAD
        .decode(text.trim_end_matches('='))
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .map(Secret)
        .ok_or_else(|| Misconfigured(format!("{name} is not 32 bytes in base64url.")))
}

fn number(
    name: &str,
    value: Option<String>,
    default: u32,
    range: std::ops::RangeInclusive<u32>,
) -> Result<u32, Misconfigured> {
    let Some(text) = value else { return Ok(default) };
    text.parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| Misconfigured(format!("{name} is not a number from {} to {}.", range.start(), range.end())))
}

fn seconds(
    value: &impl Fn(&str) -> Option<String>,
    name: &str,
    default: u32,
    range: std::ops::RangeInclusive<u32>,
) -> Result<Seconds, Misconfigured> {
    Ok(Seconds(u64::from(number(name, value(name), default, range)?)))
}

fn consistency(value: Option<&str>) -> Result<bool, Misconfigured> {
    match value {
        None | Some("kv") => Ok(false),
        Some("log") => Ok(true),
        Some(_) => Err(Misconfigured("USERINFO_CONSISTENCY is neither kv nor log.".to_owned())),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests;
