//! Recordings in other formats: exact texts, and what comes back is what went out.

use colobus_record::exchange::{Format, ImportError, ShownAtEnd, export, export_with, import};
use colobus_record::{Element, Event, Hints, Line, Recording, Timing, fold, unfold};
use proptest::prelude::*;

use crate::sample;

const SAMPLE: &str = include_str!("../sample.rec");

/// What neither format keeps: times, and where elements were.
fn without_times(mut recording: Recording) -> Recording {
    for line in &mut recording.lines {
        (line.after_ms, line.timing) = (0, Timing::Loose);
    }
    recording.lines = fold(unfold(&recording.lines));
    recording
}

fn events(recording: &Recording) -> Vec<String> {
    recording.lines.iter().map(|line| without_hints(line).to_string()).collect()
}

fn without_hints(line: &Line) -> Line {
    let mut line = line.clone();
    elements(&mut line.event).into_iter().for_each(|element| element.hints = Hints::default());
    line
}

fn elements(event: &mut Event) -> Vec<&mut Element> {
    match event {
        Event::Press(mouse, _)
        | Event::Release(mouse, _)
        | Event::Drop(mouse)
        | Event::Click(mouse, _)
        | Event::DoubleClick(mouse) => vec![&mut mouse.on],
        Event::Drag { from, to, .. } | Event::Carry { from, to, .. } => vec![&mut from.on, &mut to.on],
        Event::Down { on, .. }
        | Event::Up { on, .. }
        | Event::Type { on, .. }
        | Event::Compose { on, .. }
        | Event::Insert { on, .. }
        | Event::Paste { on }
        | Event::Secret { on, .. }
        | Event::Choose { on, .. }
        | Event::Set { on, .. }
        | Event::Files { on, .. }
        | Event::Scroll { on, .. } => vec![on],
        _ => Vec::new(),
    }
}

/// A line without what formats do not keep: times and hints.
fn said(line: &Line) -> String {
    Line { after_ms: 0, timing: Timing::Loose, ..without_hints(line) }.to_string()
}

/// The same as this format has it: Chrome's recorder has one word for choosing one option and for setting a value.
fn said_in(format: Format, line: &Line) -> String {
    match &line.event {
        Event::Choose { on, values, .. } if format == Format::Recorder && values.len() == 1 => {
            said(&Line { event: Event::Set { on: on.clone(), value: values[0].clone() }, ..line.clone() })
        }
        _ => said(line),
    }
}

fn short() -> Recording {
    let text = "colobus-recording 1\nviewport 800x600\n\
        A open \"http://127.0.0.1:8080/\" +0\n\
        A click /html/body/form/input[@name=\"q\"]{role=\"textbox\" label=\"Search\"} 12,8 +0\n\
        A type /html/body/form/input[@name=\"q\"]{role=\"textbox\" label=\"Search\"} [h,KeyH,72] +0\n\
        A type /html/body/form/input[@name=\"q\"]{role=\"textbox\" label=\"Search\"} [Enter,Enter,13] +0\n\
        A arrive \"http://127.0.0.1:8080/found?q=h\" +0\n\
        A doubleclick /html/body/p[2][@id=\"a\"] 3.5,4 +0\n\
        A set /html/body/input[@name=\"day\"] \"2026-11-16\" +0\n";
    Recording::parse(text).unwrap()
}

#[test]
fn a_short_session_goes_through_chromes_recorder_and_back() {
    let exported = export(&short(), Format::Recorder, "search");
    assert_eq!(exported.warnings, Vec::<String>::new());
    let imported = import(&exported.text).unwrap();
    assert_eq!(imported.warnings, Vec::<String>::new());
    assert_eq!(imported.recording, short());
}

#[test]
fn a_short_session_goes_through_selenium_ide_and_back() {
    let exported = export(&short(), Format::Side, "search");
    assert_eq!(exported.warnings, ["line 5: Selenium IDE cannot say this; it is a comment"]);
    let imported = import(&exported.text).unwrap();
    assert_eq!(imported.warnings, Vec::<String>::new());
    assert_eq!(events(&imported.recording), events(&short()));
}

#[test]
fn a_playwright_test_is_written() {
    let exported = export(&short(), Format::Playwright, "search");
    assert_eq!(exported.warnings, Vec::<String>::new());
    let expected = r#"import { test } from "@playwright/test";

test("search", async ({ browser }) => {
  const userA = await browser.newContext({ viewport: { width: 800, height: 600 } });
  const pageA = await userA.newPage();
  await pageA.goto("http://127.0.0.1:8080/");
  await pageA.getByRole("textbox", { name: "Search", exact: true }).click({ position: { x: 12, y: 8 } });
  await pageA.getByRole("textbox", { name: "Search", exact: true }).fill("h");
  await pageA.getByRole("textbox", { name: "Search", exact: true }).press("Enter");
  await pageA.waitForLoadState();
  await pageA.locator("xpath=/html/body/p[2][@id=\"a\"]").dblclick({ position: { x: 3.5, y: 4 } });
  await pageA.locator("xpath=/html/body/input[@name=\"day\"]").fill("2026-11-16");
  await userA.close();
});
"#;
    assert_eq!(exported.text, expected);
}

#[test]
fn a_playwright_test_finds_elements_as_people_do_and_fills_fields() {
    let name = r#"/html/body/input[1]{role="textbox" label="Name"}"#;
    let save = |place: usize| format!(r#"/html/body/li[{place}]/button{{role="button" label="Save"}}"#);
    let text = format!(
        "colobus-recording 1\nviewport 800x600\nA open \"http://a/\" +0\n\
         A type {name} [A,KeyA,65] Shift +1\nA type {name} [d,KeyD,68] +1\nA type {name} [Backspace,Backspace,8] +1\n\
         A type {name} [a,KeyA,65] +1\nA type {name} [a,KeyA,65] Control +1\n\
         A type /html/body/div{{role=\"textbox\" label=\"Notes\"}} [x,KeyX,88] +1\n\
         A click /html/body/button[1]{{role=\"button\" label=\"Say \\\"hi\\\"\"}} 5,5 +1\n\
         A click {} 5,5 +1\nA click {} 5,5 +1\n",
        save(1),
        save(2)
    );
    let exported = export(&Recording::parse(&text).unwrap(), Format::Playwright, "t");
    assert_eq!(exported.warnings, Vec::<String>::new());
    let lines: Vec<&str> = exported.text.lines().map(str::trim).collect();
    let name = r#"await pageA.getByRole("textbox", { name: "Name", exact: true })"#;
    let click = "click({ position: { x: 5, y: 5 } });";
    assert_eq!(
        lines[5..14],
        [
            "await pageA.goto(\"http://a/\");".to_string(),
            format!("{name}.fill(\"Ad\");"),
            format!("{name}.press(\"Backspace\");"),
            format!("{name}.pressSequentially(\"a\");"),
            format!("{name}.press(\"Control+a\");"),
            // An editable element has this role only if it says so, and two buttons have the same name.
            "await pageA.locator(\"xpath=/html/body/div\").pressSequentially(\"x\");".to_string(),
            format!(r#"await pageA.getByRole("button", {{ name: "Say \"hi\"", exact: true }}).{click}"#),
            format!("await pageA.locator(\"xpath=/html/body/li[1]/button\").{click}"),
            format!("await pageA.locator(\"xpath=/html/body/li[2]/button\").{click}"),
        ]
    );
}

#[test]
fn a_playwright_test_expects_what_pages_showed_at_the_end() {
    let shown = ShownAtEnd { who: short().lines[0].who, lines: vec!["Thank you".into(), "it's \"5\"".into()] };
    let test = export_with(&short(), Format::Playwright, "search", &[shown]).text;
    assert!(test.starts_with("import { expect, test } from \"@playwright/test\";\n"), "{test}");
    let expect = "  await expect(pageA.locator(\"body\")).toContainText";
    let end = format!(
        "{expect}(\"Thank you\", {{ useInnerText: true }});\n\
         {expect}(\"it's \\\"5\\\"\", {{ useInnerText: true }});\n  await userA.close();\n}});\n"
    );
    assert!(test.ends_with(&end), "{test}");
}

#[test]
fn what_others_write_is_understood_as_far_as_it_goes() {
    let steps = r##"{ "title": "t", "steps": [
        { "type": "setViewport", "width": 500, "height": 400 },
        { "type": "navigate", "url": "http://a/", "assertedEvents": [{ "type": "navigation", "url": "http://a/" }] },
        { "type": "click", "selectors": [["#go > b:nth-of-type(2)"]], "offsetX": 1, "offsetY": 2 },
        { "type": "click", "selectors": [["aria/Send[role=\"button\"]"], [".fancy"]], "offsetX": 1, "offsetY": 2 },
        { "type": "hover", "selectors": [["#go"]] }
    ] }"##;
    let imported = import(steps).unwrap();
    let expected = "colobus-recording 1\nviewport 500x400\nA open \"http://a/\" +0\n\
        A click //*[@id=\"go\"]/b[2] 1,2 +0\nA click //*{role=\"button\" label=\"Send\"} 1,2 +0\n";
    assert_eq!(imported.recording.to_string(), expected);
    assert_eq!(imported.warnings, ["step 5: `hover` is left out: a recording cannot say it"]);

    let project = r#"{ "url": "http://a", "tests": [{ "commands": [
        { "command": "open", "target": "/x", "value": "" },
        { "command": "click", "target": "css=form > input[name=\"q\"]", "value": "" },
        { "command": "sendKeys", "target": "id=q", "value": "a${KEY_ENTER}" },
        { "command": "// mine", "target": "", "value": "" },
        { "command": "assertText", "target": "id=q", "value": "a" }
    ] }] }"#;
    let imported = import(project).unwrap();
    let expected = "colobus-recording 1\nviewport 1280x720\nA open \"http://a/x\" +0\n\
        A click //form/input[@name=\"q\"] 0,0 +0\n\
        A type //*[@id=\"q\"] [a,KeyA,65] +0\nA type //*[@id=\"q\"] [Enter,Enter,13] +0\n";
    assert_eq!(imported.recording.to_string(), expected);
    assert_eq!(imported.warnings, ["command 5: `assertText` is left out: a recording cannot say it"]);
}

#[test]
fn an_attribute_with_both_kinds_of_quotes_comes_back() {
    let text = "colobus-recording 1\nviewport 1x1\n\
        A set /form/input[@id=\"it's \\\"5\\\"\"] \"a\" +0\nA set /ul[@id=\"'\\\"\"]/li[2] \"b\" +0\n";
    let recording = Recording::parse(text).unwrap();
    for format in [Format::Recorder, Format::Side] {
        let exported = export(&recording, format, "quotes");
        let imported = import(&exported.text).unwrap();
        assert_eq!(
            (imported.warnings, imported.recording.to_string()),
            (Vec::new(), text.to_string()),
            "{}",
            exported.text
        );
    }
}

#[test]
fn other_files_are_refused() {
    assert!(matches!(import("{"), Err(ImportError::NoJson(_))));
    assert!(matches!(import("{}"), Err(ImportError::Unknown)));
    assert!(matches!(import("[1]"), Err(ImportError::Unknown)));
}

#[test]
fn nothing_of_the_sample_is_dropped_silently() {
    let recording = Recording::parse(SAMPLE).unwrap();
    for format in [Format::Recorder, Format::Side] {
        let exported = export(&recording, format, "sample");
        let imported = import(&exported.text).unwrap();
        assert_eq!(imported.warnings, Vec::<String>::new());
        assert_eq!(imported.recording.lines.len(), without_times(recording.clone()).lines.len(), "{}", exported.text);
    }
    let test = export(&recording, Format::Playwright, "sample");
    let comments = test.text.lines().filter(|line| line.trim_start().starts_with("//")).count();
    assert_eq!(comments, test.warnings.len());
}

proptest! {
    /// Every line comes back, as a step or as a comment: nothing is lost but times and hints.
    #[test]
    fn whatever_is_exported_comes_back(recording in sample::recording()) {
        for format in [Format::Recorder, Format::Side] {
            let exported = export(&recording, format, "any");
            let imported = import(&exported.text).unwrap();
            prop_assert_eq!(&imported.warnings, &Vec::<String>::new());
            prop_assert_eq!(imported.recording.viewport, recording.viewport);
            let said = |recording: &Recording| {
                unfold(&recording.lines).iter().map(|line| said_in(format, line)).collect::<Vec<_>>()
            };
            prop_assert_eq!(said(&imported.recording), said(&recording));
        }
    }

    #[test]
    fn no_text_makes_an_import_panic(text in ".{0,200}") {
        let _ = import(&text);
        let _ = import(&format!("{{ \"steps\": [{{ \"type\": \"click\", \"selectors\": [[{text:?}]] }}] }}"));
    }
}
