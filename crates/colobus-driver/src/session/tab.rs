//! [`Tab`]: one free page, and whose it is.

use std::sync::{Arc, Weak};

use colobus_browser::{
    AttachedToTarget, DialogAnswer, DialogOpening, FreePolicy, LogEntry, LogKind, Notice, Page, PageListener, Policy,
    Targets, scripts, well_formed,
};
use colobus_record::{DialogKind, Who};
use colobus_world::{PageProblem, ProblemKind};

use super::notice::{What, notify};
use super::open_tabs::OpenTabs;

/// Longer problems are cut.
const LONGEST_PROBLEM: usize = 300;

pub struct Tab {
    pub who: Who,
    /// Whether a page opened it.
    pub is_popup: bool,
    pub page: Page,
}

impl Tab {
    /// Takes hold of a new tab, and lets it go on.
    pub(super) fn welcome(
        targets: &Targets,
        attached: &AttachedToTarget,
        who: Who,
        is_popup: bool,
        policy: FreePolicy,
        open_tabs: &Arc<OpenTabs>,
    ) -> Arc<Tab> {
        Arc::new_cyclic(|tab| {
            let listener = TabListener { who, tab: tab.clone(), open_tabs: Arc::downgrade(open_tabs) };
            let name = format!("tab {who}");
            let page = targets.welcome(attached, &name, Policy::Free(policy), Arc::new(listener));
            Tab { who, is_popup, page }
        })
    }

    /// What went wrong in the page since the last call.
    pub(super) fn take_problems(&self) -> Vec<PageProblem> {
        self.page.take_log_entries().iter().filter_map(problem).collect()
    }
}

/// What the browser logs by itself is told as a failed request, if it counts at all.
pub(crate) fn problem(entry: &LogEntry) -> Option<PageProblem> {
    let kind = match entry.kind {
        LogKind::Uncaught => ProblemKind::Uncaught,
        LogKind::Console => ProblemKind::Console,
        LogKind::FailedRequest { status } => ProblemKind::FailedRequest { status },
        LogKind::Logged | LogKind::NoConnection | LogKind::Refused(_) => return None,
    };
    let text = entry.text.lines().next().unwrap_or_default().chars().take(LONGEST_PROBLEM).collect();
    Some(PageProblem { kind, text })
}

/// Tells the windows and the recorder what a tab does.
struct TabListener {
    who: Who,
    tab: Weak<Tab>,
    open_tabs: Weak<OpenTabs>,
}

impl TabListener {
    fn tell(&self, what: What) {
        if let (Some(open_tabs), Some(tab)) = (self.open_tabs.upgrade(), self.tab.upgrade()) {
            notify(&open_tabs, &tab, what);
        }
    }
}

impl PageListener for TabListener {
    fn dialog(&self, dialog: &DialogOpening) -> DialogAnswer {
        let planned = self.open_tabs.upgrade().and_then(|open_tabs| open_tabs.dialog_answer(self.who));
        planned.unwrap_or_else(|| dialog.default_answer())
    }

    fn notice(&self, notice: Notice) {
        match notice {
            Notice::RecorderMessage { context, payload } => {
                // What cannot be read is no event, and is counted as such.
                let message = serde_json::from_str(&well_formed(&payload)).unwrap_or_default();
                self.tell(What::RecorderMessage { context, message });
            }
            Notice::Navigated { url, within_document, kind } => {
                self.tell(What::Navigated { url, within_document, kind });
            }
            // A recording has its own way to find elements.
            Notice::TookTheFirst { .. } => {}
            Notice::NavigationRequested => self.tell(What::NavigationRequested),
            Notice::OpensTab { url } => {
                self.open_tabs.upgrade().iter().for_each(|open_tabs| open_tabs.expect_tab(self.who.client, &url));
            }
            // The first document of a pop-up hands its window on to the second, but not its listeners.
            Notice::DocumentRead => {
                if let Some(tab) = self.tab.upgrade().filter(|tab| tab.is_popup) {
                    tab.page.start(&scripts::call("recorder?.attach", &[]));
                }
            }
            Notice::DialogClosed { kind, answer } => {
                if let Some(kind) = DialogKind::ALL.into_iter().find(|known| known.name() == kind) {
                    self.tell(What::Answered { kind, answer });
                }
            }
        }
    }

    fn changed(&self) {
        self.open_tabs.upgrade().iter().for_each(|open_tabs| open_tabs.moved());
    }
}
