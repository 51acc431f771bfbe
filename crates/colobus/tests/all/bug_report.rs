//! `colobus send` and `colobus open`: what a user sends is what developers get, and nothing that was hidden.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::shop::Shop;

const RECORDING: &str = include_str!("shop/order.rec");

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

/// A folder with the secret key of a developer, and the public one. `make setup` installs age.
fn key(folder: &Path, name: &str) -> String {
    let made = Command::new("age-keygen").args(["-o", name]).current_dir(folder).output();
    let made = text(&made.expect("age is installed: run `make setup`"));
    made.split_whitespace().find(|word| word.starts_with("age1")).expect(&made).to_string()
}

#[test]
fn an_encrypted_bug_report_is_for_one_reader() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (mine, _) = (key(folder, "mine.txt"), key(folder, "other.txt"));
    fs::write(folder.join("order.rec"), RECORDING.replace("ORIGIN", "http://127.0.0.1:9")).unwrap();
    let send =
        |key: &str| colobus(folder, &["send", "order.rec", "--no-picture", "--note", "it vanished", "--to", key]);
    let sent = send(&mine);
    assert!(sent.status.success(), "{}", text(&sent));
    let encrypted = fs::read(folder.join("order.bugreport")).unwrap();
    assert!(!encrypted.windows(8).any(|part| part == b"vanished"));

    let open = |arguments: &[&str]| {
        let output = colobus(folder, &[&["open", "order.bugreport"], arguments].concat());
        (output.status.code(), text(&output))
    };
    let (code, said) = open(&["--key", "mine.txt"]);
    assert!(code == Some(0) && said.starts_with("it vanished\n"), "{said}");
    for (arguments, why) in [
        (&[][..], "name the file with your secret key, --key FILE"),
        (&["--key", "other.txt"], "no key in other.txt opens it"),
        (&["--key", "order.rec"], "no key in order.rec opens it"),
    ] {
        let (code, said) = open(arguments);
        assert!(code == Some(2) && said.contains(why), "{arguments:?}: {said}");
    }
    for wrong in ["age1nonsense", "AGE-SECRET-KEY-1", "--output=elsewhere"] {
        let refused = send(wrong);
        assert_eq!(refused.status.code(), Some(2), "{wrong}: {}", text(&refused));
    }
}

#[test]
fn without_age_it_says_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("order.rec"), RECORDING.replace("ORIGIN", "http://127.0.0.1:9")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["send", "order.rec", "--no-picture", "--to", "age1abc"])
        .current_dir(folder.path())
        .env("PATH", "/nonexistent")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("the program `age` is not on the PATH"), "{}", text(&output));
}
