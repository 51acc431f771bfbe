//! Sessions: a script of user actions is itself a recording, performed with trusted input while the recorder listens. What it
//! records is written, read again, and performed in another browser on another copy of the application; both ends are
//! compared.

use std::path::PathBuf;
use std::time::Duration;

use colobus_driver::{BrowserSource, Pace, PlayOptions, Played, Player, Recorder, WindowOptions, Windows};
use colobus_record::{Reach, Recording};
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(5);
const SECRETS: [(&str, &str); 2] = [("COLOBUS_SECRET_PASSWORD", "hunterzwei"), ("COLOBUS_SECRET_HIDDEN", "geheim")];

/// How a session went: what became of each line, and what every tab holds in the end.
pub struct Session {
    pub played: Vec<Played>,
    pub recording: Recording,
    /// For each tab what `model` says, and the canonical DOM.
    pub ends: Vec<(Value, String)>,
}

/// Performs a script; `model` is JavaScript for what the application has in mind.
pub fn perform(script: &Recording, model: &str) -> Session {
    session(script, model, Role::Record)
}

/// Performs what was recorded, in a browser of its own, at another address. `strict` forbids to look for elements.
pub fn replay(recording: &Recording, origins: (&str, &str), model: &str, strict: bool) -> Session {
    let text = recording.to_string();
    let recording = Recording::parse(&text.replace(origins.0, origins.1)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(recording.to_string().replace(origins.1, origins.0), text);
    session(&recording, model, Role::Replay { strict })
}

enum Role {
    Record,
    Replay { strict: bool },
}

fn session(recording: &Recording, model: &str, role: Role) -> Session {
    let windows = Windows::open(WindowOptions {
        browser: BrowserSource::default(),
        headed: false,
        clients: recording.clients(),
        viewport: Some(recording.viewport),
        redact: vec!["[data-name=hidden]".to_string()],
        record: matches!(role, Role::Record),
        play: true,
        traffic: None,
        explore: None,
    })
    .unwrap();
    let recorder = Recorder::start(&windows);
    let options = PlayOptions {
        pace: Pace::Fast,
        strict: matches!(role, Role::Replay { strict: true }),
        patience: PATIENCE,
        secrets: SECRETS.map(|(name, value)| (name.to_string(), value.to_string())).to_vec(),
        files: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
        reach: Reach::Anywhere,
    };
    let mut player = Player::new(&windows, recording, options);
    let played = (0..recording.lines.len()).map(|index| player.play(index).unwrap()).collect();
    assert!(windows.settle(PATIENCE), "everything comes to rest");
    let heard = recorder.recording(&windows, recording.viewport).unwrap();
    let models = windows.evaluate_all(model).unwrap().into_iter().map(|(_, model)| model);
    let doms = windows.contents().unwrap().into_iter().map(|(_, dom)| dom);
    Session { played, recording: heard, ends: models.zip(doms).collect() }
}

impl Session {
    /// The lines of what was performed that were not possible, and why.
    pub fn impossible(&self, performed: &Recording) -> Vec<String> {
        self.odd(performed, |played| matches!(played, Played::Impossible(_)))
    }

    /// The same, with those that were performed after a search for their element.
    pub fn relaxed(&self, performed: &Recording) -> Vec<String> {
        self.odd(performed, |played| *played != Played::Done)
    }

    fn odd(&self, performed: &Recording, is_odd: impl Fn(&Played) -> bool) -> Vec<String> {
        let lines = performed.lines.iter().zip(&self.played);
        lines.filter(|(_, played)| is_odd(played)).map(|(line, played)| format!("{line}: {played:?}")).collect()
    }
}

/// Reads a script for the application at this address.
pub fn script(text: &str, origin: &str) -> Recording {
    Recording::parse(&text.replace("ORIGIN", origin)).unwrap_or_else(|error| panic!("{error}"))
}

/// What [`widgets`] leaves in the page: every event that its listeners saw, and the state of every field.
pub const OUTCOME: &str = "globalThis.outcome?.()";

/// A session in a page with every widget that there is.
pub fn widgets(origin: &str) -> Recording {
    let mut text = include_str!("pages/widgets.rec").to_string();
    text = text.replace("TYPE-PASSWORD\n", &typed('A', "//input[@data-name=\"password\"]", "hunterzwei"));
    text = text.replace("TYPE-HIDDEN\n", &typed('A', "//x-closed~>/input[@data-name=\"hidden\"]", "geheim"));
    script(&text, origin)
}

/// Types a text letter by letter.
pub fn typed(who: char, on: &str, text: &str) -> String {
    let key = |letter: char| match letter {
        ' ' => "\" \",Space,32".to_string(),
        _ => {
            let upper = letter.to_ascii_uppercase();
            format!("{letter},Key{upper},{}", u32::from(upper))
        }
    };
    text.chars().map(|letter| format!("{who} type {on} [{}] +1\n", key(letter))).collect()
}
