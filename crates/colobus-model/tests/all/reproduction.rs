//! A finding as one line: what is written is read back, and what is wrong is said.

use colobus_model::{Action, ClientId, Direction, Event, Reproduction, ReproductionError, Schedule, Step};
use proptest::prelude::*;

fn event() -> impl Strategy<Value = Event> {
    let client = (0usize..26).prop_map(ClientId);
    prop_oneof![
        (client.clone(), 0usize..12).prop_map(|(client, step)| Event::Step { client, step }),
        (client.clone(), any::<bool>(), 0usize..4).prop_map(|(client, up, connection)| {
            let direction = if up { Direction::ToServer } else { Direction::ToClient };
            Event::Deliver { client, direction, connection }
        }),
        client.clone().prop_map(|client| Event::Cut { client }),
        client.clone().prop_map(|client| Event::Restore { client }),
        client.clone().prop_map(|client| Event::Reload { client }),
        client.clone().prop_map(|client| Event::Wait { client }),
        client.clone().prop_map(|client| Event::Poll { client }),
        client.clone().prop_map(|client| Event::PollAnswer { client }),
        client.clone().prop_map(|client| Event::Tab { client }),
        client.prop_map(|client| Event::Join { client }),
        Just(Event::Flush),
    ]
}

/// Names that people write, and names that are made to be misread.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), r#"[a-z ,()|:"'\\\[\]0-9]{0,12}"#]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        prefix in prop::collection::vec(name(), 0..4),
        concurrent in prop::collection::vec(name(), 1..4),
        events in prop::collection::vec(event(), 0..12),
    ) {
        let written = Reproduction { prefix, concurrent, schedule: Schedule { events } };
        let line = written.to_string();
        prop_assert!(!line.contains(['\n', '\r']), "{line:?}");
        prop_assert_eq!(line.parse::<Reproduction>(), Ok(written));
    }

    #[test]
    fn events_are_serialised_as_their_words(event in event()) {
        let json = serde_json::to_string(&event).unwrap();
        prop_assert_eq!(serde_json::from_str::<Event>(&json).unwrap(), event);
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = text.parse::<Reproduction>();
    }
}

#[test]
fn a_line_reads_like_a_sentence() {
    let line = r#"type a, "x, y", (bold || type b) : A1 ~ B1 ~"#;
    let read: Reproduction = line.parse().unwrap();
    assert_eq!(read.prefix, ["type a", "x, y"]);
    assert_eq!(read.concurrent, ["bold", "type b"]);
    assert_eq!(read.schedule.to_string(), "A1 ~ B1 ~");
    assert_eq!(read.to_string(), line);
}

#[test]
fn an_event_is_one_word() {
    assert_eq!("A1".parse(), Ok(Event::Step { client: ClientId(0), step: 0 }));
    assert!("A1 B1".parse::<Event>().is_err());
    let wrong = "A1 A<picture:x.png".parse::<Schedule>().unwrap_err();
    assert!(wrong.to_string().starts_with("`A<picture:x.png` (event 2 of the schedule) is not an event"), "{wrong}");
}

#[test]
fn what_is_wrong_is_said() {
    let error = |line: &str| line.parse::<Reproduction>().unwrap_err();
    assert_eq!(error("type a"), ReproductionError::Ends("a comma behind an action of the prefix"));
    assert_eq!(error("(a || b"), ReproductionError::Ends("|| or a bracket"));
    assert_eq!(error("(a | b) : A1"), ReproductionError::Unexpected { found: 'b', wanted: "||" });
    assert!(matches!(error(r#"("a) : A1"#), ReproductionError::BadQuotes(_)));
    assert!(matches!(error("(a || b) : A1 what"), ReproductionError::Schedule(_)));
}

#[test]
fn names_are_looked_up_and_may_ask_for_some_steps_only() {
    let press = |key: &str| Step::Press(key.parse().unwrap());
    let action = |name: &str, keys: &[&str]| Action::new(name, keys.iter().map(|k| press(k)).collect());
    let actions = [action("bold", &["Home", "b", "End"]), action("odd[1]", &["x", "y"])];
    let read: Reproduction = "(bold[1+3] || odd[1]) : A1 A2 B1 B2 ~".parse().unwrap();
    let interaction = read.interaction(&actions).unwrap();
    assert_eq!(interaction.concurrent[0].steps, [press("Home"), press("End")]);
    assert_eq!(interaction.concurrent[1], actions[1], "a whole name comes first");
    for (line, problem) in [
        ("(bald || bold) : A1 ~", "no action `bald`"),
        ("(bold[4] || bold) : A1 ~", "no action `bold[4]`"),
        ("(bold || bold[1]) : A1 A2 ~ B1", "leaves out step 3"),
    ] {
        let error = line.parse::<Reproduction>().unwrap().interaction(&actions).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
    }
}
