//! Bug reports are read as they were written, and pictures show what they should.

use colobus_send::{Area, Areas, BugReport, BugReportError, Versions};
use proptest::prelude::*;

fn bug_report(note: &str, picture: Option<Vec<u8>>) -> BugReport {
    let versions = Versions { colobus: "1".to_string(), browser: None, system: "linux".to_string() };
    BugReport {
        note: note.to_string(),
        recording: "colobus-recording 1\nviewport 1x1\n".to_string(),
        picture,
        versions,
    }
}

fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![200; (width * height * 3) as usize]).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Which pixels are not black, as rows of letters.
fn shown(png: &[u8]) -> String {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert!(pixels.chunks(4).all(|pixel| pixel[3] == 255), "nothing is transparent");
    let rows = pixels.chunks(4 * info.width as usize);
    let bug_report = |pixel: &[u8]| if pixel[0] == 0 { '.' } else { 'x' };
    rows.map(|row| row.chunks(4).map(bug_report).collect::<String>()).collect::<Vec<_>>().join(" ")
}

#[test]
fn parts_of_a_picture_are_kept_or_black() {
    let area = |x: f64, y: f64, width: f64, height: f64| Area { x, y, width, height };
    let png = picture(4, 3);
    let all = Areas::default().apply(&png).unwrap();
    assert_eq!(shown(&all), "xxxx xxxx xxxx");
    // Half a pixel of a secret is a secret.
    let hidden = Areas { hide: vec![area(1.5, 0.0, 1.0, 2.0)], ..Areas::default() };
    assert_eq!(shown(&hidden.apply(&png).unwrap()), "x..x x..x xxxx");
    let kept = Areas { keep: vec![area(0.0, 1.0, 2.5, 9.0)], hide: vec![area(0.0, 2.0, 1.0, 1.0)] };
    assert_eq!(shown(&kept.apply(&png).unwrap()), ".... xx.. .x..");
    assert!(Areas::default().apply(b"no picture").is_err());
}

#[test]
fn other_files_and_versions_are_told_apart() {
    assert!(matches!(BugReport::from_json(b"{}"), Err(BugReportError::Malformed(_))));
    let future =
        bug_report("", None).to_json().unwrap().replace("\"colobus_bug_report\": 1", "\"colobus_bug_report\": 2");
    assert!(matches!(BugReport::from_json(future.as_bytes()), Err(BugReportError::Version(2))));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_written_can_be_read(note in ".*", picture in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..50))) {
        let bug_report = bug_report(&note, picture);
        prop_assert_eq!(BugReport::from_json(bug_report.to_json().unwrap().as_bytes()).unwrap(), bug_report);
    }
}
