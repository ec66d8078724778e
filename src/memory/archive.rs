//! The archive in memory.

use super::Faults;
use crate::{failure::Failure, ports::Archive};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// Objects by name.
#[derive(Debug, Default)]
pub struct MemoryArchive {
    objects: RefCell<BTreeMap<String, Vec<u8>>>,
    faults: Rc<Faults>,
}

impl MemoryArchive {
    /// An empty archive.
    pub fn new(faults: Rc<Faults>) -> Self {
        Self { objects: RefCell::default(), faults }
    }
}

impl Archive for MemoryArchive {
    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        self.faults.pass("archive.read", false, async { Ok(self.objects.borrow().get(name).cloned()) }).await
    }

    async fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, Failure> {
        let create = async {
            let mut objects = self.objects.borrow_mut();
            if objects.contains_key(name) {
                return Ok(false);
            }
            objects.insert(name.to_owned(), bytes.to_vec());
            Ok(true)
        };
        self.faults.pass("archive.create", false, create).await
    }

    async fn delete(&self, name: &str) -> Result<(), Failure> {
        let delete = async {
            self.objects.borrow_mut().remove(name);
            Ok(())
        };
        self.faults.pass("archive.delete", false, delete).await
    }
}
