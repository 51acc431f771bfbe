//! Whose commands are run. The trace of a finding says how its application is started, reset and reached, and may come from
//! a stranger: it is followed if the user's own `colobus.toml` says the same, or if it is the built-in editor.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use colobus_model::{Application, ClientId, Launch, Login, Reset};

use crate::commands::is_demo;
use crate::config::{ConfigError, Configuration};

/// An error that shows what the application of a trace would do, unless the user has said the same or trusts it.
pub fn ensure(application: &Application, config: &Path, trusted: bool) -> anyhow::Result<()> {
    if trusted || is_demo(application) {
        return Ok(());
    }
    let own = match Configuration::load(config) {
        Ok(configuration) => Some(configuration.application),
        Err(ConfigError::Missing(_)) => None,
        Err(error) => return Err(error.into()),
    };
    if own.is_some_and(|own| is_same(&own, application)) {
        return Ok(());
    }
    bail!(
        "the finding names an application that {} does not have:\n{}\n  \
         name your configuration with -c, or add --trust if you trust the person who made the finding with all of this",
        config.display(),
        described(application)
    );
}

/// The description of a server is not compared: what it says stays between the proxy and the page.
fn is_same(own: &Application, other: &Application) -> bool {
    let reset = match (&own.reset, &other.reset) {
        (Reset::Command { command, directory }, Reset::Command { command: other, directory: there }) => {
            command == other && is_same_place(directory, there)
        }
        (own, other) => own == other,
    };
    let launch = match (&own.launch, &other.launch) {
        (Some(own), Some(other)) => {
            is_same_place(&own.directory, &other.directory)
                && *own == Launch { directory: own.directory.clone(), ..other.clone() }
        }
        (own, other) => own.is_none() && other.is_none(),
    };
    let logins = own.logins.len() == other.logins.len()
        && own.logins.iter().zip(&other.logins).all(|(own, other)| match (own, other) {
            (Login::StorageState(own), Login::StorageState(other)) => is_same_place(own, other),
            (own, other) => own == other,
        });
    reset && launch && logins && own.hosts == other.hosts && own.url == other.url
}

fn is_same_place(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    real(one) == real(other)
}

/// Everything that would be done outside of a page, a line each.
fn described(application: &Application) -> String {
    let mut lines = vec![format!("  page: {}", application.url)];
    if let Some(Launch { command, directory, environment, .. }) = &application.launch {
        let variables = environment.iter().map(|(name, value)| format!("{name}={value} ")).collect::<String>();
        lines.push(format!("  start: {variables}{} (in {})", command.join(" "), directory.display()));
    }
    match &application.reset {
        Reset::FreshDocument | Reset::Reload => {}
        Reset::Evaluate(script) => lines.push(format!("  reset, in the page: {script}")),
        Reset::Command { command, directory } => {
            lines.push(format!("  reset: {} (in {})", command.join(" "), directory.display()));
        }
        Reset::Request { method, url, .. } => lines.push(format!("  reset: {method} {url}")),
    }
    if !application.hosts.is_empty() {
        lines.push(format!("  hosts: {}", application.hosts.join(", ")));
    }
    if let Some(server) = &application.server {
        lines.push(format!("  server: {}", server.display()));
    }
    for (client, login) in application.logins.iter().enumerate() {
        let client = ClientId(client);
        match login {
            Login::Guest => {}
            Login::Steps { url, steps } => {
                let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
                lines.push(format!("  login of {client}, at {url}: {}", steps.join(", ")));
            }
            Login::StorageState(path) => lines.push(format!("  login of {client}: {}", path.display())),
        }
    }
    lines.join("\n")
}
