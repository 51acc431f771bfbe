//! The operations that fit each document, looked up once and kept in order of size.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use crate::json::Json;
use crate::subject::{Subject, Supply, SupplyError};

/// An operation and the document it leads to.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub operation: Json,
    pub after: Json,
}

/// Documents in order of size, each with the operations that can be applied to it.
pub struct Catalogue<'a> {
    pub subject: &'a dyn Subject,
    pub supply: &'a dyn Supply,
    pub documents: Vec<Json>,
    known: RefCell<HashMap<Json, Rc<Vec<Candidate>>>>,
    calls: Cell<u64>,
    keep_refused: bool,
}

impl<'a> Catalogue<'a> {
    /// `keep_refused` lists operations that the type refuses as well, if the supply promised them.
    pub fn new(
        subject: &'a dyn Subject,
        supply: &'a dyn Supply,
        keep_refused: bool,
    ) -> Result<Catalogue<'a>, SupplyError> {
        let mut documents = supply.documents()?;
        documents.sort_by_key(|document| (document.size(), document.clone()));
        documents.dedup();
        if documents.is_empty() {
            return Err(SupplyError::NoDocuments);
        }
        let keep_refused = keep_refused && supply.promises();
        Ok(Catalogue {
            subject,
            supply,
            documents,
            known: RefCell::default(),
            calls: Cell::new(0),
            keep_refused,
        })
    }

    pub fn operations(&self, document: &Json) -> Result<Rc<Vec<Candidate>>, SupplyError> {
        if let Some(known) = self.known.borrow().get(document) {
            return Ok(Rc::clone(known));
        }
        let mut operations = self.supply.operations(document)?;
        operations.sort_by_key(|operation| (operation.size(), operation.clone()));
        operations.dedup();
        let mut candidates = Vec::with_capacity(operations.len());
        for operation in operations {
            match self.after(document, &operation) {
                Some(after) => candidates.push(Candidate { operation, after }),
                None if self.keep_refused => {
                    candidates.push(Candidate { operation, after: document.clone() });
                }
                None => {}
            }
        }
        let candidates = Rc::new(candidates);
        self.known.borrow_mut().insert(document.clone(), Rc::clone(&candidates));
        Ok(candidates)
    }

    /// The document after an operation, unless the type refuses it.
    pub fn after(&self, document: &Json, operation: &Json) -> Option<Json> {
        self.count(1);
        self.subject.apply(document, operation).ok()
    }

    pub fn count(&self, calls: u64) {
        self.calls.set(self.calls.get() + calls);
    }

    pub fn calls(&self) -> u64 {
        self.calls.get()
    }
}
