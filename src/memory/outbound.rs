//! Others, in memory: answers that a test has prepared, and what they were asked.

use crate::{failure::Failure, ports::Outbound};
use std::{cell::RefCell, collections::BTreeMap};

/// The world outside.
#[derive(Debug, Default)]
pub struct MemoryOutbound {
    documents: RefCell<BTreeMap<String, Vec<u8>>>,
    statuses: RefCell<BTreeMap<String, u16>>,
    posted: RefCell<Vec<(String, String)>>,
}

impl MemoryOutbound {
    /// Puts a document where it can be read.
    pub fn publish(&self, url: &str, document: &[u8]) {
        self.documents.borrow_mut().insert(url.to_owned(), document.to_vec());
    }

    /// Lets a place answer with this status from now on; without one it cannot be reached.
    pub fn answer(&self, url: &str, status: Option<u16>) {
        let mut statuses = self.statuses.borrow_mut();
        match status {
            Some(status) => statuses.insert(url.to_owned(), status),
            None => statuses.remove(url),
        };
    }

    /// What was posted so far, with where to.
    #[must_use]
    pub fn posted(&self) -> Vec<(String, String)> {
        self.posted.borrow().clone()
    }
}

impl Outbound for MemoryOutbound {
    async fn post_form(&self, url: &str, form: &str) -> Result<u16, Failure> {
        self.posted.borrow_mut().push((url.to_owned(), form.to_owned()));
        let status = self.statuses.borrow().get(url).copied();
        status.ok_or_else(|| Failure::passing("asking others", "nobody is there"))
    }

    async fn get(&self, url: &str) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.documents.borrow().get(url).cloned())
    }
}
