//! [`FramePaths`]: where the frames of a page are, from the outermost inwards.

use std::collections::HashMap;

use colobus_browser::Page;
use colobus_browser::scripts::OWN_PATHS;
use colobus_record::{Entry, Hop};
use serde_json::Value;

use super::page_messages::hops;

#[derive(Default)]
pub struct FramePaths {
    /// Inside the frame around it, as it was when it was first needed.
    known: HashMap<String, Value>,
}

impl FramePaths {
    /// The way to the document with this execution context; nothing if it is the tab's own.
    pub async fn paths(&mut self, page: &Page, context: i64) -> Vec<Hop> {
        let mut way = Vec::new();
        for frame in page.frames_around(context).into_iter().rev() {
            let entry = if way.is_empty() { Entry::Tab } else { Entry::Frame };
            let paths = match self.known.get(&frame) {
                Some(paths) => paths.clone(),
                None => {
                    let paths = page.ask_frame_element(&frame, OWN_PATHS).await.unwrap_or_default();
                    self.known.insert(frame, paths.clone());
                    paths
                }
            };
            way.extend(hops(&paths, entry));
        }
        way
    }
}
