//! Whose commands are run. The trace of a finding says how its application is started, reset and reached, and may come from
//! a stranger: it is followed if the user's own `colobus.toml` says the same, or if it is the built-in editor.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use colobus_model::{Application, ClientId, Launch, Login, Reset, WaitFor};

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

/// Whether the other one does the same outside of its pages: runs the same commands, reads the same files, sends the same requests and
/// lets pages reach the same hosts. A new field has to be named here.
fn is_same(own: &Application, other: &Application) -> bool {
    let Application {
        url,
        launch,
        reset,
        hosts,
        logins,
        server,
        // These run inside of pages, or say how pages are looked at.
        after_load: _,
        ready: _,
        focus: _,
        caret: _,
        ignore: _,
        css: _,
        freeze_animations: _,
        state: _,
        viewport: _,
        settle: _,
        invariants: _,
        sometimes: _,
        remote_carets: _,
        whole_words: _,
        tls: _,
        deterministic: _,
        checks_off: _,
    } = own;
    *url == other.url
        && *hosts == other.hosts
        && both(launch.as_ref(), other.launch.as_ref(), is_same_launch)
        && is_same_reset(reset, &other.reset)
        && logins.len() == other.logins.len()
        && logins.iter().zip(&other.logins).all(|(own, other)| is_same_login(own, other))
        && both(server.as_deref(), other.server.as_deref(), is_same_place)
}

/// Both are missing, or both are there and the same.
fn both<T: ?Sized>(own: Option<&T>, other: Option<&T>, is_same: impl Fn(&T, &T) -> bool) -> bool {
    match (own, other) {
        (Some(own), Some(other)) => is_same(own, other),
        (own, other) => own.is_none() && other.is_none(),
    }
}

fn is_same_launch(own: &Launch, other: &Launch) -> bool {
    let Launch { command, directory, environment, wait_for, timeout_ms } = own;
    *command == other.command
        && is_same_place(directory, &other.directory)
        && *environment == other.environment
        && *wait_for == other.wait_for
        && *timeout_ms == other.timeout_ms
}

fn is_same_reset(own: &Reset, other: &Reset) -> bool {
    match (own, other) {
        (Reset::Command { command, directory }, Reset::Command { command: other, directory: there }) => {
            command == other && is_same_place(directory, there)
        }
        (own, other) => own == other,
    }
}

fn is_same_login(own: &Login, other: &Login) -> bool {
    match (own, other) {
        (Login::StorageState(own), Login::StorageState(other)) => is_same_place(own, other),
        (own, other) => own == other,
    }
}

fn is_same_place(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    real(one) == real(other)
}

/// Everything that would be done outside of a page, a line each.
fn described(application: &Application) -> String {
    let mut lines = vec![format!("  page: {}", application.url)];
    if let Some(Launch { command, directory, environment, wait_for, .. }) = &application.launch {
        let variables = environment.iter().map(|(name, value)| format!("{name}={value} ")).collect::<String>();
        lines.push(format!("  start: {variables}{} (in {})", command.join(" "), directory.display()));
        if let WaitFor::Url(url) = wait_for {
            lines.push(format!("  ready when {url} answers"));
        }
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use colobus_model::{Step, Tls};

    use super::*;

    fn own() -> Application {
        let text = "[app]\nurl = \"http://127.0.0.1:9/?doc={doc}\"\nstart = \"serve --it\"\n\
            [[action]]\nname = \"a\"\nsteps = [{ type = \"a\" }]\n";
        let application = Configuration::parse(text, "colobus.toml", Path::new(".")).unwrap().application;
        assert!(application.launch.is_some());
        Application {
            reset: command(&["empty"], "data"),
            hosts: vec!["b.example".to_string()],
            logins: vec![Login::Guest, Login::StorageState("alice.json".into()), steps("http://h/login")],
            server: Some("api.ail".into()),
            ..application
        }
    }

    fn command(words: &[&str], directory: &str) -> Reset {
        Reset::Command { command: words.iter().map(ToString::to_string).collect(), directory: directory.into() }
    }

    fn steps(url: &str) -> Login {
        Login::Steps { url: url.to_string(), steps: vec![Step::Type("name".to_string())] }
    }

    fn launch(application: &mut Application) -> &mut Launch {
        application.launch.as_mut().unwrap()
    }

    type Change = fn(&mut Application);

    /// Everything that is done outside of pages, changed one by one.
    const CHANGES: &[(&str, Change)] = &[
        ("url", |other| other.url = "http://127.0.0.1:8/?doc={doc}".to_string()),
        ("launch, missing", |other| other.launch = None),
        ("launch, command", |other| launch(other).command.push("--all".to_string())),
        ("launch, directory", |other| launch(other).directory = "/tmp".into()),
        ("launch, environment", |other| {
            launch(other).environment.insert("LD_PRELOAD".to_string(), "evil.so".to_string());
        }),
        ("launch, wait_for", |other| launch(other).wait_for = WaitFor::Url("http://evil.example/".to_string())),
        ("launch, timeout_ms", |other| launch(other).timeout_ms += 1),
        ("reset, another way", |other| other.reset = Reset::Reload),
        ("reset, command", |other| other.reset = command(&["empty", "--all"], "data")),
        ("reset, directory", |other| other.reset = command(&["empty"], "elsewhere")),
        ("hosts, one more", |other| other.hosts.push("c.example".to_string())),
        ("hosts, another one", |other| other.hosts = vec!["c.example".to_string()]),
        ("logins, missing", |other| other.logins.clear()),
        ("logins, one more", |other| other.logins.push(Login::Guest)),
        ("logins, another file", |other| other.logins[1] = Login::StorageState("/etc/hostname".into())),
        ("logins, another address", |other| other.logins[2] = steps("http://evil.example/")),
        ("logins, another way", |other| other.logins[0] = steps("http://h/login")),
        ("server, another file", |other| other.server = Some("/dev/zero".into())),
        ("server, missing", |other| other.server = None),
    ];

    #[test]
    fn an_application_that_differs_in_one_thing_is_not_the_users_own() {
        assert!(is_same(&own(), &own()));
        for (what, change) in CHANGES {
            let mut other = own();
            change(&mut other);
            assert!(!is_same(&own(), &other), "{what}");
            assert!(!is_same(&other, &own()), "{what}, the other way round");
        }
        for request in [("POST", "http://h/", "{}"), ("GET", "http://h/empty", "{}"), ("GET", "http://h/", "[]")] {
            let reset = |(method, url, body): (&str, &str, &str)| Reset::Request {
                method: method.to_string(),
                url: url.to_string(),
                body: body.to_string(),
            };
            let own = Application { reset: reset(("GET", "http://h/", "{}")), ..own() };
            assert!(!is_same(&own, &Application { reset: reset(request), ..own.clone() }), "{request:?}");
        }
    }

    #[test]
    fn what_happens_inside_of_pages_may_differ() {
        let other = Application { css: "b { color: red }".to_string(), tls: Tls::Tunnel, whole_words: true, ..own() };
        assert!(is_same(&own(), &other));
    }

    #[test]
    fn files_are_the_same_if_their_places_are() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("api.ail"), folder.path().join("link"));
        fs::write(&file, "").unwrap();
        symlink(&file, &link).unwrap();
        let with = |server: &Path| Application { server: Some(server.to_path_buf()), ..own() };
        assert!(is_same(&with(&file), &with(&link)));
        assert!(!is_same(&with(&file), &with(&folder.path().join("other"))));
    }
}
