//! `colobus send` and `colobus open`: what a user sends is what developers get, and nothing that was hidden.

#[path = "stumble/shop.rs"]
mod shop;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use shop::Shop;

const RECORDING: &str = include_str!("stumble/order.rec");

fn colobus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The share of black pixels.
fn blackness(file: &Path) -> f64 {
    let mut reader = png::Decoder::new(std::io::BufReader::new(fs::File::open(file).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let black = pixels.chunks(4).filter(|pixel| pixel[..3] == [0, 0, 0]).count();
    black as f64 / (pixels.len() / 4) as f64
}

#[test]
fn a_bug_report_arrives_without_what_was_hidden() {
    let shop = Shop::open();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let recording = RECORDING.replace("ORIGIN", &shop.url("sound"));
    fs::write(folder.join("order.rec"), &recording).unwrap();
    let sent = colobus(folder, &["send", "order.rec", "--note", "it vanished", "--keep", "h1", "--at", &shop.url("")]);
    assert!(sent.status.success(), "{}", text(&sent));
    let opened = colobus(folder, &["open", "order.bugreport"]);
    assert!(opened.status.success() && text(&opened).starts_with("it vanished\n"), "{}", text(&opened));
    assert_eq!(fs::read_to_string(folder.join("order/session.rec")).unwrap(), recording);
    let black = blackness(&folder.join("order/page.png"));
    assert!((0.5..1.0).contains(&black), "all but the heading is black: {black}");

    let missing = colobus(folder, &["send", "order.rec", "--hide", "#nowhere", "--at", &shop.url("")]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing).contains("nothing on the last page matches `#nowhere`"), "{}", text(&missing));
}
