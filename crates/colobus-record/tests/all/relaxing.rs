//! How far an element is looked for.

use colobus_record::relax::{GivenUp, candidates};
use colobus_record::{Event, Recording};

fn relaxed(path: &str) -> Vec<(GivenUp, String)> {
    let text = format!("colobus-recording 1\nviewport 8x6\nA paste {path} +0");
    let recording = Recording::parse(&text).unwrap();
    let Event::Paste { on } = &recording.lines[0].event else { panic!("{path}") };
    candidates(on.path()).into_iter().map(|candidate| (candidate.given_up, candidate.path.to_string())).collect()
}

#[test]
fn a_path_is_relaxed_step_by_step() {
    use GivenUp::{AllButName, Ids, Nothing, Positions, Prefix};
    let expected = [
        (Nothing, r#"/html/div[2][@id="a"]/input[1][@id="b"][@name="q"]"#),
        (Positions, r#"/html/div[@id="a"]/input[@id="b"][@name="q"]"#),
        (Ids, r#"/html/div[2]/input[1][@name="q"]"#),
        (Prefix, r#"//div[2][@id="a"]/input[1][@id="b"][@name="q"]"#),
        (Prefix, r#"//div[@id="a"]/input[@id="b"][@name="q"]"#),
        (Prefix, r#"//div[2]/input[1][@name="q"]"#),
        (Prefix, r#"//input[1][@id="b"][@name="q"]"#),
        (Prefix, r#"//input[@id="b"][@name="q"]"#),
        (Prefix, r#"//input[1][@name="q"]"#),
        (AllButName, r#"//input[@name="q"]"#),
    ];
    let found = relaxed(r#"/html/div[2][@id="a"]/input[1][@id="b"][@name="q"]"#);
    assert_eq!(found.iter().map(|(given_up, path)| (*given_up, path.as_str())).collect::<Vec<_>>(), expected);
}

#[test]
fn no_path_is_tried_twice() {
    assert_eq!(relaxed("/html").len(), 1);
    assert_eq!(relaxed("/html/body").len(), 2);
}
