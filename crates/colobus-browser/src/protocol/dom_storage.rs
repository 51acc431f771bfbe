//! Local and session storage of the documents of a page.

use serde::Serialize;

use super::{commands, messages};

commands! {
    GetDomStorageItems<'a> = "DOMStorage.getDOMStorageItems" { storage_id: StorageId<'a> } -> Items;
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StorageId<'a> {
    pub security_origin: &'a str,
    pub is_local_storage: bool,
}

messages! {
    Items {
        /// Names and values.
        entries: Vec<(String, String)>
    }
}
