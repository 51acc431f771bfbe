//! [`HeldTargets`]: pages and shared workers of a world that nobody asked for. Pop-ups are closed at once; shared workers
//! belong to the client in whose session they run.

use std::sync::Arc;

use colobus_browser::protocol::target::{AttachedToTarget, CloseTarget, TargetInfo};
use colobus_browser::protocol::{ProtocolError, Session};
use colobus_browser::{Browser, SharedWorkers, TargetListener};
use colobus_world::WorldError;

use super::notes::Notes;

pub struct HeldTargets {
    session: Session,
    pub shared_workers: SharedWorkers,
    notes: Arc<Notes>,
}

impl HeldTargets {
    pub async fn watch(browser: &Browser, notes: Arc<Notes>) -> Result<Arc<HeldTargets>, WorldError> {
        let session = browser.session().clone();
        let targets = Arc::new(HeldTargets { session, shared_workers: SharedWorkers::default(), notes });
        browser.listen(targets.clone(), &["shared_worker", "page"], true).await?;
        Ok(targets)
    }
}

impl TargetListener for HeldTargets {
    fn attached(&self, attached: &AttachedToTarget) {
        self.shared_workers.attached(&self.session, attached);
    }

    fn detached(&self, session: &str) {
        self.shared_workers.detached(&self.session, session);
    }

    fn created(&self, info: &TargetInfo) {
        if info.r#type == "page" && info.opener_id.is_some() {
            drop(self.session.send(CloseTarget { target_id: &info.target_id }));
            self.notes.add("a page opened a pop-up, which was closed".to_string());
        }
    }

    fn malformed(&self, problem: &ProtocolError) {
        self.notes.add(problem.to_string());
    }

    fn ended(&self) {}
}
