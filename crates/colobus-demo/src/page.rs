//! The editor's page, embedded. Its parts are served below a path that changes with their content, so that a browser
//! may keep them for ever and loads a fresh document with a single request.

use crate::bug::Bug;
use crate::http::Response;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

macro_rules! assets {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../page/", $name)))),+]
    };
}

const ASSETS: &[(&str, &str)] = assets![
    "style.css",
    "main.js",
    "commands.js",
    "connection.js",
    "delta.js",
    "editor.js",
    "keys.js",
    "lines.js",
    "peer.js",
    "places.js",
    "presence.js",
    "ranges.js",
    "remotes.js",
    "session.js",
    "transform.js",
    "undo.js",
    "users.js",
    "view.js",
];

#[derive(Debug)]
pub(crate) struct Page {
    base: String,
    html: String,
}

impl Page {
    pub(crate) fn new(bugs: &BTreeSet<Bug>) -> Page {
        let mut hasher = DefaultHasher::new();
        ASSETS.hash(&mut hasher);
        let base = format!("/assets/{:016x}/", hasher.finish());
        let config = serde_json::json!({ "bugs": bugs.iter().map(|bug| bug.name()).collect::<Vec<_>>() });
        // Named in the page, so that the browser need not find them one import after another.
        let modules = ASSETS.iter().filter(|(name, _)| name.ends_with(".js"));
        let preload: String =
            modules.map(|(name, _)| format!("<link rel=\"modulepreload\" href=\"{base}{name}\">\n")).collect();
        let html = include_str!("../page/index.html")
            .replace("{{base}}", &base)
            .replace("{{preload}}", &preload)
            .replace("{{config}}", &config.to_string());
        Page { base, html }
    }

    /// What to answer to a GET of `path`.
    pub(crate) fn response(&self, path: &str) -> Response<'_> {
        if path == "/" {
            let content_type = "text/html; charset=utf-8";
            return Response { status: "200 OK", content_type, cache: "no-cache", body: &self.html };
        }
        let asset = path.strip_prefix(&self.base).and_then(|name| ASSETS.iter().find(|(known, _)| *known == name));
        match asset {
            Some((name, body)) => Response {
                status: "200 OK",
                content_type: if name.ends_with(".css") {
                    "text/css; charset=utf-8"
                } else {
                    "text/javascript; charset=utf-8"
                },
                cache: "public, max-age=31536000, immutable",
                body,
            },
            None if path == "/favicon.ico" => Response { status: "204 No Content", body: "", ..Response::problem("") },
            None => Response::problem("404 Not Found"),
        }
    }
}
