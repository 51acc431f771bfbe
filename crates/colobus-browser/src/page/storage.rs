//! What an origin keeps in the browser: cookies, storage, databases, caches, service workers.

use colobus_world::WorldError;

use super::Page;
use crate::protocol::storage::ClearDataForOrigin;

/// Everything but the HTTP cache, which only saves time.
const KINDS: &str = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage,storage_buckets";

impl Page {
    /// Empties all that the origin keeps in the page's session, but for the page's own session storage.
    pub async fn empty_origin(&self, origin: &str) -> Result<(), WorldError> {
        self.call(ClearDataForOrigin { origin, storage_types: KINDS }).await.map(|_| ())
    }
}
