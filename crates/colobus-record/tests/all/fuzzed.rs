//! Recordings, and sessions of other tools, mutated: each is read or refused, and what was read can be written.

use colobus_record::Recording;
use colobus_record::exchange::{Format, export, import};
use colobus_record::steps::steps;

#[test]
fn recordings() {
    let sample = include_bytes!("../sample.rec");
    assert!(Recording::parse(&String::from_utf8_lossy(sample)).is_ok(), "the sample is a recording");
    colobus_mutate::each(&[sample], |input| {
        if let Ok(recording) = Recording::parse(&String::from_utf8_lossy(input)) {
            let again = Recording::parse(&recording.to_string());
            assert_eq!(again.ok().as_ref(), Some(&recording));
            let _ = steps(&recording);
        }
    });
}

#[test]
fn sessions_of_other_tools() {
    let sample = Recording::parse(include_str!("../sample.rec")).unwrap();
    let recorder = export(&sample, Format::Recorder, "a session").text;
    let side = export(&sample, Format::Side, "a session").text;
    assert!(import(&recorder).is_ok() && import(&side).is_ok(), "the samples can be read");
    colobus_mutate::each(&[recorder.as_bytes(), side.as_bytes()], |input| {
        let _ = import(&String::from_utf8_lossy(input));
    });
}
