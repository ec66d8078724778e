//! The Worker's configuration, outside Cloudflare: `.dev.vars`, over which the environment wins.
//!
//! What the Worker would refuse is refused here, before anything starts, in one sentence that names
//! the value and never shows it.

mod check;
mod dev_vars;
mod secret;

use crate::failure::Failure;
use check::Shape;
use std::collections::BTreeMap;
use std::env;

/// A year, in seconds.
const YEAR: u32 = 31_536_000;

/// Every name the Worker reads, and the shape of its value.
const NAMES: [(&str, Shape); 15] = [
    ("ISSUER", Shape::Issuer),
    ("OPERATOR_CLIENT_ID", Shape::Text),
    ("OPERATOR_CLIENT_SECRET", Shape::Key),
    ("KEK", Shape::Key),
    ("KEK_PREVIOUS", Shape::Key),
    ("LOG_KEY", Shape::Key),
    ("NAME_KEY", Shape::Key),
    ("LOG_SHARDS", Shape::Count),
    ("LOG_EPOCH", Shape::Number),
    ("ACCESS_TOKEN_TTL", Shape::Seconds(1, 86_400)),
    ("REFRESH_TOKEN_TTL", Shape::Seconds(60, YEAR)),
    ("REFRESH_GRACE", Shape::Seconds(0, 300)),
    ("SESSION_IDLE", Shape::Seconds(60, YEAR)),
    ("SESSION_LIFETIME", Shape::Seconds(60, YEAR)),
    ("USERINFO_CONSISTENCY", Shape::Consistency),
];
const REQUIRED: [&str; 6] = ["ISSUER", "OPERATOR_CLIENT_ID", "OPERATOR_CLIENT_SECRET", "KEK", "LOG_KEY", "NAME_KEY"];

/// Checked values by name; those that are absent are left to the Worker's defaults.
pub(crate) struct Config(BTreeMap<String, String>);

impl Config {
    /// Reads `.dev.vars`, making it first if there is none. An `issuer` given here wins over all.
    pub(crate) fn load(issuer: Option<&str>, port: u16) -> Result<Self, Failure> {
        let mut values = dev_vars::read_or_create()?;
        values.retain(|name, _| NAMES.iter().any(|(known, _)| known == name));
        for (name, _) in NAMES {
            if let Some(value) = env::var_os(name) {
                let value = value.into_string().map_err(|_| Failure::new(format!("{name} is not UTF-8")))?;
                values.insert(name.to_owned(), value);
            }
        }
        if let Some(issuer) = issuer {
            values.insert("ISSUER".to_owned(), issuer.to_owned());
        }
        values.entry("ISSUER".to_owned()).or_insert_with(|| format!("http://127.0.0.1:{port}"));
        check_all(&values)?;
        Ok(Self(values))
    }

    pub(crate) fn value(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    pub(crate) fn values(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

fn check_all(values: &BTreeMap<String, String>) -> Result<(), Failure> {
    if let Some(name) = REQUIRED.iter().find(|name| !values.contains_key(**name)) {
        return Err(Failure::new(format!("{name} is missing from .dev.vars and the environment")));
    }
    for (name, shape) in NAMES {
        if let Some(value) = values.get(name) {
            shape.check(value).map_err(|wanted| Failure::new(format!("{name} is not {wanted}")))?;
        }
    }
    Ok(())
}
