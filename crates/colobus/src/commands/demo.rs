//! `colobus demo`: searches the built-in editor, which this very program serves.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, IsTerminal};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;
use colobus_trace::{Launch, WaitFor};

use super::check::{check, exit_code};
use super::serve_demo::parse_bugs;
use crate::args::DemoArgs;
use crate::config::Configuration;

const CONFIGURATION: &str = include_str!("../../../../subjects/demo/colobus.toml");

pub fn run(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    let checked = check(configuration(args)?, &args.run)?;
    if !args.no_open {
        open_page(&checked.folder.join("report.html"));
    }
    exit_code(&checked)
}

/// The configuration of the demo, started as a process of its own, so that replays find it in their trace as well.
fn configuration(args: &DemoArgs) -> anyhow::Result<Configuration> {
    let mut configuration = Configuration::parse(CONFIGURATION, "subjects/demo/colobus.toml", Path::new("."))?;
    let all = ["all".to_string()];
    let bugs = match &args.bugs[..] {
        _ if args.correct => parse_bugs(&[])?,
        [] => parse_bugs(&all)?,
        names => parse_bugs(names)?,
    };
    let program = env::current_exe().context("cannot find the program to serve the demo with")?;
    let port = free_port(args.port)?;
    let fixed = ["serve-demo".to_string(), "--end-with-parent".into(), format!("--port={port}")];
    let mut command = [&[program.to_string_lossy().into_owned()], &fixed[..]].concat();
    command.extend(bugs.iter().map(|bug| format!("--bug={bug}")));
    configuration.application.url = format!("http://127.0.0.1:{port}/?doc={{doc}}");
    configuration.application.launch = Some(Launch {
        command,
        directory: PathBuf::from("."),
        environment: BTreeMap::new(),
        wait_for: WaitFor::Port(port),
        timeout_ms: 10_000,
    });
    Ok(configuration)
}

/// `wanted` if nobody has it, so that runs resemble each other; else any that is free.
fn free_port(wanted: u16) -> anyhow::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted))
        .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
        .context("no port is free for the demo")?;
    Ok(listener.local_addr()?.port())
}

/// Shows the page to a user who sits in front of a screen. That it cannot be shown is no failure: its path was printed.
fn open_page(page: &Path) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some());
    if has_screen && io::stdout().is_terminal() {
        let _ = Command::new("xdg-open").arg(page).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    }
}
