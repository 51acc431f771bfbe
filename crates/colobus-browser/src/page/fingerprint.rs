//! A digest of what the application serves to a page.

use colobus_model::UrlParts;
use colobus_world::WorldError;
use futures_util::future::join_all;
use sha1::{Digest, Sha1};

use super::Page;
use crate::protocol::network::ResourceType;
use crate::protocol::page::{FrameResources, GetResourceContent, GetResourceTree};

/// Kinds of resources that make an application what it is.
const KINDS: [ResourceType; 3] = [ResourceType::Document, ResourceType::Script, ResourceType::Stylesheet];

impl Page {
    /// Digests documents, scripts and style sheets. The origin and the name of the document do not count.
    pub async fn fingerprint(&self, document: &str) -> Result<String, WorldError> {
        let tree = self.call(GetResourceTree {}).await?.frame_tree;
        let mut resources = Vec::new();
        collect(&tree, &mut resources);
        let url = tree.frame.url.as_str();
        let place = UrlParts::of(url).map_or(url, |parts| parts.origin());
        let contents = resources.iter().map(|(frame_id, url)| self.session.call(GetResourceContent { frame_id, url }));
        let mut parts: Vec<String> = Vec::new();
        for (content, (_, url)) in join_all(contents).await.into_iter().zip(&resources) {
            // A resource that cannot be had (a script that failed to load, say) counts by its address.
            let text = content.map(|content| content.content).unwrap_or_default();
            let url = url.strip_prefix(place).unwrap_or(url);
            parts.push(format!("{url}\n{text}").replace(document, "{doc}"));
        }
        parts.sort();
        let digest = Sha1::digest(parts.join("\n").as_bytes());
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

fn collect<'a>(tree: &'a FrameResources, resources: &mut Vec<(&'a str, &'a str)>) {
    resources.push((&tree.frame.id, &tree.frame.url));
    let counted = tree.resources.iter().filter(|resource| KINDS.contains(&resource.r#type));
    resources.extend(counted.map(|resource| (tree.frame.id.as_str(), resource.url.as_str())));
    for child in &tree.child_frames {
        collect(child, resources);
    }
}
