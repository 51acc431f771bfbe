//! The document of a page as the server sent it.

use colobus_world::{SentDocument, WorldError};

use super::Page;
use crate::protocol::page::{GetResourceContent, GetResourceTree};

impl Page {
    /// What the main frame was sent, if it is HTML and the browser still has it.
    pub async fn sent_document(&self) -> Result<Option<SentDocument>, WorldError> {
        let frame = self.call(GetResourceTree {}).await?.frame_tree.frame;
        if frame.mime_type != "text/html" {
            return Ok(None);
        }
        let sent = self.session.call(GetResourceContent { frame_id: &frame.id, url: &frame.url }).await;
        Ok(sent.ok().map(|sent| SentDocument { url: frame.url, text: sent.content }))
    }
}
