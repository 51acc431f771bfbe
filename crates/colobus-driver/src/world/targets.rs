//! [`HeldTargets`]: pages and shared workers of a world that no client opened itself. Pop-ups are closed at once; shared
//! workers belong to the client in whose session they run.

use std::sync::Arc;

use colobus_browser::{
    AttachedToTarget, Browser, ProtocolError, SharedWorkers, TargetInfo, TargetKind, TargetListener, Targets,
};
use colobus_world::WorldError;

use super::notes::Notes;

pub struct HeldTargets {
    pub shared_workers: SharedWorkers,
    notes: Arc<Notes>,
}

impl HeldTargets {
    pub async fn watch(browser: &Browser, notes: Arc<Notes>) -> Result<Arc<HeldTargets>, WorldError> {
        let held = Arc::new(HeldTargets { shared_workers: SharedWorkers::default(), notes });
        browser.listen(held.clone(), &[TargetKind::SharedWorker, TargetKind::Page], true).await?;
        Ok(held)
    }
}

impl TargetListener for HeldTargets {
    fn attached(&self, targets: &Targets, attached: &AttachedToTarget) {
        self.shared_workers.attached(targets, attached);
    }

    fn detached(&self, targets: &Targets, session: &str) {
        self.shared_workers.detached(targets, session);
    }

    fn created(&self, targets: &Targets, info: &TargetInfo) {
        if info.r#type == TargetKind::Page && info.opener_id.is_some() {
            targets.close(&info.target_id);
            self.notes.add("a page opened a pop-up, which was closed".to_string());
        }
    }

    fn malformed(&self, problem: &ProtocolError) {
        self.notes.add(problem.to_string());
    }

    fn ended(&self) {}
}
