//! [`Documents`]: which document the main frame shows, whether it is loaded, and where it is going.

use super::page_events::{Notice, PageEvents};
use crate::protocol::page;

pub(super) struct Documents {
    /// The name of the main frame.
    main: String,
    pub url: String,
    /// The main frame's document, and the last one that has finished loading.
    pub document: Option<String>,
    pub loaded: Option<String>,
    /// It is on its way to another document.
    departing: bool,
    /// How often the address has changed, also within a document.
    pub navigations: u64,
    /// What the browser calls the navigation that has started.
    kind: page::NavigationType,
    /// Whether a new document is expected at the moment. Free pages may always go somewhere.
    pub expected: bool,
    /// Where the page went although no new document was expected.
    pub went_to: Option<String>,
}

impl Documents {
    pub fn new(main: &str) -> Documents {
        Documents {
            main: main.to_string(),
            url: String::new(),
            document: None,
            loaded: None,
            departing: false,
            navigations: 0,
            kind: page::NavigationType::default(),
            expected: true,
            went_to: None,
        }
    }

    pub fn main(&self) -> &str {
        &self.main
    }

    pub fn is_loaded(&self) -> bool {
        !self.departing && self.document == self.loaded
    }

    pub fn started_navigating(&mut self, started: &page::FrameStartedNavigating) {
        if started.frame_id == self.main {
            self.kind = started.navigation_type;
        }
    }

    pub fn started_loading(&mut self, frame: &str) {
        self.departing |= frame == self.main;
    }

    pub fn lifecycle(&mut self, lifecycle: &page::LifecycleEvent) {
        if lifecycle.name == "load" && lifecycle.frame_id == self.main {
            self.loaded = Some(lifecycle.loader_id.clone());
        }
    }
}

impl PageEvents {
    pub(super) fn navigated(&self, frame: &page::Frame) {
        if let Some(parent) = &frame.parent_id {
            self.state().frames.place(&frame.id, parent);
            return;
        }
        let url = format!("{}{}", frame.url, frame.url_fragment.as_deref().unwrap_or_default());
        let kind = {
            let mut state = self.state();
            let documents = &mut state.documents;
            documents.main.clone_from(&frame.id);
            documents.document = Some(frame.loader_id.clone());
            documents.url.clone_from(&url);
            documents.departing = false;
            documents.navigations += 1;
            if self.policy.is_held() && !documents.expected {
                documents.went_to = Some(frame.url.clone());
            }
            std::mem::take(&mut documents.kind)
        };
        self.listener.notice(Notice::Navigated { url, within_document: false, kind });
    }

    pub(super) fn navigated_within(&self, navigated: &page::NavigatedWithinDocument) {
        let kind = {
            let mut state = self.state();
            let documents = &mut state.documents;
            if documents.main != navigated.frame_id {
                return;
            }
            documents.url.clone_from(&navigated.url);
            documents.navigations += 1;
            std::mem::take(&mut documents.kind)
        };
        self.listener.notice(Notice::Navigated { url: navigated.url.clone(), within_document: true, kind });
    }

    pub(super) fn navigation_requested(&self, requested: &page::FrameRequestedNavigation) {
        let in_main_frame = self.state().documents.main == requested.frame_id;
        match requested.disposition.as_str() {
            "currentTab" if in_main_frame => self.listener.notice(Notice::NavigationRequested),
            "newTab" | "newWindow" => self.listener.notice(Notice::OpensTab { url: requested.url.clone() }),
            _ => {}
        }
    }

    pub(super) fn stopped_loading(&self, frame: &str) {
        {
            let mut state = self.state();
            let documents = &mut state.documents;
            if documents.main != frame {
                return;
            }
            documents.departing = false;
            documents.loaded.clone_from(&documents.document);
        }
        self.listener.notice(Notice::DocumentRead);
    }

    /// Where the page navigated to although no new document was expected.
    pub fn went_to(&self) -> Option<String> {
        self.state().documents.went_to.clone()
    }

    /// Returns when the page has gone somewhere unexpectedly, or ended.
    pub async fn departure(&self) {
        self.until(|state| (state.documents.went_to.is_some() || state.ended).then_some(())).await;
    }
}
