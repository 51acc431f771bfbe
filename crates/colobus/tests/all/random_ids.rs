//! A chat whose messages have ids that the pages make up, in three ways, and whose server keeps all of them as primary keys: over every
//! document, execution and worker of a search none comes twice.

use std::fs;

use tempfile::TempDir;

use crate::small::{colobus, report, subject, text};

/// The server ends if it gets an id again, as one without a handler for that error does.
const CHAT: &str = r##"
const page = `<!doctype html><ul id="messages"></ul><input id="text"><script>
  const socket = new WebSocket('ws://' + location.host + '/socket' + location.search);
  const digit = () => (Math.random() * 16 | 0).toString(16);
  const byte = (byte) => byte.toString(16).padStart(2, '0');
  const field = document.querySelector('#text');
  field.onkeydown = ({ key }) => {
    if (key !== 'Enter') return;
    const ids = [
      crypto.randomUUID(),
      'xxxxxxxx-xxxx-4xxx-xxxx'.replace(/x/g, digit),
      [...crypto.getRandomValues(new Uint8Array(16))].map(byte).join(''),
    ];
    socket.send(JSON.stringify({ ids, text: field.value }));
    field.value = '';
  };
  socket.onmessage = ({ data }) => {
    const line = document.createElement('li');
    line.textContent = JSON.parse(data).text;
    document.querySelector('#messages').append(line);
  };
</script>`;
const known = new Set();
require(ROOMS).run({
  page,
  room: () => ({ messages: [] }),
  joined: (room, send) => room.messages.forEach(send),
  heard: (room, message, { tell }) => {
    if (message.ids.some((id) => known.has(id))) process.exit(1);
    message.ids.forEach((id) => known.add(id));
    room.messages.push(message);
    tell(message);
  },
});
"##;

const CONFIGURATION: &str = r##"
[app]
url = "http://127.0.0.1:{port}/?doc={doc}"
start = "node app.js {port}"
focus = "#text"

[[action]]
name = "say"
steps = [{ type = "{token}" }, { press = "Enter" }]

[[action]]
name = "say hello"
steps = [{ type = "hello {token}" }, { press = "Enter" }]
"##;

#[test]
fn ids_that_pages_make_up_are_new_in_every_execution_of_every_worker() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("app.js"), CHAT.replace("ROOMS", &format!("{:?}", subject("rooms.js")))).unwrap();
    fs::write(folder.path().join("colobus.toml"), CONFIGURATION).unwrap();
    let searched = colobus(folder.path(), &["check", "--depth=2", "--workers=2", "--twice"], &[]);
    assert_eq!(searched.status.code(), Some(0), "{}", text(&searched));
    let counts = report(folder.path()).counts;
    assert!(counts.executions >= 10 && counts.interactions.unknown == 0, "{counts:?}");
    // Both workers use the application that was started once.
    assert_eq!(counts.restarts, 0, "{}", text(&searched));
}
