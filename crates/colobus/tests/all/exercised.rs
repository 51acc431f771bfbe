//! What was exercised, in a browser: a page that tells nobody what its user does, and scripts of the configuration that throw.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use std::thread;

use colobus_model::Report;
use tempfile::TempDir;

/// Serves one page on every address. Ends with the test.
fn site(page: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut head = BufReader::new(stream.try_clone().unwrap()).lines();
                while head.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
                let kind = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\nContent-Length:";
                let _ = write!(stream, "{kind} {}\r\n\r\n{page}", page.len());
            });
        }
    });
    address
}

/// A fresh document for every run.
const FRESH: &str = "reset = 'reload'";

/// Two users press two buttons at the same time.
fn searched(page: &'static str, app: &str, rest: &str) -> (Option<i32>, Report) {
    let folder = TempDir::new().unwrap();
    let action = |name: &str| format!("[[action]]\nname = '{name}'\nsteps = [{{ click = '#{name}' }}]\n");
    let configuration = format!("[app]\nurl = '{}'\n{app}\n{rest}\n{}{}", site(page), action("one"), action("two"));
    fs::write(folder.path().join("colobus.toml"), configuration).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["check", "--naive", "--depth=1", "--workers=1", "--reporter=json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}")))
}

#[test]
fn a_page_that_tells_nobody_what_its_user_does_is_in_doubt() {
    let page = "<!doctype html><button id=one>1</button><button id=two>2</button>";
    let properties = "[[sometimes]]\nname = 'two buttons'\njs = 'document.querySelectorAll(\"button\").length === 2'\n\
                      [[sometimes]]\nname = 'three buttons'\njs = 'document.querySelectorAll(\"button\").length === 3'\n\
                      [[sometimes]]\nname = 'a slip'\njs = 'documet.title'\n";
    let (code, report) = searched(page, FRESH, properties);
    assert_eq!(code, Some(2), "{report:#?}");
    assert_eq!(report.counts.interactions.judged, 1);
    let unprotected = report.notes.iter().any(|note| note.starts_with("the browsers ran without their sandbox"));
    assert_eq!(unprotected, rustix::process::geteuid().is_root(), "{:?}", report.notes);
    let exercised = report.exercised.unwrap();
    let held: Vec<usize> = exercised.sometimes.iter().map(|property| property.interactions).collect();
    assert_eq!((exercised.crossed, held), (0, vec![1, 0, 0]));
    let told = ["`one`: its user never sent a message", "`two`: its user never sent a message"];
    assert_eq!(report.unexercised, told);
    let doubts = report.doubts.join("\n");
    for doubt in [
        "in no interaction did messages of two users cross",
        "“three buttons” of [[sometimes]] never held",
        "a script of the configuration threw: `a slip` of [[sometimes]]: ReferenceError",
    ] {
        assert!(doubts.contains(doubt), "{doubts}");
    }
}

/// What users are told in answer to their own requests is no sign of others.
#[test]
fn a_page_that_its_users_leave_as_it_was_is_in_doubt() {
    let page = "<!doctype html><button id=one onclick=\"fetch('/1')\">1</button><button id=two onclick=\"fetch('/2')\">2</button>";
    let (code, report) = searched(page, FRESH, "");
    assert_eq!(code, Some(2), "{report:#?}");
    assert_eq!(report.exercised.map(|exercised| (exercised.crossed, exercised.changed)), Some((1, Some(0))));
    let [doubt] = &report.doubts[..] else { panic!("{:?}", report.doubts) };
    assert!(doubt.starts_with("in no interaction did anything change that users see"), "{doubt}");
}

#[test]
fn messages_that_cross_are_seen() {
    let page = "<!doctype html><button id=one onclick=\"fetch('/1').then(() => document.body.append('!'))\">1</button>\
                <button id=two onclick=\"fetch('/2').then(() => document.body.append('!'))\">2</button>";
    let (code, report) = searched(page, FRESH, "");
    assert_eq!((code, &report.doubts[..]), (Some(0), &[][..]), "{report:#?}");
    let exercised = report.exercised.unwrap();
    let reach = |index: usize| {
        let action = &exercised.actions[index];
        (action.together, action.sent, action.reached, action.reached_first)
    };
    assert_eq!((exercised.crossed, reach(0), reach(1)), (1, (1, 1, 1, 0), (1, 1, 1, 0)));
}

#[test]
fn scripts_that_throw_are_doubted_by_their_names() {
    // The document can be emptied once in a browser: afterwards `reset` throws, and before that `state`.
    let page = "<!doctype html><button id=one>1</button><button id=two>2</button>";
    let app = "state = 'documet.title'\nreset = { evaluate = 'if (window.used) throw new Error(\"used\"); window.used = true' }\n";
    let (code, report) = searched(page, app, "[judge]\nconvergence = ['state']\n");
    assert_eq!(code, Some(2), "{report:#?}");
    let doubts = report.doubts.join("\n");
    assert!(doubts.contains("a script of the configuration threw: `reset`: Error: used"), "{doubts}");
    assert!(doubts.contains("a script of the configuration threw: `state`: ReferenceError"), "{doubts}");

    // What says where carets are: without it users act in other places than was meant, and bugs are missed.
    for (app, check, script) in [
        ("caret = { read = 'editr.caret()', write = 'c => editor.setCaret(c)' }", "", "caret.read"),
        ("caret = { read = '1', write = 'c => editr.setCaret(c)' }", "", "caret.write"),
        ("", "[checks]\ncaret = { own = 'editr.caret()', shown = '[]' }\n", "caret` of [checks]"),
    ] {
        let (code, report) = searched(page, &format!("{FRESH}\n{app}\n"), check);
        assert_eq!(code, Some(2), "{report:#?}");
        let doubts = report.doubts.join("\n");
        assert!(doubts.contains(&format!("a script of the configuration threw: `{script}")), "{script}: {doubts}");
    }
}
