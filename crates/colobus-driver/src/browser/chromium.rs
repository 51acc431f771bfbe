//! [`Chromium`]: one browser process and the session with it. Pop-ups that its pages open are closed at once.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::launch::{LaunchOptions, Process};
use super::notes::Notes;
use super::protocol::{EventSink, ProtocolError, Session};
use super::workers::{SharedWorkers, announce};
use colobus_world::WorldError;

pub struct Chromium {
    pub session: Session,
    pub shared_workers: Arc<SharedWorkers>,
    /// Name and version, as the browser says itself.
    pub version: String,
    process: Process,
}

impl Chromium {
    pub async fn start(path: &Path, options: &LaunchOptions, notes: Arc<Notes>) -> Result<Chromium, WorldError> {
        let started = Process::start(path, options);
        let (process, transport) = started.map_err(|error| WorldError::CannotRun(error.to_string()))?;
        let session = Session::connect(transport);
        let shared_workers = Arc::<SharedWorkers>::default();
        session.listen(Arc::new(Targets { session: session.clone(), shared_workers: shared_workers.clone(), notes }));
        let failed = |error: ProtocolError| {
            WorldError::CannotRun(format!(
                "{} was started, but does not answer ({error}); run it by hand with --headless --dump-dom about:blank to see why",
                path.display()
            ))
        };
        let version = session.call("Browser.getVersion", json!({})).await.map_err(failed)?;
        let version = version["product"].as_str().unwrap_or("Chromium").to_string();
        let discover = session.call("Target.setDiscoverTargets", json!({ "discover": true }));
        discover.await.map_err(failed)?;
        let attach = session.call("Target.setAutoAttach", announce(&["shared_worker", "page"]));
        attach.await.map_err(failed)?;
        Ok(Chromium { session, shared_workers, version, process })
    }
}

impl Chromium {
    /// The process below which all others of the browser are.
    pub fn process_id(&self) -> Option<u32> {
        self.process.id()
    }
}

/// What the browser has to say of pages and workers that nobody asked for.
struct Targets {
    session: Session,
    shared_workers: Arc<SharedWorkers>,
    notes: Arc<Notes>,
}

impl EventSink for Targets {
    fn event(&self, method: &str, params: &Value) {
        self.shared_workers.event(&self.session, method, params);
        let info = &params["targetInfo"];
        if method != "Target.targetCreated" || info["type"] != "page" || !info["openerId"].is_string() {
            return;
        }
        let target = json!({ "targetId": info["targetId"] });
        drop(self.session.send("Target.closeTarget", target));
        self.notes.add("a page opened a pop-up, which was closed".to_string());
    }

    fn ended(&self) {}
}
