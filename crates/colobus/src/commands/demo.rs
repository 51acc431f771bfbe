//! `colobus demo`: searches the built-in editor, which this very program serves.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, IsTerminal};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;
use colobus_driver::subject;
use colobus_model::{Application, Launch, Reset, WaitFor};

use super::check::check;
use super::serve_demo::{TOUR, parse_bugs};
use crate::args::DemoArgs;
use crate::config::Configuration;
use crate::{stop, verdict};

const CONFIGURATION: &str = include_str!("../../../../subjects/demo/colobus.toml");
const CONFIGURATION_OF_TOUR: &str = include_str!("../../../../subjects/demo/tour.toml");

pub fn run(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    let stop = stop::on_interrupt_within(args.run.results.timeout)?;
    let bugs = match &args.bugs[..] {
        _ if args.correct => Vec::new(),
        [] => vec![TOUR.to_string()],
        names => names.to_vec(),
    };
    let checked = check(configuration(&bugs, args.port)?, &args.run, stop)?;
    if !args.no_open {
        open_page(&checked.folder.join("report.html"));
    }
    verdict::exit_code(&checked.report)
}

/// How `--config` names the built-in editor: `demo:` and its bugs, `demo:correct` for none.
const NAMED: &str = "demo:";
const CORRECT: &str = "correct";

/// The configuration behind a name such as `demo:lost-update`; `None` if it is no such name.
pub fn named(source: &Path) -> Option<anyhow::Result<Configuration>> {
    let bugs = source.to_str()?.strip_prefix(NAMED)?;
    let names: Vec<String> = bugs.split('+').filter(|name| *name != CORRECT).map(str::to_string).collect();
    Some(configuration(&names, 0))
}

/// The configuration of the demo, started as a process of its own, so that replays find it in their trace as well.
fn configuration(bugs: &[String], port: u16) -> anyhow::Result<Configuration> {
    let name = if bugs.is_empty() { CORRECT.to_string() } else { bugs.join("+") };
    let text = if bugs == [TOUR] { CONFIGURATION_OF_TOUR } else { CONFIGURATION };
    let mut configuration = Configuration::parse(text, &format!("{NAMED}{name}"), Path::new("."))?;
    let bugs = parse_bugs(bugs)?;
    let program = env::current_exe().context("cannot find the program to serve the demo with")?;
    let port = free_port(port)?;
    let fixed = ["serve-demo".to_string(), "--end-with-parent".into(), format!("--port={port}")];
    let mut command = [&[program.to_string_lossy().into_owned()], &fixed[..]].concat();
    command.extend(bugs.iter().map(|bug| format!("--bug={bug}")));
    configuration.application.url = demo_url(port);
    configuration.application.launch = Some(Launch {
        command,
        directory: PathBuf::from("."),
        environment: BTreeMap::new(),
        wait_for: WaitFor::Port(port),
        timeout_ms: 10_000,
    });
    Ok(configuration)
}

/// Whether this is the built-in editor, served by this very program, and nothing else.
pub fn is_demo(application: &Application) -> bool {
    let Some(Launch { command, directory, environment, wait_for: WaitFor::Port(port), .. }) = &application.launch
    else {
        return false;
    };
    let program = env::current_exe().ok().map(|program| program.to_string_lossy().into_owned());
    let serves = match &command[..] {
        [first, serve, end, at, bugs @ ..] => {
            Some(first) == program.as_ref()
                && (serve.as_str(), end.as_str(), at.as_str())
                    == ("serve-demo", "--end-with-parent", &format!("--port={port}"))
                && bugs.iter().all(|bug| bug.starts_with("--bug="))
        }
        _ => false,
    };
    serves
        && directory == Path::new(".")
        && environment.is_empty()
        && application.url == demo_url(*port)
        && application.reset == Reset::FreshDocument
        && application.hosts.is_empty()
        && application.logins.is_empty()
        && application.server.is_none()
}

fn demo_url(port: u16) -> String {
    format!("http://127.0.0.1:{port}/?doc={{doc}}")
}

/// `wanted` if it is free, so that runs resemble each other; else any that is free.
fn free_port(wanted: u16) -> anyhow::Result<u16> {
    match wanted != 0 && TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).is_ok() {
        true => Ok(wanted),
        false => subject::free_port().context("no port is free for the demo"),
    }
}

/// Shows the page to a user who sits in front of a screen. That it cannot be shown is no failure: its path was printed.
fn open_page(page: &Path) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some());
    if has_screen && io::stdout().is_terminal() {
        let _ = Command::new("xdg-open").arg(page).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    }
}
