//! The traffic of a command, for `colobus learn --run`: it is started with a proxy in its environment, which records what
//! passes.

use std::io::{self, IsTerminal};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use colobus_driver::RecordingProxy;
use colobus_driver::subject::ProcessGroup;
use colobus_run::StopSignal;

use crate::config::command::split_words;
use crate::output::tell;
use crate::stop;

/// What a user can do whose program asks for no proxy.
pub const ADVICE: &str = "does it use the proxy that HTTP_PROXY and HTTPS_PROXY name? Node does from version 24 on; \
                          `colobus record URL --learn api/` records a browser";

/// Where programs look for a proxy.
const PROXY: [&str; 4] = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"];
/// Where they look for hosts that are asked without it.
const DIRECT: [&str; 2] = ["NO_PROXY", "no_proxy"];
/// Where they look for authorities to trust: Node, OpenSSL, Python, curl.
const AUTHORITIES: [&str; 4] = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"];

/// Between two looks at a command that runs.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Runs the command to its end, or until the user interrupts it; what it said and heard as the text of a HAR file.
pub fn traffic_of(command: &str) -> anyhow::Result<String> {
    let words = split_words(command).map_err(|problem| anyhow!("`{command}` cannot be run: {problem}"))?;
    let [program, arguments @ ..] = &words[..] else { return Err(anyhow!("--run names no command")) };
    let proxy = RecordingProxy::start()?;
    let mut child = Command::new(program);
    child.args(arguments).env("NODE_USE_ENV_PROXY", "1");
    child.envs(PROXY.map(|name| (name, proxy.url())));
    child.envs(DIRECT.map(|name| (name, "")));
    child.envs(AUTHORITIES.map(|name| (name, proxy.certificate())));
    // What reads from the terminal in another group than the tool's would be stopped.
    if io::stdin().is_terminal() {
        child.stdin(Stdio::null());
    }
    let stop = stop::on_interrupt_of("what was recorded until now is learned")?;
    let (group, child) = ProcessGroup::spawn(&mut child).with_context(|| format!("cannot run `{program}`"))?;
    match end_of(group, child, &stop)? {
        Some(status) if status.success() => {}
        Some(status) => tell(&format!("`{command}` failed ({status}): learning from what it did until then")),
        None => tell(&format!("`{command}` was ended: learning from what it did until then")),
    }
    Ok(proxy.finish())
}

/// How the command has ended by itself; `None` if it was ended, with all that it had started, because the user interrupts it.
fn end_of(mut group: ProcessGroup, mut child: Child, stop: &StopSignal) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            group.release();
            return Ok(Some(status));
        }
        if stop.is_set() {
            group.end(&mut child, || true);
            return Ok(None);
        }
        thread::sleep(LOOK_AGAIN);
    }
}
