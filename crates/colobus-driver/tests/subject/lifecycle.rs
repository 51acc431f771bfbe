//! The running application: started, waited for, stopped, and explained when it fails.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use colobus_driver::Interrupt;
use colobus_driver::subject::{Subject, SubjectError};
use colobus_model::{Application, CaretAccess, Deterministic, Launch, Reset, Settle, Tls, Viewport, WaitFor};

/// A shell script in the place of an application.
pub fn application(script: &str, wait_for: WaitFor, timeout_ms: u64) -> Application {
    let launch = Launch {
        command: ["sh", "-c", script].map(str::to_string).to_vec(),
        directory: PathBuf::from("."),
        environment: BTreeMap::from([("GREETING".to_string(), "hello".to_string())]),
        wait_for,
        timeout_ms,
    };
    Application {
        url: "http://127.0.0.1/".to_string(),
        launch: Some(launch),
        reset: Reset::Reload,
        hosts: Vec::new(),
        ready: None,
        focus: None,
        caret: CaretAccess::Untouched,
        ignore: Vec::new(),
        css: String::new(),
        freeze_animations: true,
        state: None,
        invariants: Vec::new(),
        sometimes: Vec::new(),
        remote_carets: None,
        whole_words: false,
        viewport: Viewport { width: 100, height: 100 },
        settle: Settle { quiet_ms: Some(0), ..Settle::within(1000) },
        tls: Tls::default(),
        deterministic: Deterministic::default(),
        checks_off: Vec::new(),
        after_load: Vec::new(),
        logins: Vec::new(),
        server: None,
    }
}

pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn error(application: &Application) -> SubjectError {
    Subject::start(application).err().expect("the application cannot have started")
}

#[test]
fn a_started_application_is_there_and_gone_afterwards() {
    let port = free_port();
    // The server is a child of the shell: stopping the shell alone would leave it behind.
    let server = format!(
        "echo listening; perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => \"127.0.0.1\", \
         LocalPort => {port}, ReuseAddr => 1); while ($c = $s->accept) {{ sysread $c, $_, 999; \
         print $c \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"; close $c }}' & wait"
    );
    for wait_for in [WaitFor::Port(port), WaitFor::Url(format!("http://localhost:{port}/x?y"))] {
        let subject = Subject::start(&application(&server, wait_for, 20_000)).unwrap();
        subject.ensure_running().unwrap();
        assert!(subject.last_output().contains("listening"));
        TcpStream::connect(("127.0.0.1", port)).unwrap();
        drop(subject);
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "all its processes are stopped");
    }
}

#[test]
fn one_that_exits_shows_its_last_output() {
    let failing = application("echo $GREETING; echo broken >&2; exit 3", WaitFor::Port(free_port()), 20_000);
    let error = error(&failing);
    assert!(matches!(error, SubjectError::Exited { .. }));
    let text = error.to_string();
    assert!(text.contains("exit status: 3") && text.contains("hello") && text.contains("broken"), "{text}");
}

/// As when a machine runs out of memory for a moment.
#[test]
fn one_that_a_signal_ends_before_it_is_ready_is_started_again() {
    let (port, folder) = (free_port(), tempfile::tempdir().unwrap());
    let starts = folder.path().join("starts");
    let counted = format!("echo x >> '{}'; ", starts.display());
    let count = || std::fs::read_to_string(&starts).unwrap().lines().count();
    let listening = format!(
        "exec perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => \"127.0.0.1\", LocalPort => {port}, \
         ReuseAddr => 1); sleep 60'"
    );
    let once = format!("{counted} test $(wc -l < '{}') = 1 && kill -9 $$; {listening}", starts.display());
    Subject::start(&application(&once, WaitFor::Port(port), 20_000)).unwrap().ensure_running().unwrap();
    assert_eq!(count(), 2);
    let killed = error(&application(&format!("{counted} kill -9 $$"), WaitFor::Port(free_port()), 20_000));
    assert!(matches!(killed, SubjectError::Exited { .. }) && killed.to_string().contains("signal: 9"), "{killed}");
    assert_eq!(count(), 2 + 3, "three times in a row");
    let failing = error(&application(&format!("{counted} exit 255"), WaitFor::Port(free_port()), 20_000));
    assert!(failing.to_string().contains("exit status: 255"), "{failing}");
    assert_eq!(count(), 2 + 3 + 1, "no signal has that number");
}

#[test]
fn one_that_never_gets_ready_shows_its_last_output() {
    let waiting = application("echo thinking; sleep 60", WaitFor::Port(free_port()), 300);
    let error = error(&waiting);
    assert!(matches!(error, SubjectError::NeverReady { limit_ms: 300, .. }));
    assert!(error.to_string().contains("thinking"), "{error}");
}

/// One that never listens, and one that takes the request and never answers.
#[test]
fn waiting_for_an_application_ends_when_the_run_is_stopped() {
    let port = free_port();
    let silent = format!(
        "exec perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => \"127.0.0.1\", LocalPort => {port}, \
         ReuseAddr => 1); sleep 60'"
    );
    let url = WaitFor::Url(format!("http://127.0.0.1:{port}/"));
    for waiting in [application("sleep 60", WaitFor::Port(port), 60_000), application(&silent, url, 60_000)] {
        let (interrupt, begun) = (Interrupt::default(), Instant::now());
        let raised = interrupt.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_secs(1));
            raised.raise();
        });
        let stopped = Subject::start_unless(&waiting, &interrupt);
        assert!(matches!(stopped, Err(SubjectError::Stopped)), "{:?}", stopped.err());
        assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
    }
}

#[test]
fn a_taken_port_is_noticed_before_anything_is_started() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port();
    for wait_for in [WaitFor::Port(port), WaitFor::Url(format!("http://127.0.0.1:{port}/"))] {
        let error = error(&application("sleep 60", wait_for, 300));
        assert!(matches!(error, SubjectError::PortTaken { port: taken } if taken == port), "{error}");
    }
}

#[test]
fn commands_and_addresses_that_make_no_sense_are_errors() {
    let mut missing = application("", WaitFor::Port(free_port()), 300);
    let launch = missing.launch.as_mut().unwrap();
    launch.command = vec!["/nowhere/server".to_string()];
    assert!(matches!(error(&missing), SubjectError::Spawn { .. }));
    missing.launch.as_mut().unwrap().command.clear();
    assert!(matches!(error(&missing), SubjectError::NoCommand));
    let nonsense = application("sleep 60", WaitFor::Url("localhost:3000".to_string()), 300);
    assert!(matches!(error(&nonsense), SubjectError::BadAddress { .. }));
    assert!(Subject::start(&Application { launch: None, ..nonsense }).is_ok(), "it runs already");
}

#[test]
fn an_application_that_asks_for_a_port_gets_a_free_one() {
    let mut asking = application("serve {port}", WaitFor::ChosenPort, 300);
    assert_eq!(Subject::place(&asking).unwrap(), asking, "only the URL says that a port is wanted");
    asking.url = "http://127.0.0.1:{port}/?doc={doc}".to_string();
    asking.reset =
        Reset::Request { method: "POST".into(), url: "http://127.0.0.1:{port}/empty".into(), body: "".into() };
    let placed = Subject::place(&asking).unwrap();
    let launch = placed.launch.unwrap();
    let WaitFor::Port(port) = launch.wait_for else { panic!("{:?}", launch.wait_for) };
    assert_ne!(port, 0);
    assert_eq!(placed.url, format!("http://127.0.0.1:{port}/?doc={{doc}}"));
    assert_eq!(launch.command, ["sh", "-c", &format!("serve {port}")]);
    let url = format!("http://127.0.0.1:{port}/empty");
    assert_eq!(placed.reset, Reset::Request { method: "POST".into(), url, body: "".into() });
}

#[test]
fn an_application_ends_with_the_tool_even_if_that_is_killed() {
    ends_with("lifecycle::the_tool_that_is_killed");
}

/// Starts a tool that starts an application, kills the tool, and returns when nothing is left of the application.
pub fn ends_with(tool: &str) {
    let this = std::env::current_exe().unwrap();
    let mut tool = Command::new(this)
        .args(["--exact", tool, "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(tool.stdout.take().unwrap());
    let group = output.lines().map_while(Result::ok).find_map(|line| line.strip_prefix("group ").map(str::to_string));
    let group = group.expect("the tool says which application it has started");
    assert!(members(&group) > 1, "the application and what it has started");
    tool.kill().unwrap();
    tool.wait().unwrap();
    while members(&group) > 0 {
        std::thread::yield_now();
    }
}

/// Not a test of its own: what [`an_application_ends_with_the_tool_even_if_that_is_killed`] kills.
#[test]
#[ignore = "only makes sense inside another test"]
fn the_tool_that_is_killed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    // One that does not end when it is asked to, and a child that knows nothing of it.
    let server = format!(
        "trap '' TERM; sleep 600 & echo pid $$; perl -MIO::Socket::INET -e '$SIG{{TERM}} = \"IGNORE\"; \
         $s = IO::Socket::INET->new(Listen => 5, LocalAddr => \"127.0.0.1\", LocalPort => {port}, ReuseAddr => 1); \
         while (1) {{ $c = $s->accept }}'"
    );
    let subject = Subject::start(&application(&server, WaitFor::Port(port), 20_000)).unwrap();
    let output = subject.last_output();
    println!("\ngroup {}", output.lines().find_map(|line| line.strip_prefix("pid ")).unwrap());
    let _ = std::io::stdin().read_to_string(&mut String::new());
}

/// How many processes of this group are running.
pub fn members(group: &str) -> usize {
    let is_member = |entry: &fs::DirEntry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let (state, _, of) = (fields.next()?, fields.next()?, fields.next()?);
        (state != "Z" && of == group).then_some(())
    };
    fs::read_dir("/proc").unwrap().flatten().filter(|entry| is_member(entry).is_some()).count()
}
