//! [`Interrupt`]: ends whatever a world or a stage is waiting for. Raised by the run's stop signal, so that neither a page
//! that hangs nor one that never settles keeps a run from ending.

use std::sync::Arc;

use colobus_world::WorldError;
use tokio::sync::watch;

/// Shared by all worlds of a run. Once raised it stays so.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<watch::Sender<bool>>);

impl Default for Interrupt {
    fn default() -> Interrupt {
        Interrupt(Arc::new(watch::Sender::new(false)))
    }
}

impl Interrupt {
    pub fn raise(&self) {
        self.0.send_replace(true);
    }

    pub fn is_raised(&self) -> bool {
        *self.0.borrow()
    }

    pub(crate) async fn raised(&self) {
        // The sender lives as long as this does.
        let _ = self.0.subscribe().wait_for(|raised| *raised).await;
    }

    /// The result of `part`, unless the run is stopped before.
    pub(crate) async fn or<T, E: From<WorldError>>(&self, part: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        tokio::select! {
            biased;
            () = self.raised() => Err(WorldError::Stopped.into()),
            result = part => result,
        }
    }
}
