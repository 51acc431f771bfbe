//! [`reset`]: what has to happen before pages are loaded again, so that they find the application as it was in the beginning.

use std::path::Path;

use colobus_model::Reset;
use tokio::process::Command;

use crate::subject::{Request, last_lines};
use colobus_world::WorldError;

pub async fn reset(way: &Reset) -> Result<(), WorldError> {
    match way {
        Reset::FreshDocument | Reset::Reload | Reset::Evaluate(_) => Ok(()),
        Reset::Command { command, directory } => run(command, directory).await,
        Reset::Request { method, url, body } => {
            let request = Request { method: method.clone(), url: url.clone(), body: body.clone() };
            let sent = tokio::task::spawn_blocking(move || request.send()).await;
            let problem = match sent {
                Ok(Ok(status)) if status < 400 => return Ok(()),
                Ok(Ok(status)) => format!("it answered with status {status}"),
                Ok(Err(error)) => error.to_string(),
                Err(error) => error.to_string(),
            };
            Err(WorldError::CannotRun(format!(
                "the request that resets the document failed ({method} {url}): {problem}"
            )))
        }
    }
}

async fn run(command: &[String], directory: &Path) -> Result<(), WorldError> {
    let failed = |problem: String| {
        let command = command.join(" ");
        WorldError::CannotRun(format!("the command that resets the document failed (`{command}`): {problem}"))
    };
    let Some((program, arguments)) = command.split_first() else {
        return Err(failed("it is empty".to_string()));
    };
    let output = Command::new(program).args(arguments).current_dir(directory).kill_on_drop(true).output().await;
    let output = output.map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = last_lines(&output.stderr);
    Err(failed(format!("{}\n{said}", output.status)))
}
