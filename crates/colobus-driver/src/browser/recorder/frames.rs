//! [`FramePaths`]: where the frames of a page are, from the outermost inwards.

use std::collections::HashMap;

use colobus_record::{Entry, Hop};
use serde_json::{Value, json};

use super::told::hops;
use crate::browser::windows::{OWN_PATHS, Tab};

#[derive(Default)]
pub struct FramePaths {
    /// Inside the frame around it, as it was when it was first needed.
    known: HashMap<String, Value>,
}

impl FramePaths {
    /// The way to the document with this execution context; nothing if it is the tab's own.
    pub async fn paths(&mut self, tab: &Tab, context: i64) -> Vec<Hop> {
        let mut way = Vec::new();
        for frame in tab.frames_of(context).into_iter().rev() {
            let entry = if way.is_empty() { Entry::Tab } else { Entry::Frame };
            let paths = match self.known.get(&frame) {
                Some(paths) => paths.clone(),
                None => {
                    let paths = own_paths(tab, &frame).await.unwrap_or_default();
                    self.known.insert(frame, paths.clone());
                    paths
                }
            };
            way.extend(hops(&paths, entry));
        }
        way
    }
}

async fn own_paths(tab: &Tab, frame: &str) -> Option<Value> {
    let owner = tab.call("DOM.getFrameOwner", json!({ "frameId": frame })).await.ok()?;
    let node = tab.call("DOM.resolveNode", json!({ "backendNodeId": owner["backendNodeId"] })).await.ok()?;
    let params = json!({
        "objectId": node["object"]["objectId"], "functionDeclaration": OWN_PATHS, "returnByValue": true,
    });
    let answer = tab.call("Runtime.callFunctionOn", params).await.ok()?;
    Some(answer["result"]["value"].clone())
}
