//! [`reset`]: what has to happen before pages are loaded again, so that they find the application as it was in the beginning.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Output, Stdio};

use colobus_model::Reset;
use tokio::process::Command;

use crate::subject::{ProcessGroup, Request, last_lines};
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
    let output = output_of(program, arguments, directory).await.map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = last_lines(&output.stderr);
    Err(failed(format!("{}\n{said}", output.status)))
}

/// Runs a command to its end. If it is given up before, or this program is killed, it ends with all that it has started.
async fn output_of(program: &str, arguments: &[String], directory: &Path) -> io::Result<Output> {
    let mut group = ProcessGroup::stand_by()?;
    let mut command = std::process::Command::new(program);
    command.args(arguments).current_dir(directory).process_group(0);
    // What reads from the terminal in another group than the tool's would be stopped.
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = Command::from(command).kill_on_drop(true).spawn()?;
    if let Some(leader) = child.id() {
        group.watch(leader)?;
    }
    let output = child.wait_with_output().await?;
    group.release();
    Ok(output)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::thread;
    use std::time::Duration;

    use colobus_process::{Status, processes};
    use tokio::runtime::{Builder, Runtime};

    use super::*;

    /// Names the folder in which [`the_tool_that_is_killed`] resets.
    const FOLDER: &str = "COLOBUS_TEST_FOLDER";

    fn runtime() -> Runtime {
        Builder::new_current_thread().enable_all().build().unwrap()
    }

    fn script(script: &str, folder: &Path) -> Reset {
        Reset::Command { command: ["sh", "-c", script].map(str::to_string).to_vec(), directory: folder.to_path_buf() }
    }

    /// A script that waits for its child; neither ends when it is asked to. It writes its number when it is watched.
    fn waiting(folder: &Path) -> Reset {
        script("trap '' TERM; sleep 600 & sleep 0.5; echo $$ > new; mv new number; wait", folder)
    }

    /// What a script has written.
    fn number(folder: &Path) -> Option<u32> {
        fs::read_to_string(folder.join("number")).ok().map(|text| text.trim().parse().unwrap())
    }

    /// How many processes of this group are running.
    fn members(group: u32) -> usize {
        let statuses = processes().into_iter().filter_map(Status::of);
        statuses.filter(|status| status.group == group && status.state != 'Z').count()
    }

    #[test]
    fn a_reset_that_is_given_up_ends_with_all_that_it_has_started() {
        let folder = tempfile::tempdir().unwrap();
        let way = waiting(folder.path());
        let started = async {
            loop {
                if let Some(group) = number(folder.path()) {
                    assert!(members(group) > 1, "the script and its child");
                    return group;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let group = runtime().block_on(async {
            tokio::select! {
                ended = reset(&way) => panic!("it waits: {ended:?}"),
                group = started => group,
            }
        });
        while members(group) > 0 {
            thread::yield_now();
        }
    }

    #[test]
    fn a_reset_ends_with_the_tool_even_if_that_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let mut tool = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "world::reset::tests::the_tool_that_is_killed", "--ignored"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let group = loop {
            if let Some(group) = number(folder.path()) {
                break group;
            }
            thread::yield_now();
        };
        assert!(members(group) > 1, "the script and its child");
        tool.kill().unwrap();
        tool.wait().unwrap();
        while members(group) > 0 {
            thread::yield_now();
        }
    }

    /// Not a test of its own: what [`a_reset_ends_with_the_tool_even_if_that_is_killed`] kills.
    #[test]
    #[ignore = "only makes sense inside another test"]
    fn the_tool_that_is_killed() {
        let Some(folder) = std::env::var_os(FOLDER) else { return };
        runtime().block_on(reset(&waiting(Path::new(&folder)))).unwrap();
    }

    /// A database, for instance, that a reset starts again.
    #[test]
    fn what_a_reset_leaves_running_stays() {
        let folder = tempfile::tempdir().unwrap();
        let way = script("sleep 600 > /dev/null 2>&1 & echo $! > number", folder.path());
        runtime().block_on(reset(&way)).unwrap();
        let left = number(folder.path()).unwrap();
        assert!(Status::of(left).is_some_and(|status| status.state != 'Z'));
        assert!(std::process::Command::new("kill").arg(left.to_string()).status().unwrap().success());
    }
}
