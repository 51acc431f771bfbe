//! The operations that fit each document, looked up once and kept in order of size.

use std::cell::RefCell;
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

/// Documents looked up before the table starts again, so that long random runs stay small.
const MOST_KNOWN: usize = 4_096;

/// What is known about one document.
#[derive(Clone)]
struct KnownOperations {
    accepted: Rc<Vec<Candidate>>,
    offered: Rc<Vec<Candidate>>,
}

/// Documents in order of size, each with the operations that can be applied to it.
pub struct Catalogue<'a> {
    pub subject: &'a dyn Subject,
    pub supply: &'a dyn Supply,
    pub documents: Vec<Json>,
    listed: RefCell<HashMap<Json, Rc<Vec<Json>>>>,
    known: RefCell<HashMap<Json, KnownOperations>>,
}

impl<'a> Catalogue<'a> {
    pub fn new(subject: &'a dyn Subject, supply: &'a dyn Supply) -> Result<Catalogue<'a>, SupplyError> {
        let mut documents = supply.documents()?;
        documents.sort_by_key(|document| (document.size(), document.clone()));
        documents.dedup();
        if documents.is_empty() {
            return Err(SupplyError::NoDocuments);
        }
        Ok(Catalogue { subject, supply, documents, listed: RefCell::default(), known: RefCell::default() })
    }

    /// The operations that the supply lists for a document, by size, not tried yet.
    pub fn listed(&self, document: &Json) -> Result<Rc<Vec<Json>>, SupplyError> {
        if let Some(listed) = self.listed.borrow().get(document) {
            return Ok(Rc::clone(listed));
        }
        let mut operations = self.supply.operations(document)?;
        operations.sort_by_key(|operation| (operation.size(), operation.clone()));
        operations.dedup();
        Ok(keep(&self.listed, document, Rc::new(operations)))
    }

    /// The operations that the type accepts on a document, by size.
    pub fn operations(&self, document: &Json) -> Result<Rc<Vec<Candidate>>, SupplyError> {
        Ok(self.look_up(document)?.accepted)
    }

    /// The operations that the supply promises for a document, refused ones included; they lead nowhere.
    pub fn offered(&self, document: &Json) -> Result<Rc<Vec<Candidate>>, SupplyError> {
        Ok(self.look_up(document)?.offered)
    }

    fn look_up(&self, document: &Json) -> Result<KnownOperations, SupplyError> {
        if let Some(known) = self.known.borrow().get(document) {
            return Ok(known.clone());
        }
        let operations = self.listed(document)?;
        let mut accepted = Vec::with_capacity(operations.len());
        let mut offered = Vec::with_capacity(operations.len());
        for operation in operations.iter() {
            let after = self.after(document, operation);
            if after.is_some() || self.supply.promises() {
                let after = after.clone().unwrap_or_else(|| document.clone());
                offered.push(Candidate { operation: operation.clone(), after });
            }
            if let Some(after) = after {
                accepted.push(Candidate { operation: operation.clone(), after });
            }
        }
        Ok(keep(&self.known, document, KnownOperations { accepted: Rc::new(accepted), offered: Rc::new(offered) }))
    }

    /// The document after an operation, unless the type refuses it.
    pub fn after(&self, document: &Json, operation: &Json) -> Option<Json> {
        self.subject.apply(document, operation).ok()
    }
}

fn keep<T: Clone>(table: &RefCell<HashMap<Json, T>>, document: &Json, value: T) -> T {
    let mut table = table.borrow_mut();
    if table.len() >= MOST_KNOWN {
        table.clear();
    }
    table.insert(document.clone(), value.clone());
    value
}
