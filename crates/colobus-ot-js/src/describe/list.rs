//! Documents and operations that a user wrote down in a JSON file.

use std::path::Path;

use serde::Deserialize;

use crate::error::CheckError;
use crate::json::Json;
use crate::subject::{Supply, SupplyError};

/// `operations` are tried on every document and count where they apply; those under `on` belong to one document.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationList {
    #[serde(default)]
    documents: Vec<Json>,
    #[serde(default)]
    operations: Vec<Json>,
    #[serde(default)]
    on: Vec<OnDocument>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OnDocument {
    document: Json,
    operations: Vec<Json>,
}

impl OperationList {
    pub fn read(path: &Path) -> Result<OperationList, CheckError> {
        let shown = || path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| CheckError::Unreadable { path: shown(), message: error.to_string() })?;
        let list: OperationList = serde_json::from_str(&text)
            .map_err(|error| CheckError::BadDescription { path: shown(), problem: error.to_string() })?;
        if list.documents.is_empty() && list.on.is_empty() {
            let problem = "it lists no documents".to_owned();
            return Err(CheckError::BadDescription { path: shown(), problem });
        }
        if list.operations.is_empty() && list.on.iter().all(|one| one.operations.is_empty()) {
            let problem = "it lists no operations".to_owned();
            return Err(CheckError::BadDescription { path: shown(), problem });
        }
        Ok(list)
    }
}

impl Supply for OperationList {
    fn documents(&self) -> Result<Vec<Json>, SupplyError> {
        let own = self.on.iter().map(|one| &one.document);
        Ok(self.documents.iter().chain(own).cloned().collect())
    }

    fn operations(&self, document: &Json) -> Result<Vec<Json>, SupplyError> {
        let own = self.on.iter().filter(|one| one.document == *document).flat_map(|one| &one.operations);
        Ok(self.operations.iter().chain(own).cloned().collect())
    }

    fn promises(&self) -> bool {
        false
    }

    fn generate(&self, _document: &Json, _seed: u64) -> Result<Option<Json>, SupplyError> {
        Ok(None)
    }

    fn valid(&self, _document: &Json, _operation: &Json) -> Result<Option<bool>, SupplyError> {
        Ok(None)
    }
}
