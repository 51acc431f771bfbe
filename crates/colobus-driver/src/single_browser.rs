//! A browser of its own for one page, without proxies. Consumed by the searches that look at a single page.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use colobus_browser::{Browser, LaunchOptions, find_browser};
use colobus_world::WorldError;
use tokio::runtime::{Builder, Runtime};

/// The browser, and the runtime in which it lives. `path` is the browser that the user named.
pub fn launch(path: Option<&Path>, headed: bool) -> Result<(Browser, Arc<Runtime>), WorldError> {
    let path = find_browser(path, headed).map_err(|error| cannot_run(&error))?;
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = Arc::new(runtime.map_err(|error| cannot_run(&error))?);
    let options = LaunchOptions { headed, trusted: None, whole_network: true, proxies: None };
    let browser = runtime.block_on(Browser::launch(&path, &options))?;
    Ok((browser, runtime))
}

fn cannot_run(error: &dyn Display) -> WorldError {
    WorldError::CannotRun(error.to_string())
}
