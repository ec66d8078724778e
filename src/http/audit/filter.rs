//! What an auditor asks for, from the query string.
//!
//! `from` is included and `to` is not; both are instants at which events were recorded, so that no event
//! of a log lies outside a bound and later ones inside it again.

use crate::http::{OAuthError, Stop, form::Form, stop::because};
use grantlog_events::{Address, Body, ClientId, Event, Subject, Timestamp};
use grantlog_projections::rendered::instant;

const DEFAULT_LIMIT: usize = 100;
const LARGEST_LIMIT: usize = 1000;

/// A query for events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) subject: Option<Subject>,
    pub(super) client: Option<ClientId>,
    pub(super) kind: Option<&'static str>,
    pub(super) from: Option<Timestamp>,
    pub(super) to: Option<Timestamp>,
    /// The last event that was read before.
    pub(super) after: Option<Address>,
    pub(super) limit: usize,
    pub(super) raw: bool,
}

impl Filter {
    pub(super) fn parse(query: &Form) -> Result<Self, Stop> {
        Ok(Self {
            subject: read(query, "subject", |text| Subject::parse(text).ok())?,
            client: read(query, "client_id", |text| ClientId::parse(text).ok())?,
            kind: read(query, "type", kind)?,
            from: read(query, "from", instant::parse)?,
            to: read(query, "to", instant::parse)?,
            after: read(query, "after", |text| Address::parse(text).ok())?,
            limit: read(query, "limit", limit)?.unwrap_or(DEFAULT_LIMIT),
            raw: read(query, "raw", flag)?.unwrap_or(false),
        })
    }

    pub(super) fn admits(&self, event: &Event) -> bool {
        self.subject.as_ref().is_none_or(|subject| event.subject.as_ref() == Some(subject))
            && self.client.as_ref().is_none_or(|client| event.client.as_ref() == Some(client))
            && self.kind.is_none_or(|kind| event.body.name() == kind)
            && self.from.is_none_or(|from| event.recorded_at >= from)
            && !self.ends_before(event)
    }

    /// Whether this event and all later ones of its log are too late.
    pub(super) fn ends_before(&self, event: &Event) -> bool {
        self.to.is_some_and(|to| event.recorded_at >= to)
    }

    /// Whether every event that is read is also wanted.
    pub(super) fn admits_all(&self) -> bool {
        self.subject.is_none()
            && self.client.is_none()
            && self.kind.is_none()
            && self.from.is_none()
            && self.to.is_none()
    }
}

fn read<T>(query: &Form, name: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Stop> {
    match query.value(name) {
        None => Ok(None),
        Some(text) => match parse(text) {
            Some(value) => Ok(Some(value)),
            None => because(OAuthError::InvalidRequest, &format!("The parameter {name} is malformed.")),
        },
    }
}

fn kind(text: &str) -> Option<&'static str> {
    Body::REGISTRY.iter().map(|(_, name)| *name).find(|name| *name == text)
}

fn limit(text: &str) -> Option<usize> {
    text.parse().ok().filter(|limit| (1..=LARGEST_LIMIT).contains(limit))
}

fn flag(text: &str) -> Option<bool> {
    text.parse().ok()
}
