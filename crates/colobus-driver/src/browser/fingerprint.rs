//! A digest of what the application serves to a client.

use futures_util::future::join_all;
use serde_json::{Value, json};
use sha1::{Digest, Sha1};

use super::client::Client;
use colobus_world::WorldError;

/// Kinds of resources that make an application what it is.
const KINDS: [&str; 3] = ["Document", "Script", "Stylesheet"];

impl Client {
    /// Digests documents, scripts and style sheets; where it is served and the name of the document do not
    /// count.
    pub async fn fingerprint(&self, document: &str) -> Result<String, WorldError> {
        let tree = self.call("Page.getResourceTree", json!({})).await?;
        let mut resources = Vec::new();
        collect(&tree["frameTree"], &mut resources);
        let place = origin(tree["frameTree"]["frame"]["url"].as_str().unwrap_or_default());
        let contents = resources
            .iter()
            .map(|(frame, url)| self.session.call("Page.getResourceContent", json!({ "frameId": frame, "url": url })));
        let mut parts: Vec<String> = Vec::new();
        for (content, (_, url)) in join_all(contents).await.into_iter().zip(&resources) {
            // What cannot be had (a script that failed to load, say) counts by its address.
            let content = content.map_err(|error| self.explain(error)).unwrap_or_default();
            let text = content["content"].as_str().unwrap_or_default();
            let url = url.strip_prefix(place).unwrap_or(url);
            parts.push(format!("{url}\n{text}").replace(document, "{doc}"));
        }
        parts.sort();
        let digest = Sha1::digest(parts.join("\n").as_bytes());
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// `http://127.0.0.1:8080`
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |scheme| scheme + 3);
    &url[..url[host..].find('/').map_or(url.len(), |slash| host + slash)]
}

fn collect(tree: &Value, resources: &mut Vec<(String, String)>) {
    let frame = &tree["frame"];
    let frame_id = frame["id"].as_str().unwrap_or_default();
    let mut add = |url: &Value| {
        let url = url.as_str().unwrap_or_default();
        resources.push((frame_id.to_string(), url.to_string()));
    };
    add(&frame["url"]);
    for resource in tree["resources"].as_array().map(Vec::as_slice).unwrap_or_default() {
        if KINDS.iter().any(|kind| resource["type"] == *kind) {
            add(&resource["url"]);
        }
    }
    for child in tree["childFrames"].as_array().map(Vec::as_slice).unwrap_or_default() {
        collect(child, resources);
    }
}
