//! Recordings of hostile pages in other formats: whatever a page wrote stays a value, and the terminal and the editor that
//! show the file show what is in it.

use colobus_model::foreign::is_deceptive;
use colobus_record::exchange::{Format, ShownAtEnd, export, export_with};
use colobus_record::{
    Button, DialogKind, Element, Entry, Event, Hints, Hop, Key, Line, Modifiers, Mouse, Path, PathStep, Point,
    Recording, Viewport, Who,
};
use proptest::prelude::*;
use serde_json::Value;

use crate::hostile::{shape, with_texts};

/// How many texts [`recording`] has.
const TEXTS: usize = 44;

/// One of every kind of line, with these texts wherever a page can put one.
fn recording(mut text: impl FnMut() -> String) -> Recording {
    let mut element = |entry: Entry| {
        let mut step = |tag: &str| PathStep {
            deep: false,
            tag: tag.to_string(),
            position: Some(2),
            attributes: vec![("id".to_string(), text())],
        };
        let hop = |entry, step| Hop { entry, path: Path { steps: vec![step] } };
        let hops = vec![hop(Entry::Tab, step("div")), hop(entry, step("p"))];
        Element { hops, hints: Hints { role: None, label: Some(text()), text: Some(text()), at: None } }
    };
    let (plain, shadowed) = (element(Entry::Frame), element(Entry::Shadow));
    let on = || plain.clone();
    let key = |key: String| Key { key, code: String::new(), virtual_code: 0 };
    let mouse =
        |on: Element| Mouse { on, at: Point { x: 1.0, y: 2.0 }, button: Button::Left, held: Modifiers::default() };
    let held = Modifiers::from_bits(1);
    let events = vec![
        Event::Open(text()),
        Event::Arrive(text()),
        Event::Click(mouse(on()), 2),
        Event::Popup(text()),
        Event::Click(mouse(shadowed.clone()), 1),
        Event::DoubleClick(mouse(on())),
        Event::Drag { from: mouse(on()), to: mouse(on()), via: Vec::new() },
        Event::Carry { from: mouse(on()), to: mouse(on()), via: Vec::new() },
        Event::Type { on: on(), key: key(text()), held },
        Event::Down { on: on(), key: key(text()), held, again: false },
        Event::Up { on: on(), key: key(text()), held },
        Event::Compose { on: on(), stages: vec![text()], commit: text() },
        Event::Insert { on: on(), text: text() },
        Event::Clipboard { text: text(), html: Some(text()) },
        Event::Paste { on: on() },
        Event::Secret { on: on(), variable: "COLOBUS_SECRET_A".to_string() },
        Event::Choose { on: on(), at: Point::default(), values: vec![text(), text()] },
        Event::Set { on: on(), value: text() },
        Event::Files { on: on(), names: vec![text()] },
        Event::Scroll { on: on(), to: Point::default() },
        Event::Dialog { kind: DialogKind::Prompt, accept: true, text: Some(text()) },
        Event::Insert { on: shadowed, text: text() },
        Event::Close,
    ];
    let who = |event: &Event| Who { client: 0, tab: if matches!(event, Event::Popup(_)) { 2 } else { 1 } };
    let lines = events.into_iter().map(|event| Line::new(who(&event), event, 0)).collect();
    Recording { viewport: Viewport { width: 800, height: 600 }, lines }
}

fn exported(format: Format, texts: &[String]) -> String {
    let mut next = texts.iter().cycle().cloned();
    let title = next.next().unwrap();
    let recording = recording(|| next.next().unwrap());
    let lines = vec![next.next().unwrap(), next.next().unwrap()];
    export_with(&recording, format, &title, &[ShownAtEnd { who: Who { client: 0, tab: 1 }, lines }]).text
}

fn harmless() -> Vec<String> {
    vec!["x".to_string(); TEXTS]
}

#[test]
fn no_text_of_a_page_becomes_code() {
    let expected = shape(&exported(Format::Playwright, &harmless())).unwrap();
    with_texts(TEXTS, |texts| {
        let code = exported(Format::Playwright, &texts);
        prop_assert_eq!(&shape(&code).map_err(TestCaseError::fail)?, &expected, "{}", code);
        prop_assert!(!code.contains(|c| is_deceptive(c) && c != '\n'), "{:?}", code);
        Ok(())
    });
}

#[test]
fn no_text_of_a_page_becomes_structure() {
    for format in [Format::Recorder, Format::Side] {
        let read = |texts: &[String]| structure(&serde_json::from_str(&exported(format, texts)).unwrap());
        let expected = read(&harmless());
        with_texts(TEXTS, |texts| {
            prop_assert_eq!(read(&texts), expected.clone());
            Ok(())
        });
    }
}

/// A JSON without its texts. Which selectors a format can say depends on the text; that they are texts does not.
fn structure(json: &Value) -> Value {
    match json {
        Value::String(_) => Value::Null,
        Value::Array(values)
            if values.iter().all(|value| structure(value).to_string().trim_matches(['[', ']']) == "null") =>
        {
            Value::Null
        }
        Value::Array(values) => values.iter().map(structure).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| *name != "target" && *name != "targets");
            Value::Object(fields.map(|(name, value)| (name.clone(), structure(value))).collect())
        }
        other => other.clone(),
    }
}

/// A label that ends a comment, as a stranger's recording has it.
#[test]
fn a_line_end_in_a_label_stays_in_its_comment() {
    let text = "colobus-recording 1\nviewport 8x6\nA paste /html/body/p{label=\"a\\u2028process.exit(1) //\"} +0\n";
    let code = export(&Recording::parse(text).unwrap(), Format::Playwright, "t").text;
    assert!(code.contains("// A paste /html/body/p{label=\"a\\u2028process.exit(1) //\"} +0\n"), "{code}");
}

#[test]
fn secrets_and_files_of_the_reader_are_not_asked_for() {
    let read = |line: &str| Recording::parse(&format!("colobus-recording 1\nviewport 8x6\nA {line} +0\n"));
    for variable in ["AWS_SECRET_ACCESS_KEY", "PATH", "COLOBUS_SECRET_", "COLOBUS_SECRETS", "XCOLOBUS_SECRET_A"] {
        let refused = read(&format!("secret /html/input {variable}")).unwrap_err().to_string();
        assert!(refused.contains("variables that begin with COLOBUS_SECRET_"), "{refused}");
    }
    assert!(read("secret /html/input COLOBUS_SECRET_PIN_2").is_ok());
    for name in ["/etc/passwd", "../id_rsa", "a/../../b", "..", "", "a\\u0000"] {
        let refused = read(&format!("files /html/input \"a.txt\" \"{name}\"")).unwrap_err().to_string();
        assert!(refused.contains("leads out of the recording's folder"), "{refused}");
    }
    assert!(read("files /html/input \"a.txt\" \"below/b.txt\" \"..c\"").is_ok());
}
