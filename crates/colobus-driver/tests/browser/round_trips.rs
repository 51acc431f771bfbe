//! Sessions in editors, there and back: several users, rich text, dragged selections, input methods. What the replay ends
//! with is what the session ended with, in the mind of the editor and in its DOM.

use colobus_demo::{DemoOptions, DemoServer};
use colobus_record::Recording;
use serde_json::{Value, json};

use crate::server::Server;
use crate::session::{perform, replay, script, typed};

/// What both runs end with.
fn there_and_back(script: &Recording, origins: (&str, &str), model: &str) -> (Recording, Vec<Value>) {
    let session = perform(script, model);
    assert_eq!(session.impossible(script), Vec::<String>::new());
    let replayed = replay(&session.recording, origins, model, true);
    assert_eq!(replayed.relaxed(&session.recording), Vec::<String>::new(), "{}", session.recording);
    assert_eq!(replayed.ends, session.ends, "{}", session.recording);
    (session.recording, session.ends.into_iter().map(|(model, _)| model).collect())
}

fn held(who: char, on: &str, key: char) -> String {
    let control = format!("{on} [Control,ControlLeft,17]");
    let upper = key.to_ascii_uppercase();
    let stroke = format!("{on} [{key},Key{upper},{}]", u32::from(upper));
    format!("{who} down {control} Control +1\n{who} type {stroke} Control +1\n{who} up {control} +1\n")
}

#[test]
fn two_users_of_the_demo_write_the_same_again() {
    let (first, second) = (DemoServer::start(DemoOptions::default()), DemoServer::start(DemoOptions::default()));
    let (first, second) = (first.unwrap(), second.unwrap());
    let origin = |server: &DemoServer| server.url().trim_end_matches('/').to_string();
    let origins = (origin(&first), origin(&second));
    let editor = "//div[@id=\"editor\"]";
    let line = |number: u32| format!("{editor}/div[{number}]");
    let lines = [
        "colobus-recording 1\nviewport 640x400\n".to_string(),
        "A open \"ORIGIN/?doc=two\" +0\nB open \"ORIGIN/?doc=two\" +1\n".to_string(),
        format!("A click {editor} 20,10 +1\n"),
        typed('A', editor, "one two"),
        format!("B click {editor} 200,10 +1\nB type {editor} [Home,Home,36] +1\n"),
        typed('B', editor, "x"),
        typed('A', editor, "y"),
        format!("B type {editor} [Enter,Enter,13] +1\n"),
        typed('A', editor, "z"),
        held('B', editor, 'b'),
        typed('B', editor, "fat"),
        format!("A compose {editor} \"n\" \"に\" commit \"日本\" +1\n"),
        format!("B doubleclick {} 15,8 +1\nB click //button[@data-command=\"italic\"] 8,8 +1\n", line(2)),
        format!("A type {editor} [Enter,Enter,13] +1\n"),
        typed('A', editor, "end"),
        "A click //button[@data-command=\"list\"] 8,8 +1\n".to_string(),
        held('A', editor, 'z'),
    ];
    let script = script(&lines.concat(), &origins.0);
    let model = "colobusDemo.ready.then(() => colobusDemo.state())";
    let (recording, models) = there_and_back(&script, (&origins.0, &origins.1), model);
    assert_eq!(models[0], models[1], "both have the same document");
    let document = json!([
        { "insert": "x\n" },
        { "insert": "fat", "attributes": { "bold": true, "italic": true } },
        { "insert": "one", "attributes": { "italic": true } },
        { "insert": " twoyz日本\nend\n" },
    ]);
    assert_eq!(models[0], document, "{recording}");
    let users = |recording: &Recording| recording.lines.iter().map(|line| line.who.to_string()).collect::<String>();
    assert_eq!(users(&recording), users(&script), "in the same order\n{recording}");
}

#[test]
fn rich_text_drags_and_input_methods_come_back_in_real_editors() {
    let server = Server::start();
    let origin = server.url("");
    // Quill lets nobody drag a selection: there, the mouse selects. CodeMirror knows no bold.
    let sessions = [
        using("//div[@id=\"quill\"]/div[2]/div", "p", "drag", "A click //div[@id=\"quill\"]//button 8,8 +1\n"),
        using("//div[@id=\"prosemirror\"]/div/div", "p", "carry", "A click //div[@id=\"prosemirror\"]/button 8,8 +1\n"),
        using("//div[@class=\"cm-content\"]", "div", "carry", ""),
    ];
    let open =
        "colobus-recording 1\nviewport 640x400\nA open \"ORIGIN/editors?kind=quill,prosemirror,codemirror6\" +0\n";
    let script = script(&(open.to_string() + &sessions.concat()), &origin);
    let (recording, models) = there_and_back(&script, (&origin, &origin), "models()");
    let strong = |text: &str| json!({ "type": "text", "marks": [{ "type": "strong" }], "text": text });
    let plain = |text: &str| json!({ "type": "text", "text": text });
    let paragraph = |content: &[Value]| json!({ "type": "paragraph", "content": content });
    let bold = |text: &str| json!({ "insert": text, "attributes": { "bold": true } });
    let quill = json!({ "ops": [bold("one日本"), { "insert": "\n" }, bold("pas"), { "insert": "ted\n" }, bold("two"),
        { "insert": "\n" }, bold("threexyz"), { "insert": "\n" }] });
    let prosemirror = json!({ "type": "doc", "content": [paragraph(&[strong("one日本")]),
        paragraph(&[strong("pas"), plain("ted")]), { "type": "paragraph" },
        paragraph(&[plain("three"), strong("xy"), plain("ztwo")])] });
    assert_eq!(models, [json!([quill, prosemirror, "one日本\npasted\n\nthreexyztwo"])], "{recording}");
}

/// Writes bold and plain at the end of the third line, makes the first line bold, drags from the second to the end of the
/// third, and writes with an input method and from the clipboard behind the first.
fn using(editor: &str, line: &str, drag: &str, bold: &str) -> String {
    let line = |number: u32| format!("{editor}/{line}[{number}]");
    let (select, from) = match drag {
        "carry" => (format!("A doubleclick {} 10,8 +1\n", line(2)), 10),
        _ => (String::new(), 0),
    };
    [
        format!("A click {} 300,8 +1\n", line(3)),
        held('A', editor, 'b'),
        typed('A', editor, "xy"),
        held('A', editor, 'b'),
        typed('A', editor, "z"),
        format!("A doubleclick {} 10,8 +1\n{bold}", line(1)),
        // Editors count clicks: a press right after a double click is a third one.
        format!("{select}A {drag} {} {from},8 to {} 300,8 via 5,2 20,10 +600!\n{bold}", line(2), line(3)),
        format!("A click {} 300,8 +1\n", line(1)),
        format!("A compose {editor} \"n\" \"に\" \"にほん\" commit \"日本\" +1\n"),
        format!("A type {editor} [Enter,Enter,13] +1\n"),
        format!("A clipboard \"pasted\" html \"<b>pas</b>ted\" +1\n{}", held('A', editor, 'v')),
    ]
    .concat()
}
