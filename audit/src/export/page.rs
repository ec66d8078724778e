//! One page of `GET /audit/events?raw=true`, read strictly.

use crate::{bundle::digest, exit::Failure};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Address, Digest};
use serde::Deserialize;

/// A page of events, in order.
pub(super) struct Page {
    pub(super) events: Vec<Listed>,
    pub(super) next: Option<String>,
}

/// An event as the server lists it: where it stands, its bytes, and the digest it has by the server.
pub(super) struct Listed {
    pub(super) address: Address,
    pub(super) bytes: Vec<u8>,
    pub(super) digest: Digest,
}

#[derive(Deserialize)]
struct Answer {
    events: Vec<Item>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    address: String,
    raw: String,
    digest: String,
}

impl Page {
    pub(super) fn parse(body: &[u8]) -> Result<Self, Failure> {
        let answer: Answer = serde_json::from_slice(body)
            .map_err(|error| Failure::unreadable(format!("The server's page of events cannot be read: {error}.")))?;
        let events = answer.events.iter().map(Listed::parse).collect::<Result<_, _>>()?;
        Ok(Self { events, next: answer.next })
    }
}

impl Listed {
    fn parse(item: &Item) -> Result<Self, Failure> {
        let unusable =
            |member| Failure::unreadable(format!("The server listed {} without a usable {member}.", item.address));
        Ok(Self {
            address: Address::parse(&item.address).map_err(|_| unusable("address"))?,
            bytes: URL_SAFE_NO_PAD.decode(&item.raw).map_err(|_| unusable("raw"))?,
            digest: digest(&item.digest).ok_or_else(|| unusable("digest"))?,
        })
    }
}
