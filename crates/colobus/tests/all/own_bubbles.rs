//! Chats that show each user their own messages in another way, searched with nothing but their address: that is no finding, it hides
//! none, and nothing that users write is ignored because of it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::small::{Running, colobus, report, subject, text};

/// A chat over WebSocket. Broken, it shows an own message at once.
const PAGE: &str = r##"<!doctype html>
<meta charset="utf-8">
<style>ul { list-style: none; padding: 0; min-height: 8em } .mine { text-align: right }</style>
<ul id="messages"></ul>
<form id="form"><input id="text" autocomplete="off"> <button>Send</button></form>
<script>
  const list = document.querySelector('#messages');
  const text = document.querySelector('#text');
  const own = new Set();
  const socket = new WebSocket(`ws://${location.host}/socket${location.search}`);
  function show(message) {
    const mine = own.has(message.id);
    const line = Object.assign(document.createElement('li'), { className: mine ? 'MINE' : 'THEIRS' });
    line.textContent = LABEL + message.text;
    list.append(line);
  }
  socket.onmessage = (event) => {
    const told = JSON.parse(event.data);
    if (told.kind === 'all') told.messages.forEach(show);
    else if (!(/*broken*/false && own.has(told.message.id))) show(told.message);
  };
  document.querySelector('#form').onsubmit = (event) => {
    event.preventDefault();
    const message = { id: crypto.randomUUID(), text: text.value };
    text.value = '';
    own.add(message.id);
    if (/*broken*/false) show(message);
    socket.send(JSON.stringify(message));
  };
</script>
"##;

fn chat(folder: &Path, (mine, theirs): (&str, &str), label: &str) -> PathBuf {
    let page = PAGE.replace("MINE", mine).replace("THEIRS", theirs).replace("LABEL", label);
    let page = page
        .replace("/*broken*/false", "${process.env.BUG === '1'}")
        .replace('`', "\\`")
        .replace("${location", "\\${location");
    let rooms = subject("rooms.js");
    let application = format!(
        "const {{ run }} = require({:?});\nrun({{\n  page: `{page}`,\n  room: () => ({{ messages: [] }}),\n  \
         joined: (room, send) => send({{ kind: 'all', messages: room.messages }}),\n  \
         heard: (room, message, {{ tell }}) => {{\n    room.messages.push(message);\n    \
         tell({{ kind: 'message', message }});\n  }},\n}});\n",
        rooms.display().to_string()
    );
    let program = folder.join("app.js");
    fs::write(&program, application).unwrap();
    program
}

const ACTIONS: &str = r##"
[[action]]
name = "say"
steps = [{ type = "{token}" }, { press = "Enter" }]

[[action]]
name = "say again"
steps = [{ type = "hello {token}" }, { press = "Enter" }]
"##;

/// By class and by label, on the same configuration.
#[test]
fn own_messages_are_no_finding_and_their_order_is() {
    let folder = TempDir::new().unwrap();
    chat(folder.path(), ("message mine", "message"), "(mine ? 'You: ' : 'Guest: ')");
    let application =
        "[app]\nurl = \"http://127.0.0.1:{port}/?doc={doc}\"\nstart = \"node app.js {port}\"\nfocus = \"#text\"\n";
    fs::write(folder.path().join("colobus.toml"), [application, ACTIONS].concat()).unwrap();
    let options = ["check", "--depth=1", "--repeat=1", "--workers=1"];
    let repaired = colobus(folder.path(), &options, &[]);
    assert_eq!(repaired.status.code(), Some(0), "{}", text(&repaired));
    let seen = report(folder.path());
    let places: Vec<_> = seen.personal.iter().map(|found| (found.place.as_str(), &found.ignore)).collect();
    assert_eq!((seen.counts.interactions.judged, places), (1, vec![("li.message", &None)]), "{}", text(&repaired));

    let broken = colobus(folder.path(), &options, &[("BUG", "1")]);
    assert_eq!(broken.status.code(), Some(1), "{}", text(&broken));
    let [cause] = &report(folder.path()).root_causes[..] else { panic!("{}", text(&broken)) };
    assert!(cause.name.starts_with("with any user's messages first: "), "{}", cause.name);
}

/// The same with nothing but the address, and with a chat whose classes have nothing in common.
#[test]
#[ignore = "minutes: make test-long"]
fn own_messages_of_a_discovered_chat_hide_no_order() {
    search_address(("message mine", "message"), "(mine ? 'You: ' : 'Guest: ')");
    search_address(("mine", "theirs"), "''");
}

fn search_address(classes: (&str, &str), label: &str) {
    let folder = TempDir::new().unwrap();
    let program = chat(folder.path(), classes, label);
    let options = ["--depth=1", "--repeat=1", "--workers=1", "--max-findings=1"];
    let application = Running::start(&program, &[]);
    let address = format!("{}/?doc={{doc}}", application.url);
    let found = colobus(folder.path(), &[&["check", &address], &options[..]].concat(), &[]);
    assert_eq!(found.status.code(), Some(0), "{}", text(&found));
    let seen = report(folder.path());
    assert!(seen.counts.interactions.judged > 0 && !seen.personal.is_empty(), "{}", text(&found));
    let written = fs::read_to_string(folder.path().join("colobus.toml")).unwrap();
    let ignored = written.lines().find(|line| line.starts_with("ignore = ")).unwrap_or_default();
    assert!(!ignored.contains("message") && !ignored.contains("li"), "{ignored}\n{}", text(&found));
    drop(application);

    // What it has written finds the bug.
    let application = Running::start(&program, &[("BUG", "1")]);
    let configuration = written.replace(address.trim_end_matches("/?doc={doc}"), &application.url);
    fs::write(folder.path().join("colobus.toml"), configuration).unwrap();
    let found = colobus(folder.path(), &[&["check"], &options[..]].concat(), &[]);
    assert_eq!(found.status.code(), Some(1), "{}", text(&found));
}
