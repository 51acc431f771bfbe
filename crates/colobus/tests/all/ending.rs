//! Runs that are told to end: at the time that the user gave, by a signal, and twice. A page that never comes to rest does not
//! keep any of them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use colobus_model::Report;
use tempfile::TempDir;

/// A page that works until somebody types into it; then it asks its server without end, and would be waited for for an hour.
const RESTLESS: &str = "<!doctype html><textarea autofocus></textarea><script>\
    document.querySelector('textarea').oninput = () => { const ask = () => fetch('/ask').then(ask); ask(); };</script>";

/// How long the end of a run may take on a machine that has thirty times as much to do as it has cores. Without an end, all of these tests
/// would take a minute at least.
const END: Duration = Duration::from_secs(30);

/// How the process ended, if it did within this time; otherwise it is killed, and the test fails.
fn ended_within(child: &mut Child, limit: Duration) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begun.elapsed() > limit {
            child.kill().unwrap();
            panic!("it has not ended within {limit:?}");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// What it said, if it ended within this time.
fn output_within(mut child: Child, limit: Duration) -> Output {
    ended_within(&mut child, limit);
    child.wait_with_output().unwrap()
}

/// A page with something to explore.
const BUTTON: &str = "<!doctype html><button onclick=\"document.title += '!'\">go</button>";

/// Serves the page with the button this many times, and then answers nobody any more. Tells when it does not.
fn silent_after(answers: usize) -> (String, Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let (silent, told) = channel();
    thread::spawn(move || {
        let (mut answered, mut ignored) = (0, Vec::new());
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            let mut line = String::new();
            let asked = BufReader::new(stream.try_clone().unwrap()).read_line(&mut line);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length:";
            if asked.is_err() || line.is_empty() {
                continue;
            }
            // The page has any query: discovery asks for documents of its own. Icons are always answered.
            if !line.starts_with("GET / ") && !line.starts_with("GET /?") {
                let _ = write!(stream, "{head} 0\r\n\r\n");
            } else if answered < answers {
                answered += 1;
                let _ = write!(stream, "{head} {}\r\n\r\n{BUTTON}", BUTTON.len());
            } else {
                ignored.push(stream);
                let _ = silent.send(());
            }
        }
    });
    (address, told)
}

/// Serves every connection in this way. Ends with the test.
fn served(serve: fn(TcpStream)) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(stream));
        }
    });
    port
}

/// Serves the page on any address.
fn site() -> u16 {
    served(|mut stream| {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut line = String::new();
        while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
            if line == "\r\n" {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length:";
                if write!(stream, "{head} {}\r\n\r\n{RESTLESS}", RESTLESS.len()).is_err() {
                    return;
                }
            }
            line.clear();
        }
    })
}

/// Takes requests and never answers one: a line end comes from time to time.
fn dripping() -> u16 {
    served(|mut stream| {
        while stream.write_all(b"\r\n").is_ok() {
            thread::sleep(Duration::from_millis(500));
        }
    })
}

/// An application that works until somebody acts.
pub fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let configuration = format!(
        "[app]\nurl = \"http://127.0.0.1:{}/?doc={{doc}}\"\n[settle]\nlimit_ms = 3_600_000\n\
         [[action]]\nname = \"a\"\nsteps = [{{ type = \"a\" }}]\n[[action]]\nname = \"b\"\nsteps = [{{ type = \"b\" }}]\n",
        site()
    );
    fs::write(folder.path().join("colobus.toml"), configuration).unwrap();
    folder
}

fn check(folder: &TempDir, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["check", "--depth=1", "--workers=1"])
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the search has begun.
pub fn begun(child: &mut Child) {
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("ready after") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "the search does not begin");
    }
    thread::spawn(move || output.read_to_end(&mut Vec::new()));
}

fn report(folder: &TempDir) -> Report {
    serde_json::from_str(&fs::read_to_string(folder.path().join("colobus-out/last/report.json")).unwrap()).unwrap()
}

#[test]
fn the_time_limit_ends_an_execution_under_way() {
    let folder = folder();
    // The search has to begin within this time.
    let output = output_within(check(&folder, &["--timeout=20s"]), Duration::from_secs(20) + END);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let report = report(&folder);
    assert_eq!(report.stopped.as_deref(), Some("the time given by --timeout is over"), "{report:#?}");
    assert!(report.counts.sequences.adds_up() && report.counts.sequences.not_run > 0, "{:?}", report.counts);
}

#[test]
fn signals_end_an_execution_under_way_and_what_is_known_is_reported() {
    // The program `timeout` signals a process and then its group: the process twice.
    for (signal, times) in [("-INT", 1), ("-TERM", 2)] {
        let folder = folder();
        let mut child = check(&folder, &[]);
        begun(&mut child);
        let (mut stderr, mut said) = (BufReader::new(child.stderr.take().unwrap()), String::new());
        for _ in 0..times {
            assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
            while !said.contains("stopping:") {
                assert!(stderr.read_line(&mut said).unwrap() > 0, "{said}");
            }
        }
        let status = ended_within(&mut child, END);
        stderr.read_to_string(&mut said).unwrap();
        assert_eq!(status.code(), Some(2), "{said}");
        assert!(said.contains("interrupted: the report covers what had run until then"), "{said}");
        assert_eq!(report(&folder).stopped.as_deref(), Some("it was interrupted"));
    }
}

/// An application that ends when it is killed, and not before.
const STUBBORN: &str = "for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
require('fs').writeFileSync('pid', String(process.pid));
require('http').createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(PAGE);
}).listen(Number(process.argv[2]), '127.0.0.1');
";

/// The second signal comes while the first one still ends the search, or too late: in both cases nothing stays.
#[test]
fn a_second_signal_leaves_nothing_behind() {
    let folder = folder();
    let configuration = fs::read_to_string(folder.path().join("colobus.toml")).unwrap();
    let taken = configuration.split(['/', ':']).find_map(|part| part.parse::<u16>().ok()).unwrap().to_string();
    let start = "[app]\nstart = 'node server.js {port}'\n";
    let configuration = configuration.replace("[app]\n", start).replace(&taken, "{port}");
    fs::write(folder.path().join("colobus.toml"), configuration).unwrap();
    fs::write(folder.path().join("server.js"), STUBBORN.replace("PAGE", &format!("{RESTLESS:?}"))).unwrap();
    let mut child = check(&folder, &[]);
    begun(&mut child);
    let server = fs::read_to_string(folder.path().join("pid")).unwrap();
    let signal = |signal: &str, process: &str| {
        let kill = Command::new("kill").args([signal, process]).stderr(Stdio::null()).status();
        kill.unwrap().success()
    };
    let tool = child.id().to_string();
    assert!(signal("-INT", &tool));
    // As long as a user takes to press the keys again.
    thread::sleep(Duration::from_millis(600));
    signal("-INT", &tool);
    let ended = Instant::now();
    assert_eq!(ended_within(&mut child, END).code(), Some(2));
    while signal("-0", &server) {
        assert!(ended.elapsed() < END, "the application is still there");
        thread::yield_now();
    }
}

/// The application of [`folder`], with these lines in its `[app]`. One that is reset has a single document.
fn with_lines(lines: &str) -> TempDir {
    let folder = folder();
    let path = folder.path().join("colobus.toml");
    let mut configuration = fs::read_to_string(&path).unwrap();
    if lines.starts_with("reset") {
        configuration = configuration.replace("?doc={doc}", "");
    }
    fs::write(&path, configuration.replace("[app]\n", &format!("[app]\n{lines}\n"))).unwrap();
    folder
}

/// A `start` that never leads to anything at the address that is waited for.
fn never_ready() -> String {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    format!("start = 'sleep 300'\nwait_for = 'http://127.0.0.1:{free}/'")
}

/// Without a limit each of these takes at least a minute, or never ends.
#[test]
fn the_time_limit_ends_what_comes_before_the_search() {
    let drips = format!("reset = {{ request = 'POST http://127.0.0.1:{}/empty', body = '{{}}' }}", dripping());
    let cases = [
        never_ready(),
        "ready = '(() => { for (;;); })()'".to_string(),
        "ready = 'false'".to_string(),
        "reset = { command = 'sleep 300' }".to_string(),
        drips,
    ];
    for lines in cases {
        let folder = with_lines(&lines);
        let output = output_within(check(&folder, &["--timeout=4s"]), END);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{lines}: {said}");
        assert!(said.contains("the time given by --timeout is over, before "), "{lines}: {said}");
        assert!(said.contains("nothing was searched"), "{lines}: {said}");
    }
}

/// A hub that takes requests and answers none.
#[test]
fn the_time_limit_ends_the_first_question_to_a_grid() {
    let silent = served(|_stream| thread::sleep(Duration::from_secs(3600)));
    let output = output_within(check(&folder(), &["--timeout=2s", &format!("--grid=http://127.0.0.1:{silent}")]), END);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the time given by --timeout is over, before the Grid answered"), "{said}");
}

/// The site never answers for good to who has typed something: its page asks without end.
#[test]
fn the_time_limit_ends_a_login_that_never_ends() {
    let folder = folder();
    let path = folder.path().join("colobus.toml");
    let configuration = fs::read_to_string(&path).unwrap();
    for steps in ["[{ type = 'alice' }]", "[{ evaluate = 'for (;;);' }]", "[{ wait_for = '#welcome' }]"] {
        fs::write(&path, format!("{configuration}[[client]]\nsteps = {steps}\n")).unwrap();
        let output = output_within(check(&folder, &["--timeout=4s"]), END);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{steps}: {said}");
        assert!(said.contains("the time given by --timeout is over, before "), "{steps}: {said}");
        assert!(said.contains("nothing was searched"), "{steps}: {said}");
    }
}

#[test]
fn the_time_limit_of_searches_of_one_page_begins_before_their_application() {
    let folder = with_lines(&never_ready());
    for command in ["race", "explore"] {
        let child = Command::new(env!("CARGO_BIN_EXE_colobus"))
            .args([command, "http://127.0.0.1:9/", "-c", "colobus.toml", "--timeout=2s"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = output_within(child, END);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("the time given by --timeout is over, before the application was ready"), "{said}");
    }
}

/// A page that answers once and then never again is discovered for as long as the user allows.
#[test]
fn the_time_limit_ends_discovery() {
    let ((address, _silent), folder) = (silent_after(1), TempDir::new().unwrap());
    let output = output_within(check(&folder, &[&address, "--timeout=3s"]), END);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the time given by --timeout is over"), "{said}");
}

/// What a search of one page says when it is interrupted while its browser waits for a server that is silent.
fn interrupted(command: &str, answers: usize) -> (TempDir, Option<i32>, String) {
    let ((address, silent), folder) = (silent_after(answers), TempDir::new().unwrap());
    let child = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args([command, &address])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    silent.recv().unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = output_within(child, END);
    (folder, output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn searches_of_one_page_end_within_an_execution() {
    for (command, before) in [("race", "the page was recorded"), ("explore", "the page was opened")] {
        let (_, code, said) = interrupted(command, 0);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(&format!("it was interrupted, before {before}: nothing was searched")), "{said}");
    }
    let (folder, code, said) = interrupted("explore", 1);
    assert_eq!(code, Some(2), "{said}");
    let report = report(&folder);
    assert_eq!(report.stopped.as_deref(), Some("it was interrupted"));
    assert_eq!(report.findings, [], "a page that was left alone does not hang");
}
