//! What stands above the test: where it comes from, how it is run, and what it has to know of the application.

use colobus_model::{Application, CaretAccess, Launch, RemoteCarets, Reset, Settle, Trace, UrlParts, WaitFor};
use serde_json::{Value, json};

use crate::assertions::Demands;
use crate::login::{after_load, login};
use crate::{Runner, literal};

/// How long nothing may move beyond what the application asks for: a test cannot see when the server is done.
const QUIET_MS: u64 = 60;

/// What `stage.js` takes unless it is said.
const LIMIT_MS: u64 = 10_000;

/// What the whole test has to do without.
pub fn warnings(trace: &Trace, demands: &Demands) -> Vec<String> {
    let mut warnings = Vec::new();
    if trace.application.deterministic.clock {
        let what = "dates and timers came from a clock that repeats itself; here they are the browser's own";
        warnings.push(what.to_string());
    }
    let left_out = demands.left_out();
    warnings.extend(left_out.iter().map(|check| format!("the check {check} is not part of this test")));
    if demands.failures().next().is_none() {
        warnings.push("the trace shows no failure: this test passes where Colobus passes".to_string());
    }
    warnings
}

pub fn comment(trace: &Trace, demands: &Demands, runner: Runner, warnings: &[String]) -> String {
    let mut lines = vec![trace.interaction.to_string(), String::new()];
    for (check, difference) in demands.failures() {
        lines.push(format!("{check} fails: {}", difference.summary));
    }
    lines.push(format!("in the order {}", trace.schedule));
    lines.push(String::new());
    lines.extend(runner.how_to_run().map(str::to_string));
    lines.extend(how_to_start(&trace.application, runner));
    if !warnings.is_empty() {
        lines.extend([String::new(), "Not the same as in Colobus:".to_string()]);
        lines.extend(warnings.iter().map(|warning| format!("- {warning}")));
    }
    literal::comments(&lines)
}

fn how_to_start(application: &Application, runner: Runner) -> Vec<String> {
    let mut lines = vec!["The application must be running; BASE_URL=http://host:port names another place.".to_string()];
    if let Some(Launch { command, directory, environment, wait_for, .. }) = &application.launch {
        let variables = environment.iter().map(|(name, value)| format!("{name}={value}"));
        let words: Vec<String> = variables.chain(command.iter().cloned()).collect();
        let command = words.join(" ");
        let wait_for = match wait_for {
            WaitFor::Url(url) => format!("url: {}", literal::string(url)),
            WaitFor::Port(port) => format!("port: {port}"),
            WaitFor::ChosenPort => format!("url: {}", literal::string(&application.url)),
        };
        lines.push(format!("It was started in {} with", directory.display()));
        lines.push(format!("  {command}"));
        if runner == Runner::Playwright {
            lines.push("which a playwright.config does for you with".to_string());
            let command = literal::string(&command);
            lines.push(format!("  webServer: {{ command: {command}, {wait_for}, reuseExistingServer: true }}"));
        }
    }
    lines
}

pub fn imports(trace: &Trace, runner: Runner) -> String {
    let mut imports = String::new();
    if matches!(trace.application.reset, Reset::Command { .. }) {
        imports.push_str("import { execFileSync } from \"node:child_process\";\n");
    }
    imports.push_str(runner.imports());
    imports
}

/// A constant that the rest of the file reads.
pub fn application(trace: &Trace, demands: &Demands) -> String {
    let application = &trace.application;
    let Settle { quiet_ms, timers_ms, fixed_ms, network_idle_ms: _, limit_ms, background: _ } = &application.settle;
    let mut fields =
        vec![format!("url: {}", url(&application.url)), format!("viewport: {}", plain(json!(application.viewport)))];
    match &application.reset {
        Reset::FreshDocument | Reset::Reload => {}
        Reset::Evaluate(source) => fields.push(format!("empty: {}", literal::string(source))),
        Reset::Command { command, directory } => {
            let (program, arguments) = command.split_first().map_or(("", &[][..]), |(p, a)| (p.as_str(), a));
            let (program, arguments) = (literal::string(program), literal::value(&json!(arguments)));
            let directory = literal::string(&directory.display().to_string());
            fields.push(format!("reset: () => execFileSync({program}, {arguments}, {{ cwd: {directory} }})"));
        }
        Reset::Request { method, url, body } => {
            let (method, body) = (literal::string(method), literal::string(body));
            let body = if body == "\"\"" { String::new() } else { format!(", body: {body}") };
            fields.push(format!("reset: () => fetch({}, {{ method: {method}{body} }})", literal::string(url)));
        }
    }
    if !application.after_load.is_empty() {
        fields.push(format!("afterLoad: {}", after_load(&application.after_load)));
    }
    let optional = [("ready", &application.ready), ("focus", &application.focus), ("state", &application.state)];
    for (name, value) in optional {
        fields.extend(value.iter().map(|value| format!("{name}: {}", literal::string(value))));
    }
    fields.extend(caret(&application.caret));
    let lists = [
        ("ignored", json!(application.ignored_selectors())),
        ("ignoredRectangles", json!(application.ignored_rectangles())),
        ("knownErrors", json!(trace.known_errors)),
    ];
    for (name, list) in lists.iter().filter(|(_, list)| *list != json!([])) {
        fields.push(format!("{name}: {}", literal::value(list)));
    }
    let style = application.own_style();
    if !style.is_empty() {
        fields.push(format!("css: {}", literal::string(&style)));
    }
    if !application.freeze_animations {
        fields.push("freezeAnimations: false".to_string());
    }
    // How it waits and what decides ties, in one line.
    let mut waits: Vec<String> = fixed_ms.iter().map(|fixed| format!("fixedMs: {fixed}")).collect();
    waits.push(format!("quietMs: {}", QUIET_MS + quiet_ms.unwrap_or_default().max(*timers_ms)));
    if *limit_ms != LIMIT_MS {
        waits.push(format!("limitMs: {limit_ms}"));
    }
    if application.deterministic.random {
        waits.push(format!("seed: {}", application.deterministic.seed));
    }
    fields.push(waits.join(", "));
    let judged: Vec<String> = demands.aspects().iter().map(|aspect| format!("{aspect}: true")).collect();
    if !judged.is_empty() {
        fields.push(format!("judgedBy: {{ {} }}", judged.join(", ")));
    }
    if demands.beyond_comparing() {
        if !application.invariants.is_empty() {
            fields.push(format!("invariants: {}", literal::value(&json!(application.invariants))));
        }
        fields.extend(application.remote_carets.iter().map(|carets| {
            let carets = match carets {
                RemoteCarets::Selector(selector) => json!(selector),
                RemoteCarets::Script(script) => json!({ "own": script.own, "shown": script.shown }),
            };
            format!("remoteCarets: {}", literal::value(&carets))
        }));
    }
    if !application.logins.is_empty() {
        let logins: String = application.logins.iter().map(|each| format!("    {},\n", login(each))).collect();
        fields.push(format!("logins: [\n{logins}  ]"));
    }
    let lines: String = fields.iter().map(|field| format!("  {field},\n")).collect();
    format!("const application = {{\n{lines}}};\n")
}

/// An object with its keys bare, as people write it.
fn plain(value: Value) -> String {
    let fields = value.as_object().into_iter().flatten().map(|(key, value)| format!("{key}: {value}"));
    format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
}

/// An address whose place the user can change.
pub fn url(url: &str) -> String {
    let (origin, path) = UrlParts::of(url).map_or((url, ""), |parts| (parts.origin(), parts.rest));
    let (origin, path) = (literal::string(origin), literal::string(path));
    format!("(process.env.BASE_URL ?? {origin}) + {path}")
}

fn caret(access: &CaretAccess) -> Option<String> {
    match access {
        CaretAccess::Untouched => None,
        CaretAccess::BuiltIn(kind) => Some(format!("caret: {}", literal::value(&json!(kind)))),
        CaretAccess::Script { read, write } => {
            let read = literal::string(&format!("{{ {read}\n}}"));
            Some(format!("caret: {{ read: {read}, write: {} }}", literal::string(write)))
        }
    }
}
