//! Pages with several forms, searched with nothing but their address: what is written in one and not submitted is its user's own, and what
//! can be done with entries is found, although there are none at first.

use std::fs;

use tempfile::TempDir;

use crate::small::{Running, colobus, report, subject, text};

/// A board with two columns, each with a form; entries can be voted for and deleted.
const BOARD: &str = r##"
const page = `<!doctype html><meta charset="utf-8"><title>Retrospective</title>
<section id="good"><ul></ul><form><input name="good"><button>Add</button></form></section>
<section id="bad"><ul></ul><form><input name="better"><button>Add</button></form></section>
<script>
  const send = (path, body) => fetch(path + location.search, { method: 'POST', body: JSON.stringify(body) });
  const button = (name, says, act) => Object.assign(document.createElement('button'), { className: name, textContent: says, onclick: act });
  function show(entries) {
    for (const section of document.querySelectorAll('section')) {
      section.querySelector('ul').replaceChildren(...entries.filter(({ column }) => column === section.id).map(({ id, text, votes }) => {
        const line = document.createElement('li');
        line.append(text, ' ', button('vote', 'votes: ' + votes, () => send('/vote', { id })), button('delete', 'x', () => send('/delete', { id })));
        return line;
      }));
    }
  }
  for (const form of document.querySelectorAll('form')) form.onsubmit = (event) => {
    event.preventDefault();
    const [field] = form.elements;
    send('/add', { column: form.parentElement.id, text: field.value });
    field.value = '';
  };
  new EventSource('/events' + location.search).onmessage = (event) => show(JSON.parse(event.data));
</script>`;
const change = (act) => async (room, body, { think, tell }) => {
  await think();
  act(room, body);
  tell(room.entries);
  return {};
};
run({
  page,
  room: () => ({ entries: [], next: 1 }),
  joined: (room, send) => send(room.entries),
  post: {
    '/add': change((room, { column, text }) => room.entries.push({ id: room.next++, column, text, votes: 0 })),
    '/vote': change((room, { id }) => room.entries.filter((entry) => entry.id === id).forEach((entry) => entry.votes++)),
    '/delete': change((room, { id }) => (room.entries = room.entries.filter((entry) => entry.id !== id))),
  },
});
"##;

/// A word in one form and a click on the button of another left drafts that differ, which was a finding.
#[test]
fn users_fill_in_every_form_and_use_what_comes_of_it() {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("app.js");
    let rooms = format!("const {{ run }} = require({:?});\n", subject("rooms.js").display().to_string());
    fs::write(&program, rooms + BOARD).unwrap();
    let application = Running::start(&program, &[]);
    let address = format!("{}/?doc={{doc}}", application.url);
    let options = ["--depth=1", "--repeat=1", "--workers=1", "--action=write a word and submit it"];
    let searched = colobus(folder.path(), &[&["check", &address], &options[..]].concat(), &[]);
    assert_eq!(searched.status.code(), Some(0), "{}", text(&searched));
    assert_eq!(report(folder.path()).counts.interactions.judged, 1, "two users do the same: {}", text(&searched));

    let written = fs::read_to_string(folder.path().join("colobus.toml")).unwrap();
    let (tried, left_out): (Vec<&str>, Vec<&str>) =
        written.lines().filter(|line| line.contains("name = ")).partition(|line| line.starts_with("name = "));
    let names: Vec<&str> = tried.iter().map(|line| line.trim_start_matches("name = ").trim_matches('"')).collect();
    let [submitted, elsewhere, by_button, vote, delete] = names[..] else { panic!("{written}") };
    assert_eq!((submitted, by_button), ("write a word and submit it", "write a word and click Add 2"), "{written}");
    assert!(elsewhere == "write a word in “good” and submit it", "{elsewhere}");
    assert_eq!((vote, delete), ("click votes: 0", "click x"));
    // The button of the other form.
    assert!(left_out.iter().any(|line| line.contains("write a word and click Add")), "{written}");
}
