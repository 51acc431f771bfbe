//! What an origin keeps in the browser: cookies, storage, databases, caches, service workers.

use colobus_world::WorldError;

use super::Page;
use crate::protocol::dom_storage::{GetDomStorageItems, StorageId};
use crate::protocol::storage::ClearDataForOrigin;
use crate::storage_state::StoredItem;

/// Everything but the HTTP cache, which only saves time.
const KINDS: &str = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage,storage_buckets";

impl Page {
    /// Empties all that the origin keeps in the page's session, but for the page's own session storage.
    pub async fn empty_origin(&self, origin: &str) -> Result<(), WorldError> {
        self.call(ClearDataForOrigin { origin, storage_types: KINDS }).await.map(|_| ())
    }

    /// The local storage of an origin, of which a frame of the page is.
    pub async fn local_storage(&self, origin: &str) -> Result<Vec<StoredItem>, WorldError> {
        let storage_id = StorageId { security_origin: origin, is_local_storage: true };
        let items = self.call(GetDomStorageItems { storage_id }).await?.entries;
        Ok(items.into_iter().map(|(name, value)| StoredItem { name, value }).collect())
    }
}
