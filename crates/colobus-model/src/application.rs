//! [`Application`]: the application under test, described as data and fully resolved: no field here is a question that
//! deeper code has to answer.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Login, Step};

/// Everything the driver needs to know of an application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Application {
    /// The page every client opens; `{doc}` stands for the name of the document of this run, and [`crate::PORT`] for a port that
    /// is free when the application is started.
    pub url: String,
    /// How to start it; `None` if it runs already.
    pub launch: Option<Launch>,
    /// How every run gets an empty document.
    pub reset: Reset,
    /// Hosts, beside the URL's, that the proxy may forward to: `example.org` and `*.example.org` at ports 80 and 443,
    /// `example.org:8080` at one port, `example.org:*` at all.
    pub hosts: Vec<String>,
    /// What every client does after it has loaded the page, before that can be used; [`crate::CLIENT`] stands for the client's name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after_load: Vec<Step>,
    /// JavaScript that is true (or a promise that resolves) once the page can be used.
    pub ready: Option<String>,
    /// CSS selector of what gets the focus before a user acts.
    pub focus: Option<String>,
    pub caret: CaretAccess,
    /// What does not belong to the document and is left out of every comparison.
    pub ignore: Vec<Ignore>,
    /// CSS that is added to every page.
    pub css: String,
    /// Whether animations, transitions and blinking carets are switched off in the pages.
    pub freeze_animations: bool,
    /// JavaScript that returns the application's own document as JSON.
    pub state: Option<String>,
    pub viewport: Viewport,
    pub settle: Settle,
    /// What is always true.
    #[serde(default)]
    pub invariants: Vec<Invariant>,
    /// What has to be true at least once in a search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sometimes: Vec<Sometimes>,
    /// How to see where the carets of others are shown, if that is checked.
    #[serde(default)]
    pub remote_carets: Option<RemoteCarets>,
    /// Whether the letters of a typed word must stay together.
    #[serde(default)]
    pub whole_words: bool,
    #[serde(default)]
    pub tls: Tls,
    #[serde(default)]
    pub deterministic: Deterministic,
    /// The names of checks that are not asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks_off: Vec<String>,
    /// How clients log in, one after the other; none if no client has to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logins: Vec<Login>,
    /// The description of a server that is answered for: requests that it knows never reach the application.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<PathBuf>,
}

/// Something that is true in every settled state of every client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// What reports call it.
    pub name: String,
    /// JavaScript that is true, or a promise of it, in every settled state of every client.
    pub js: String,
}

/// Something that a search has to reach: it is true in a settled state of at least one client of one execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sometimes {
    /// What reports call it.
    pub name: String,
    /// JavaScript that is true, or a promise of it, in a state that the search should reach.
    pub js: String,
}

/// What tells where carets are and where they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RemoteCarets {
    /// CSS selector of the carets of others; they are compared with their owners' by their place on the screen.
    Selector(String),
    /// By positions in the document.
    Script(RemoteCaretsScript),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoteCaretsScript {
    /// JavaScript whose value is the position of the user's own caret, if it has one.
    pub own: String,
    /// JavaScript whose value is the list of the positions at which carets of others are shown.
    pub shown: String,
}

/// How the application is started and when it is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Program and arguments.
    pub command: Vec<String>,
    pub directory: PathBuf,
    pub environment: BTreeMap<String, String>,
    pub wait_for: WaitFor,
    pub timeout_ms: u64,
}

/// What tells that a started application can be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitFor {
    /// A GET of this URL answers with any status below 500.
    Url(String),
    /// Something listens on this port of the loopback interface.
    Port(u16),
    /// Something listens on the port that was chosen for [`crate::PORT`].
    ChosenPort,
}

/// How a run gets an empty document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reset {
    /// `{doc}` in the URL is replaced by a fresh name.
    FreshDocument,
    /// A command runs; then the pages are loaded again.
    Command { command: Vec<String>, directory: PathBuf },
    /// An HTTP request is sent; then the pages are loaded again.
    Request { method: String, url: String, body: String },
    /// JavaScript in the first client's page empties the document in place; nothing is loaded again.
    Evaluate(String),
    /// The page is only loaded again: the application keeps nothing.
    Reload,
}

/// How the caret is read and put somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaretAccess {
    /// One of the kinds of editor Colobus knows; `Auto` looks at the focused element.
    BuiltIn(CaretKind),
    /// JavaScript: `read` is an expression whose JSON value is the caret; `write` is a function of that value.
    Script { read: String, write: String },
    /// Carets are left alone.
    Untouched,
}

/// The kinds of editor whose caret Colobus can read and set by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CaretKind {
    Auto,
    Input,
    Textarea,
    ContentEditable,
    CodeMirror5,
    CodeMirror6,
    Quill,
    ProseMirror,
}

/// Something on the page that is not part of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Ignore {
    /// Elements that match are invisible in screenshots and absent from the canonical DOM.
    Selector(String),
    /// Pixels inside do not count.
    Rectangle(Rectangle),
}

/// A part of the viewport, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rectangle {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// The size of every client's page, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Viewport {
    pub width: u32,
    pub height: u32,
}

/// When a state counts as settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settle {
    /// After the barrier found nothing in motion, nothing may move for this long either. Zero for a server that answers
    /// everything at once; `None` if that is to be learned from what the application does.
    #[serde(default)]
    pub quiet_ms: Option<u64>,
    /// Timers of a page that are due within this time are waited for.
    pub timers_ms: u64,
    /// Wait exactly this long instead of observing.
    pub fixed_ms: Option<u64>,
    /// Wait until no request has been without an answer for this long instead of observing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_idle_ms: Option<u64>,
    /// A page that still moves after this long is restless: the interaction's verdict is unknown.
    pub limit_ms: u64,
    /// Paths of requests that stay open and are not waited for, `*` stands for anything: long polls.
    #[serde(default)]
    pub background: Vec<String>,
}

impl Settle {
    /// Everything is observed, and what takes longer than this is given up.
    pub fn within(limit_ms: u64) -> Settle {
        Settle {
            quiet_ms: None,
            timers_ms: 100,
            fixed_ms: None,
            network_idle_ms: None,
            limit_ms,
            background: Vec::new(),
        }
    }
}

/// What the proxies do with TLS between clients and application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tls {
    /// It is opened with certificates of this run, which only its browsers trust: messages are seen, counted and held.
    #[default]
    Open,
    /// It passes unseen: nothing inside can be held, and settling needs a quiet window.
    Tunnel,
}

/// What in a page is the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deterministic {
    /// The first random numbers of a page begin with digits of its client, which decide ties; all other digits are new.
    pub random: bool,
    /// Dates and timers follow a clock of the page's own, which starts at the same moment and does not wait.
    pub clock: bool,
    pub seed: u64,
}

impl Default for Deterministic {
    fn default() -> Deterministic {
        Deterministic { random: true, clock: false, seed: 0 }
    }
}

impl Application {
    /// Whether runs have documents of their own, so that several can be under way.
    pub fn has_documents(&self) -> bool {
        self.reset == Reset::FreshDocument || self.url.contains("{doc}")
    }

    /// The parts of the viewport that do not count.
    pub fn ignored_rectangles(&self) -> Vec<Rectangle> {
        self.ignore
            .iter()
            .filter_map(|ignore| match ignore {
                Ignore::Rectangle(rectangle) => Some(*rectangle),
                Ignore::Selector(_) => None,
            })
            .collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An application of which nothing is known but its address.
    pub(crate) fn bare() -> Application {
        let settle = Settle { timers_ms: 0, ..Settle::within(1) };
        Application {
            url: "http://127.0.0.1:1/?doc={doc}".to_string(),
            launch: None,
            reset: Reset::FreshDocument,
            hosts: Vec::new(),
            ready: None,
            focus: None,
            caret: CaretAccess::Untouched,
            ignore: Vec::new(),
            css: String::new(),
            freeze_animations: true,
            state: None,
            viewport: Viewport { width: 1, height: 1 },
            settle,
            invariants: Vec::new(),
            sometimes: Vec::new(),
            remote_carets: None,
            whole_words: false,
            tls: Tls::Open,
            deterministic: Deterministic::default(),
            checks_off: Vec::new(),
            after_load: Vec::new(),
            logins: Vec::new(),
            server: None,
        }
    }
}
