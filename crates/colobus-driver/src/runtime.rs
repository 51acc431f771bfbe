//! [`DriverRuntime`]: the threads in which connections to browsers, proxies and timers live. Its end waits only a moment for work that blocks
//! a thread, such as a request that the application does not answer: a run that was told to end is not kept by it.

use std::ops::Deref;
use std::time::Duration;

use colobus_world::WorldError;
use tokio::runtime::{Builder, Handle, Runtime};

/// How long work may go on that cannot be broken off. What lasts longer ends with the process.
const LAST_WORK: Duration = Duration::from_secs(1);

pub(crate) struct DriverRuntime {
    handle: Handle,
    /// Until it is dropped.
    runtime: Option<Runtime>,
}

impl DriverRuntime {
    pub fn start() -> Result<DriverRuntime, WorldError> {
        let threads = Builder::new_multi_thread().worker_threads(2).thread_name("colobus-driver").enable_all().build();
        let runtime = threads.map_err(|error| WorldError::CannotRun(error.to_string()))?;
        Ok(DriverRuntime { handle: runtime.handle().clone(), runtime: Some(runtime) })
    }
}

impl Deref for DriverRuntime {
    type Target = Handle;

    fn deref(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for DriverRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(LAST_WORK);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Instant;

    use super::*;

    #[test]
    fn work_that_blocks_a_thread_does_not_keep_the_end() {
        let (runtime, begun) = (DriverRuntime::start().unwrap(), Instant::now());
        let (under_way, told) = mpsc::channel();
        // Until the sender is dropped, at the end of this test.
        let (never, waiting) = mpsc::channel::<()>();
        let work = move || {
            under_way.send(()).unwrap();
            let _ = waiting.recv_timeout(Duration::from_secs(60));
        };
        runtime.spawn_blocking(work);
        told.recv().unwrap();
        drop(runtime);
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
        drop(never);
    }
}
