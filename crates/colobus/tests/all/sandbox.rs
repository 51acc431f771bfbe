//! Browsers of users other than root run in their sandbox.

use std::fs;
use std::os::unix::fs::chown;
use std::process::{Command, Stdio};

use colobus_model::Report;
use colobus_process::{Status, processes};

use crate::ending;

/// The user without rights, on every Linux.
const NOBODY: u32 = 65534;

fn is_descendant(process: u32, ancestor: u32) -> bool {
    let parent = |process| Status::of(process).map(|status| status.parent).filter(|parent| *parent > 1);
    std::iter::successors(Some(process), |process| parent(*process)).any(|process| process == ancestor)
}

/// What `/proc/PID/status` says under this name.
fn fact(process: u32, name: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim().to_string()))
}

fn command_line(process: u32) -> String {
    fs::read(format!("/proc/{process}/cmdline"))
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .unwrap_or_default()
}

#[test]
fn pages_are_kept_from_the_machine_unless_the_user_is_root() {
    let (folder, is_root) = (ending::folder(), rustix::process::geteuid().is_root());
    if is_root {
        let setpriv = Command::new("setpriv").arg("--version").output();
        assert!(
            setpriv.is_ok(),
            "root needs setpriv of util-linux to run it as another user: scripts/setup installs it"
        );
    }
    let program = folder.path().join("colobus");
    // Where another user can execute it.
    fs::copy(env!("CARGO_BIN_EXE_colobus"), &program).unwrap();
    let mut command = if is_root {
        chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        let mut setpriv = Command::new("setpriv");
        setpriv.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
        setpriv
    } else {
        Command::new(&program)
    };
    let mut colobus = command
        .args(["check", "--depth=1", "--workers=1"])
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env("TMPDIR", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    ending::begun(&mut colobus);
    let ours = || processes().into_iter().filter(|process| is_descendant(*process, colobus.id()));
    let renderers: Vec<u32> = ours().filter(|process| command_line(*process).contains("--type=renderer")).collect();
    assert!(!renderers.is_empty(), "the page is open");
    for process in ours() {
        assert!(!command_line(process).contains("--no-sandbox"), "{}", command_line(process));
    }
    for renderer in renderers {
        // 2 is a filter of system calls.
        assert_eq!(fact(renderer, "Seccomp").as_deref(), Some("2"), "{}", command_line(renderer));
    }
    assert!(Command::new("kill").args(["-INT", &colobus.id().to_string()]).status().unwrap().success());
    assert!(colobus.wait_with_output().unwrap().status.code().is_some());
    let report = fs::read_to_string(folder.path().join("colobus-out/last/report.json")).unwrap();
    let report: Report = serde_json::from_str(&report).unwrap();
    assert!(!report.notes.iter().any(|note| note.contains("sandbox")), "{:?}", report.notes);
}
