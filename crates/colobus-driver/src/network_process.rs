//! [`NetworkProcess`]: the process through which the pages of a browser reach their proxies. A browser that loses it starts another and
//! says nothing: pages see connections and requests fail, as if the application had done that. Part of an
//! [`OpenBrowser`](crate::browsers::OpenBrowser).

use std::sync::OnceLock;

use colobus_process::{ProcessId, Status, processes};

/// How the process is started, whatever the browser.
const WORD: &str = "network.mojom.NetworkService";

/// Unknown until it was found; never known of a browser on another machine.
#[derive(Default)]
pub struct NetworkProcess(OnceLock<ProcessId>);

impl NetworkProcess {
    /// Looks for it among the processes of a browser, unless it is known.
    pub fn find(&self, browser: u32) {
        if self.0.get().is_some() {
            return;
        }
        // A browser leads the group of all its processes.
        let is_of_browser = |process: &u32| Status::of(*process).is_some_and(|status| status.group == browser);
        let mut of_browser = processes().into_iter().filter(is_of_browser).filter_map(ProcessId::of);
        if let Some(found) = of_browser.find(|process| process.command_line().contains(WORD)) {
            let _ = self.0.set(found);
        }
    }

    pub fn has_ended(&self) -> bool {
        self.0.get().is_some_and(|process| !process.is_alive())
    }
}
