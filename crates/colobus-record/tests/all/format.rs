//! The file format: what is written can be read, and what is broken says where.

use colobus_record::{ParseError, Recording, fold, unfold};
use proptest::prelude::*;

use crate::sample;

const SAMPLE: &str = include_str!("../sample.rec");

#[test]
fn the_sample_is_read_and_written_letter_by_letter() {
    let recording = Recording::parse(SAMPLE).unwrap();
    assert_eq!(recording.to_string(), SAMPLE);
    assert_eq!(recording.clients(), 2);
    assert_eq!(recording.lines.len(), 31);
}

/// Every line is cut at every place and garbled at every place: what is left is either a line or a problem in that line.
#[test]
fn a_broken_line_is_named_with_its_column() {
    let lines: Vec<&str> = SAMPLE.lines().collect();
    let mut broken = 0;
    for (index, line) in lines.iter().enumerate() {
        let ends = line.char_indices().map(|(at, _)| at);
        for at in ends {
            let garbled = format!("{}\u{1}{}", &line[..at], &line[at..]);
            for damaged in [line[..at].to_string(), garbled] {
                let mut text = lines.clone();
                text[index] = &damaged;
                match Recording::parse(&text.join("\n")) {
                    Ok(_) => assert!(!damaged.contains('\u{1}') || index == 0, "{damaged}"),
                    Err(ParseError::Broken { line, column, message }) => {
                        broken += 1;
                        // An empty second line leaves the third in its place.
                        let named = if damaged.is_empty() && index == 1 { 3 } else { index + 1 };
                        assert_eq!(line, named, "{damaged}: {message}");
                        assert!((1..=damaged.chars().count().max(1) + 1).contains(&column), "{damaged}: {column}");
                    }
                    Err(_) => assert_eq!(index, 0, "{damaged}"),
                }
            }
        }
    }
    assert_eq!(broken, 2790);
}

#[test]
fn problems_say_what_to_write() {
    let read = |line: &str| {
        let text = format!("colobus-recording 1\nviewport 800x600\n{line}");
        Recording::parse(&text).unwrap_err().to_string()
    };
    let cases = [
        ("A clik /html 1,2 +0", "3:3: `clik` is not a kind of event: write one of open, arrive,"),
        ("a click /html 1,2 +0", "3:1: expected a user: a letter from A to Z, found `a`"),
        ("A click html 1,2 +0", "3:9: expected a path such as /html/body/button, found `html`"),
        ("A click /html 1 +0", "3:15: expected a place such as 82,44, found `1`"),
        ("A click /html 1,2", "3:18: the line ends where the time since the line before, such as ` +120` should be"),
        ("A click /html 1,2 Shift+Shift +0", "3:19: `Shift+Shift` are not modifiers"),
        ("A click /html[0] 1,2 +0", "3:15: positions count from 1"),
        ("A insert /html \"ä\\q\" +0", "3:19: this escape means nothing"),
        ("A insert /html \"open +0", "3:16: this text has no closing quote"),
        ("A.1 reload +0", "3:2: tabs count from 1, and the first is not written"),
        ("A reload +99999999999999999999", "3:11: 99999999999999999999 is too large for milliseconds"),
        ("A reload +0 again", "3:12: expected the end of the line"),
    ];
    for (line, expected) in cases {
        let message = read(line);
        assert!(message.starts_with(expected), "{line}\n{message}");
    }
}

#[test]
fn other_versions_and_other_files_are_told_apart() {
    let message = |text: &str| Recording::parse(text).unwrap_err().to_string();
    assert_eq!(
        message("colobus-recording 7\n???"),
        "1:19: the recording has version 7, and this colobus reads version 1: replay it with the colobus that wrote it, or install a newer one"
    );
    for text in ["", "{\"version\": 1}", "colobus-recording"] {
        assert_eq!(message(text), "1:1: this is not a recording: its first line must be `colobus-recording 1`");
    }
    assert!(message("colobus-recording 1\n").starts_with("2:1: "));
    assert!(message("colobus-recording 1\nviewport 0x600").starts_with("2:10: 0 pixels are not a window"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_is_written_can_be_read(recording in sample::recording()) {
        let text = recording.to_string();
        prop_assert_eq!(Recording::parse(&text).unwrap(), recording);
    }

    /// Any program may have written the file: also more decimals than are written, and numbers that have none.
    #[test]
    fn what_was_read_is_written_and_read_again(x in "-?[0-9]{1,80}(\\.[0-9]{1,9})?", y in "-?[0-9]{1,80}(\\.[0-9]{1,9})?") {
        let recording = Recording::parse(&format!("colobus-recording 1\nviewport 8x6\nA scroll /html {x},{y} +10")).unwrap();
        prop_assert_eq!(Recording::parse(&recording.to_string()).unwrap(), recording);
    }

    #[test]
    fn folding_can_be_undone(recording in sample::recording()) {
        let raw = unfold(&recording.lines);
        let folded = fold(raw.clone());
        let again = unfold(&folded);
        let events = |lines: &[colobus_record::Line]| lines.iter().map(|line| line.event.to_string()).collect::<Vec<_>>();
        let joined_for_good = |text: &String| text.starts_with("secret") || text.starts_with("scroll") || text.starts_with("clipboard") || text.starts_with("down");
        let lasting = |lines: &[colobus_record::Line]| events(lines).into_iter().filter(|text| !joined_for_good(text)).collect::<Vec<_>>();
        prop_assert_eq!(lasting(&again), lasting(&raw));
        let time = |lines: &[colobus_record::Line]| lines.iter().map(|line| line.after_ms).sum::<u64>();
        prop_assert!(time(&folded) <= time(&raw));
        prop_assert_eq!(fold(again), folded, "folding twice is folding once");
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,80}") {
        let _ = Recording::parse(&text);
        let _ = Recording::parse(&format!("colobus-recording 1\nviewport 8x6\nA {text}"));
        let _ = Recording::parse(&format!("colobus-recording 1\nviewport 8x6\nA click /a{text}"));
    }
}
