//! The application: where it is, how it starts, how it is emptied, what its page is like.

use std::path::{Path, PathBuf};

use colobus_model::{
    Application, CaretAccess, CaretKind, Deterministic, Ignore, Invariant, Launch, PORT, RemoteCarets, Reset, Settle,
    Sometimes, Viewport, WaitFor,
};

use colobus_record::variables_in;

use super::Resolver;
use crate::config::address::{Address, check_host, parse_url};
use crate::config::command::split_words;
use crate::config::file;

/// Chromium draws no larger page in one piece.
const LARGEST_SIDE: u32 = 16_384;

impl Resolver<'_> {
    pub(super) fn application(
        &mut self,
        app: file::App,
        settle: file::Settle,
        deterministic: file::Deterministic,
        invariants: Vec<Invariant>,
        sometimes: Vec<Sometimes>,
        remote_carets: Option<RemoteCarets>,
    ) -> Option<Application> {
        // Which port it is going to be does not matter here.
        let some_url = app.url.replace(PORT, "1");
        let address = self.accept("app.url", "this URL", parse_url(&some_url));
        for (index, invariant) in invariants.iter().enumerate() {
            self.not_blank(&format!("invariant.{index}.name"), Some(&invariant.name));
            self.not_blank(&format!("invariant.{index}.js"), Some(&invariant.js));
        }
        for (index, property) in sometimes.iter().enumerate() {
            self.not_blank(&format!("sometimes.{index}.name"), Some(&property.name));
            self.not_blank(&format!("sometimes.{index}.js"), Some(&property.js));
        }
        match &remote_carets {
            Some(RemoteCarets::Selector(selector)) => self.locator("checks.caret", selector),
            Some(RemoteCarets::Script(script)) => {
                self.not_blank("checks.caret.own", Some(&script.own));
                self.not_blank("checks.caret.shown", Some(&script.shown));
            }
            None => {}
        }
        let directory = self.directory(&app);
        let launch = self.launch(&app, &directory, address.as_ref());
        let reset = self.reset(app.reset.as_ref(), &app.url, &directory);
        let server = self.server(app.server.as_deref());
        self.texts(&app);
        self.after_load(&app);
        self.viewport(app.viewport, &app.ignore);
        self.settle(&settle);
        for (index, host) in app.hosts.iter().enumerate() {
            self.accept(&format!("app.hosts.{index}"), "this host", check_host(host));
        }
        address?;
        Some(Application {
            url: app.url,
            launch,
            reset: reset?,
            hosts: app.hosts,
            after_load: app.after_load,
            ready: app.ready,
            focus: app.focus,
            caret: caret(app.caret),
            ignore: app.ignore,
            css: app.css,
            freeze_animations: app.freeze_animations,
            state: app.state,
            viewport: app.viewport,
            settle: Settle {
                quiet_ms: settle.quiet_ms,
                timers_ms: settle.timers_ms,
                fixed_ms: settle.fixed_ms,
                network_idle_ms: settle.network_idle_ms,
                limit_ms: settle.limit_ms,
                background: settle.background,
            },
            invariants,
            sometimes,
            remote_carets,
            whole_words: false,
            tls: app.tls,
            deterministic: Deterministic {
                random: deterministic.random,
                clock: deterministic.clock,
                seed: deterministic.seed,
            },
            checks_off: Vec::new(),
            logins: Vec::new(),
            server,
        })
    }

    fn server(&mut self, name: Option<&str>) -> Option<PathBuf> {
        let (name, file) = name.map(|name| (name, self.folder.join(name)))?;
        if !file.is_file() {
            let message = format!("there is no file `{name}`");
            self.wrong("app.server", message, "`colobus learn` writes one; it is looked for beside this file");
        }
        Some(file)
    }

    fn after_load(&mut self, app: &file::App) {
        for (index, step) in app.after_load.iter().enumerate() {
            let path = format!("app.after_load.{index}");
            self.step(&path, step, app.viewport);
            if step.tokens() > 0 {
                let message = "`{token}` is a word that is looked for in the end";
                self.wrong(&path, message, "what every client types here is the same each time, but for `{client}`");
            }
            if !variables_in(&step.inserted_text().unwrap_or_default()).is_empty() {
                self.wrong(&path, "secrets are typed where clients log in", "add `steps` to [[client]]");
            }
        }
    }

    fn texts(&mut self, app: &file::App) {
        for (path, text) in [("app.title", &app.title), ("app.ready", &app.ready), ("app.state", &app.state)] {
            self.not_blank(path, text.as_deref());
        }
        if let Some(focus) = &app.focus {
            self.locator("app.focus", focus);
        }
        if let file::Caret::Script(script) = &app.caret {
            self.not_blank("app.caret.read", Some(&script.read));
            self.not_blank("app.caret.write", Some(&script.write));
        }
    }

    fn directory(&mut self, app: &file::App) -> PathBuf {
        let directory = self.folder.join(&app.directory);
        if !directory.is_dir() {
            let message = format!("there is no folder `{}`", app.directory);
            self.wrong("app.directory", message, "it is looked for beside this file");
        }
        directory
    }

    fn launch(&mut self, app: &file::App, directory: &Path, address: Option<&Address<'_>>) -> Option<Launch> {
        let Some(start) = &app.start else {
            for key in ["wait_for", "environment", "start_timeout_ms"] {
                let path = format!("app.{key}");
                if self.source.has(&path) {
                    let message = format!("`{key}` is about an application that Colobus starts");
                    self.wrong(&path, message, "add `start`, or leave this out");
                }
            }
            if app.url.contains(PORT) {
                let message = "only an application that Colobus starts can be told its port";
                self.wrong("app.url", message, "add `start`, with `{port}` in it or in `environment`");
            }
            return None;
        };
        let command = self.words("app.start", start)?;
        let wait_for = match &app.wait_for {
            Some(file::WaitFor::Port(0)) => {
                self.wrong("app.wait_for", "0 is not a port", "a port is a number from 1 to 65535");
                return None;
            }
            Some(file::WaitFor::Port(port)) => WaitFor::Port(*port),
            Some(file::WaitFor::Url(url)) => {
                self.accept("app.wait_for", "this URL", parse_url(&url.replace(PORT, "1")))?;
                WaitFor::Url(url.clone())
            }
            None if app.url.contains(PORT) => WaitFor::ChosenPort,
            None => wait_for_url(address?),
        };
        Some(Launch {
            command,
            directory: directory.to_path_buf(),
            environment: app.environment.clone(),
            wait_for,
            timeout_ms: app.start_timeout_ms,
        })
    }

    fn words(&mut self, path: &str, words: &file::CommandWords) -> Option<Vec<String>> {
        let words = match words {
            file::CommandWords::Line(line) => split_words(line),
            file::CommandWords::List(words) if words.first().is_none_or(String::is_empty) => {
                Err("the command is empty".to_string())
            }
            file::CommandWords::List(words) => Ok(words.clone()),
        };
        self.accept(path, "this command", words)
    }

    fn reset(&mut self, reset: Option<&file::Reset>, url: &str, directory: &Path) -> Option<Reset> {
        let fresh = url.contains("{doc}");
        match reset {
            None if fresh => Some(Reset::FreshDocument),
            None => {
                let message = "nothing says how a run gets an empty document";
                let advice = match url.contains('{') {
                    true => "only `{doc}` is replaced in the URL: did you mean it?",
                    false => "put `{doc}` into the URL, or add `reset`",
                };
                self.wrong("app.url", message, advice);
                None
            }
            Some(file::Reset::Reload(_) | file::Reset::Command(_) | file::Reset::Request(_)) if fresh => {
                let message = "the URL has a `{doc}`, so every run has a fresh document already";
                let advice = "leave `reset` out, or `{doc}`; only `evaluate` goes with it";
                self.wrong("app.reset", message, advice);
                None
            }
            Some(file::Reset::Reload(_)) => Some(Reset::Reload),
            Some(file::Reset::Evaluate(reset)) => {
                self.not_blank("app.reset.evaluate", Some(&reset.evaluate));
                Some(Reset::Evaluate(reset.evaluate.clone()))
            }
            Some(file::Reset::Command(reset)) => {
                let command = self.words("app.reset.command", &reset.command)?;
                Some(Reset::Command { command, directory: directory.to_path_buf() })
            }
            Some(file::Reset::Request(reset)) => {
                let parsed = parse_request(&reset.request);
                let (method, url) = self.accept("app.reset.request", "this request", parsed)?;
                Some(Reset::Request { method, url, body: reset.body.clone() })
            }
        }
    }

    fn viewport(&mut self, viewport: Viewport, ignore: &[Ignore]) {
        for (key, side) in [("width", viewport.width), ("height", viewport.height)] {
            if !(1..=LARGEST_SIDE).contains(&side) {
                let message = format!("a page of {} x {} cannot be shown", viewport.width, viewport.height);
                let advice = format!("a side has 1 to {LARGEST_SIDE} pixels");
                self.wrong(&format!("app.viewport.{key}"), message, advice);
            }
        }
        for (index, ignore) in ignore.iter().enumerate() {
            let path = format!("app.ignore.{index}");
            match ignore {
                Ignore::Selector(selector) => self.selector(&path, selector),
                Ignore::Rectangle(r) if r.width == 0 || r.height == 0 => {
                    self.wrong(&path, "this rectangle is empty", "nothing would be ignored");
                }
                Ignore::Rectangle(r) if r.x >= viewport.width || r.y >= viewport.height => {
                    let size = format!("the viewport is {} x {}", viewport.width, viewport.height);
                    self.wrong(&path, "this rectangle lies outside the page", size);
                }
                Ignore::Rectangle(_) => {}
            }
        }
    }

    fn settle(&mut self, settle: &file::Settle) {
        if settle.fixed_ms.is_some() && settle.network_idle_ms.is_some() {
            let advice = "leave one of them out, or both: then Colobus observes".to_string();
            self.wrong("settle.network_idle_ms", "fixed_ms says already how to wait", advice);
        }
        let instead = settle.fixed_ms.or(settle.network_idle_ms);
        let longest = instead.unwrap_or(settle.quiet_ms.unwrap_or(0).max(settle.timers_ms));
        if settle.limit_ms <= longest {
            let message = format!("a page cannot settle within {} ms", settle.limit_ms);
            let advice = format!("the other waits alone take {longest} ms");
            self.wrong("settle.limit_ms", message, advice);
        }
    }
}

/// Something that answers at the host and port of the page.
fn wait_for_url(address: &Address<'_>) -> WaitFor {
    if address.is_loopback() {
        return WaitFor::Port(address.port);
    }
    let scheme = if address.secure { "https" } else { "http" };
    WaitFor::Url(format!("{scheme}://{}:{}/", address.host, address.port))
}

/// `POST http://127.0.0.1:8080/reset`
fn parse_request(text: &str) -> Result<(String, String), String> {
    let (method, url) = match text.split_once(' ') {
        Some((method, url)) => (method, url.trim()),
        None => return Err("write a method and a URL: \"POST http://…\"".to_string()),
    };
    if method.is_empty() || !method.chars().all(|c| c.is_ascii_uppercase()) {
        return Err(format!("`{method}` is not a method: write POST, PUT, DELETE or GET first"));
    }
    parse_url(&url.replace(PORT, "1"))?;
    Ok((method.to_string(), url.to_string()))
}

fn caret(caret: file::Caret) -> CaretAccess {
    let kind = match caret {
        file::Caret::Script(script) => {
            return CaretAccess::Script { read: script.read, write: script.write };
        }
        file::Caret::Named(name) => name,
    };
    CaretAccess::BuiltIn(match kind {
        file::CaretName::None => return CaretAccess::Untouched,
        file::CaretName::Auto => CaretKind::Auto,
        file::CaretName::Input => CaretKind::Input,
        file::CaretName::Textarea => CaretKind::Textarea,
        file::CaretName::ContentEditable => CaretKind::ContentEditable,
        file::CaretName::CodeMirror5 => CaretKind::CodeMirror5,
        file::CaretName::CodeMirror6 => CaretKind::CodeMirror6,
        file::CaretName::Quill => CaretKind::Quill,
        file::CaretName::ProseMirror => CaretKind::ProseMirror,
    })
}
