//! Recorded lines as the steps of actions: exact steps, and nothing is left out in silence.

use colobus_model::{Inside, Schedule, Step, TOKEN, Target};
use colobus_record::Recording;
use colobus_record::steps::{Entry, TogetherError, steps, together};
use proptest::prelude::*;

use crate::sample;

const EDITOR: &str = "/html/body/main/div[2][@id=\"editor\"]{role=\"textbox\" label=\"Document\" at=320,200}";
const BOLD: &str = "/html/body/div[1][@id=\"toolbar\"]/button[1]/b{text=\"B\" at=20,20}";

fn recording(lines: &str) -> Recording {
    let text = format!("colobus-recording 1\nviewport 800x600\n{lines}\n");
    let text = text.replace("EDITOR", EDITOR).replace("BOLD", BOLD);
    Recording::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn said(lines: &str) -> Vec<Entry> {
    steps(&recording(lines))
}

/// The steps alone, of lines of which all is said.
fn whole(lines: &str) -> Vec<Step> {
    let entries = said(lines);
    assert!(entries.iter().all(|entry| entry.loss.is_none()), "{entries:#?}");
    entries.into_iter().filter_map(|entry| entry.step).collect()
}

/// Which line is left out why, and whether that matters.
fn lost(lines: &str) -> Vec<(usize, &'static str, bool)> {
    said(lines).into_iter().filter_map(|entry| entry.loss.map(|loss| (entry.line, loss.why, loss.matters))).collect()
}

fn selector(element: &str) -> String {
    let [Step::Click(Target::Inside(Inside { on, .. }))] = &whole(&format!("A click {element} 1,1 +0"))[..] else {
        panic!("{element} is clicked at a place")
    };
    on.clone()
}

fn inside(on: &str, x: u32, y: u32) -> Target {
    Target::Inside(Inside { on: on.to_string(), x, y })
}

#[test]
fn a_session_in_an_editor() {
    let lines = "A open \"http://127.0.0.1:8080/\" +0\n\
        A click EDITOR 20.4,9.6 +812\n\
        A down EDITOR [Shift,ShiftLeft,16] Shift +100\n\
        A type EDITOR [H,KeyH,72] Shift +30\n\
        A up EDITOR [Shift,ShiftLeft,16] +30\n\
        A down EDITOR [i,KeyI,73] +30\n\
        A down EDITOR [\" \",Space,32] +30\n\
        A up EDITOR [i,KeyI,73] +30\n\
        A down EDITOR [\" \",Space,32] again +30\n\
        A up EDITOR [\" \",Space,32] +30\n\
        A insert EDITOR \"🙂\" +30\n\
        A type EDITOR [Enter,Enter,13] +30\n\
        A type EDITOR [Home,Home,36] Shift +30\n\
        A down EDITOR [Control,ControlLeft,17] Control +30\n\
        A type EDITOR [b,KeyB,66] Control +30\n\
        A clipboard \"from elsewhere\" +1\n\
        A type EDITOR [v,KeyV,86] Control +1\n\
        A type EDITOR [\" \",Space,32] Control +30\n\
        A up EDITOR [Control,ControlLeft,17] +30\n\
        A click BOLD 3,4 +30\n\
        A doubleclick EDITOR 5,6 +30\n\
        A click EDITOR 5,6 +30\n\
        A click EDITOR 6,6 x2 +30\n\
        A drag EDITOR 10,10 to EDITOR 60,20 via 20,4 50,10 +30\n\
        A type EDITOR [Shift,ShiftLeft,16] Shift +30";
    let editor = |x, y| inside("#editor", x, y);
    let expected = [
        Step::Click(editor(20, 10)),
        Step::Type("Hi  🙂".into()),
        Step::Press("Enter".parse().unwrap()),
        Step::Press("Shift+Home".parse().unwrap()),
        Step::Press("Control+b".parse().unwrap()),
        Step::Paste("from elsewhere".into()),
        Step::Press("Control+Space".parse().unwrap()),
        Step::Click(Target::Selector("#toolbar > button:nth-of-type(1)".into())),
        Step::DoubleClick(editor(5, 6)),
        Step::DoubleClick(editor(5, 6)),
        Step::Drag { from: editor(10, 10), to: editor(60, 20) },
        Step::Press("Shift".parse().unwrap()),
    ];
    assert_eq!(whole(lines), expected);
    let named: Vec<(usize, Option<String>)> =
        said(lines).into_iter().map(|entry| (entry.line, entry.about)).take(2).collect();
    assert_eq!(named, [(2, Some("textbox “Document”".to_string())), (4, None)]);
}

#[test]
fn a_selector_begins_at_the_nearest_id_that_lasts() {
    assert_eq!(selector("/html/body/p[2]"), "body > p:nth-of-type(2)");
    assert_eq!(selector("/html"), "html");
    assert_eq!(selector("/html/body/div[@id=\"a\"]/ul/li[3]"), "#a > ul > li:nth-of-type(3)");
    assert_eq!(selector("/html/body/div[@id=\"a\"]/p[2][@id=\":r12:\"]"), "#a > p:nth-of-type(2)");
    assert_eq!(selector("/html/body/p[2][@id=\"1st \\\"x\\\"\"]"), "#\\31 st\\ \\\"x\\\"");
    assert_eq!(selector("//form/input[@name=\"a\\\"b\\\\c\\n\"]"), "form > input[name=\"a\\\"b\\\\c\\a \"]");
    assert_eq!(selector("//form//*[@id=\"row-1731\"]"), "form *[id=\"row-1731\"]");
}

#[test]
fn what_is_the_same_everywhere_needs_no_place() {
    let checkbox = "A click /html/body/input[@id=\"c\"]{role=\"checkbox\"} 3,3 +0";
    assert_eq!(whole(checkbox), [Step::Click(Target::Selector("#c".into()))]);
    let imported = "A click //form/input[@name=\"q\"] 0,0 +0";
    assert_eq!(whole(imported), [Step::Click(Target::Selector("form > input[name=\"q\"]".into()))]);
}

#[test]
fn choices_are_made_by_a_script() {
    let chosen = whole(
        "A choose /html/body/select[@id=\"size\"] 4,4 \"m\" \"l\" +0\nA set /html/body/input[@id=\"day\"] \"2026-11-16\" +0",
    );
    let [Step::Evaluate(choose), Step::Evaluate(set)] = &chosen[..] else { panic!("{chosen:?}") };
    assert!(
        choose.starts_with("((selector, values) => {") && choose.ends_with("})(\"#size\", [\"m\",\"l\"])"),
        "{choose}"
    );
    assert!(set.ends_with("})(\"#day\", \"2026-11-16\")"), "{set}");
}

#[test]
fn words_that_mean_something_else_in_a_step_are_typed_in_two() {
    let keys: String =
        "a{token}b".chars().map(|key| format!("A type EDITOR [{key:?},\"\",0] +0\n").replace('\'', "\"")).collect();
    let expected = [Step::Type("a{token".into()), Step::Type("}b".into())];
    assert_eq!(whole(keys.trim_end()), expected);
    assert_eq!(whole("A insert EDITOR \"a{token}b\" +0"), [Step::Type("a{".into()), Step::Type("token}b".into())]);
}

#[test]
fn a_loss_is_that_of_its_own_line() {
    let entries =
        said("A type EDITOR [a,KeyA,65] +0\nA compose EDITOR \"n\" commit \"日本\" +0\nA type EDITOR [b,KeyB,66] +0");
    let steps: Vec<_> = entries.iter().map(|entry| (entry.line, entry.step.clone(), entry.loss.is_some())).collect();
    assert_eq!(steps, [(1, Some(Step::Type("a".into())), false), (2, Some(Step::Type("日本b".into())), true)]);
    let given_up = said("A type EDITOR [a,KeyA,65] +0\nA compose EDITOR \"n\" commit \"\" +0");
    assert_eq!(
        given_up.iter().map(|entry| (entry.line, entry.step.is_some())).collect::<Vec<_>>(),
        [(1, true), (2, false)]
    );
}

#[test]
fn what_cannot_be_said_is_told() {
    let lines = "A open \"http://a/\" +0\n\
        A click EDITOR 1,1 right +0\n\
        A click EDITOR 1,1 Shift +0\n\
        A down EDITOR [x,KeyX,88] +0\n\
        A click EDITOR 1,1 +0\n\
        A up EDITOR [x,KeyX,88] +0\n\
        A click EDITOR 1,1 x3 +0\n\
        A click /html/body/iframe=>/html/body/p 1,1 +0\n\
        A click //*{role=\"button\" label=\"Send\"} 1,1 +0\n\
        A type EDITOR [MediaPlay,MediaPlay,179] +0\n\
        A compose EDITOR \"n\" commit \"日本\" +0\n\
        A drag EDITOR 1,1 to EDITOR 9,1 via 4,40 8,0 +0\n\
        A scroll /html 0,400 +0\n\
        A secret /html/body/input COLOBUS_SECRET_FIELD +0\n\
        A files /html/body/input \"a.txt\" +0\n\
        A paste EDITOR +0\n\
        A clipboard \"x\" html \"<b>x</b>\" +0\n\
        A paste EDITOR +0\n\
        A dialog confirm accept +0\n\
        A dialog confirm dismiss +0\n\
        A dialog alert accept +0\n\
        A.2 popup \"http://a/\" +0\n\
        A.2 click EDITOR 1,1 +0\n\
        A press EDITOR 1,1 +0\n\
        A drag EDITOR 1,1 to EDITOR -9,1 +0\n\
        A arrive \"http://a/b\" +0\n\
        A back +0\n\
        A close +0";
    let expected = [
        (2, "steps use the left button of the mouse", true),
        (3, "steps hold no key down while they use the mouse", true),
        (5, "steps hold no key down while they use the mouse", true),
        (7, "steps click at most twice in a row", true),
        (8, "steps do not look into frames and shadow roots", true),
        (9, "only the name of its element is known, and steps need its path", true),
        (10, "steps cannot press this key", true),
        (11, "what the input method showed on the way is left out", false),
        (12, "the way of the mouse is left out: steps drag straight on", false),
        (13, "steps scroll to what they need by themselves", false),
        (14, "a secret is not written", true),
        (15, "steps choose no files", true),
        (16, "the recording does not say what was pasted", true),
        (18, "steps paste text without its formatting", false),
        (19, "a search says no to what pages ask, and leaves a page when it wants to", true),
        (23, "steps stay in the first tab", true),
        (24, "steps click and drag, and do nothing by halves", true),
        (25, "the mouse was outside of the element", true),
        (27, "steps stay on their page", true),
        (28, "clients stay during a search", false),
    ];
    assert_eq!(lost(lines), expected);
}

const TWO: &str = "A open \"http://a/\" +0\nB open \"http://a/\" +0\nC open \"http://a/\" +0\n\
    A click EDITOR 1,1 +0\nA type EDITOR [a,KeyA,65] +0\nB click EDITOR 1,1 +0\nA type EDITOR [b,KeyB,66] +0\n\
    A type EDITOR [c,KeyC,67] +0\nB scroll /html 0,1 +0\nB type EDITOR [x,KeyX,88] +0";

#[test]
fn a_session_of_two_is_an_interaction_and_its_order() {
    let told = together(&recording(TWO), "demo").unwrap();
    let names: Vec<&str> = told.actions.iter().map(|action| action.name.as_str()).collect();
    assert_eq!(names, ["A in demo", "B in demo"]);
    let click = Step::Click(inside("#editor", 1, 1));
    assert_eq!(told.actions[0].steps, [click.clone(), Step::Type("a".into()), Step::Type("bc".into())]);
    assert_eq!(told.actions[1].steps, [click, Step::Type("x".into())]);
    assert_eq!(Schedule { events: told.taken }.to_string(), "A1 A2 B1 A3 B2");
    let warnings = [
        "line 9: steps scroll to what they need by themselves: B scroll /html 0,1 +0",
        "C does nothing, and is left out",
    ];
    assert_eq!(told.warnings, warnings);
}

#[test]
fn orders_are_about_several_users_and_all_that_they_did() {
    let one = recording("A open \"http://a/\" +0\nB open \"http://a/\" +0\nB click EDITOR 1,1 +0");
    assert_eq!(together(&one, "demo"), Err(TogetherError::Alone { who: "B".into() }));
    assert_eq!(together(&recording("A open \"http://a/\" +0"), "demo"), Err(TogetherError::Nothing));
    let gap = recording(&format!("{TWO}\nB reload +5"));
    let lines = vec!["line 11: steps stay on their page: B reload +5".to_string()];
    assert_eq!(together(&gap, "demo"), Err(TogetherError::Unsaid { lines }));
}

proptest! {
    /// Whatever users did: steps and losses stand in the order of the lines, none has a word that means something else, and
    /// an order names each step of each user once.
    #[test]
    fn every_recording_has_steps(recording in sample::recording()) {
        let entries = steps(&recording);
        prop_assert!(entries.is_sorted_by_key(|entry| entry.line));
        for entry in &entries {
            prop_assert!(entry.step.is_some() || entry.loss.is_some());
            prop_assert_eq!(recording.lines[entry.line - 1].who.client, entry.client);
            if let Some(Step::Type(text) | Step::Paste(text)) = &entry.step {
                prop_assert!(!text.is_empty() && !text.contains(TOKEN));
            }
        }
        if let Ok(told) = together(&recording, "any") {
            let interaction = colobus_model::Interaction::new(Vec::new(), told.actions);
            prop_assert_eq!(Schedule { events: told.taken }.validate(&interaction), Ok(()));
        }
    }
}
