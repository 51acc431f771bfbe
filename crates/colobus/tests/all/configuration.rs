//! What users are told about their `colobus.toml`. Each file in `configuration/refused` has its message, with line and
//! column, beside it as `.txt`; those in `configuration/accepted` have none. `COLOBUS_BLESS=1` writes the messages anew:
//! read the difference before you commit it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/configuration").join(name)
}

fn files(folder: &Path, extension: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn list(folder: &Path, name: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    command.args(["list", "--json", "--config", &format!("{name}.toml")]).current_dir(folder).output().unwrap()
}

#[test]
fn refused_files_say_what_is_wrong_and_where() {
    let folder = folder("refused");
    let names = files(&folder, "toml");
    assert_eq!(names.len(), 145, "a lost case would go unnoticed");
    let bless = std::env::var_os("COLOBUS_BLESS").is_some();
    let mut wrong = Vec::new();
    for name in &names {
        let output = list(&folder, name);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(output.stdout.is_empty(), "{name}");
        assert!(message.contains(&format!("--> {name}.toml:")), "{name} has no place: {message}");
        let expected = folder.join(format!("{name}.txt"));
        if bless {
            fs::write(&expected, &message).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != message {
            wrong.push(format!("== {name}\n{message}"));
        }
    }
    assert!(wrong.is_empty(), "other messages than expected:\n{}", wrong.join("\n"));
    assert_eq!(files(&folder, "txt"), names, "messages without files");
}

#[test]
fn accepted_files_are_listed() {
    let folder = folder("accepted");
    let names = files(&folder, "toml");
    assert_eq!(names.len(), 13, "a lost case would go unnoticed");
    for name in names {
        let output = list(&folder, &name);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*message), (Some(0), ""), "{name}");
        let listing: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(listing["sequences"].as_u64() > Some(0), "{name}: {listing}");
    }
}
