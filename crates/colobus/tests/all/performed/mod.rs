//! A script, performed in real windows while the recorder listens.

use std::path::PathBuf;
use std::time::Duration;

use colobus_driver::{BrowserSource, Pace, PlayOptions, Played, Player, Recorder, WindowOptions, Windows};
use colobus_record::{Reach, Recording};

const PATIENCE: Duration = Duration::from_secs(20);

/// What the recorder has heard in the end.
pub fn record(script: &Recording, headed: bool) -> Recording {
    let windows = Windows::open(WindowOptions {
        browser: BrowserSource::default(),
        headed,
        clients: script.clients(),
        viewport: Some(script.viewport),
        redact: Vec::new(),
        record: true,
        play: true,
        traffic: None,
        explore: None,
    })
    .unwrap();
    let recorder = Recorder::start(&windows);
    let options = PlayOptions {
        pace: Pace::Fast,
        strict: false,
        patience: PATIENCE,
        secrets: Vec::new(),
        files: PathBuf::new(),
        reach: Reach::Anywhere,
    };
    let mut player = Player::new(&windows, script, options);
    for index in 0..script.lines.len() {
        let played = player.play(index).unwrap();
        assert!(!matches!(played, Played::Impossible(_)), "{}: {played:?}", script.lines[index]);
    }
    recorder.recording(&windows, script.viewport).unwrap()
}
