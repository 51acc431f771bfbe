//! A recording in the formats of other tools, run by those tools. `make test` installs them.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::shop::Shop;
use crate::strangers::site::Site;

const RECORDING: &str = include_str!("shop/order.rec");
const RUN: &str = include_str!("exchanged/run.mjs");
const CONFIGURATION: &str = "export default { use: { launchOptions: { executablePath: process.env.CHROMIUM } } };\n";

/// A folder with the recording, in which the other tools can be imported.
fn folder(shop: &Shop) -> TempDir {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/node_modules");
    assert!(packages.join("@puppeteer/replay").exists(), "the tools are not installed: run `make test`");
    let folder = TempDir::new().unwrap();
    symlink(packages, folder.path().join("node_modules")).unwrap();
    fs::write(folder.path().join("playwright.config.mjs"), CONFIGURATION).unwrap();
    fs::write(folder.path().join("run.mjs"), RUN).unwrap();
    fs::write(folder.path().join("order.rec"), RECORDING.replace("ORIGIN", &shop.url("sound"))).unwrap();
    folder
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn colobus(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_colobus")).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    text(&output)
}

fn browser() -> PathBuf {
    let names = ["chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome"];
    let path = env::var_os("PATH").unwrap();
    let candidates = names.iter().flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)));
    candidates.into_iter().find(|candidate| candidate.is_file()).expect("a Chromium is on PATH")
}

fn node(folder: &Path, arguments: &[&str]) {
    let output = Command::new("node")
        .args(arguments)
        .current_dir(folder)
        .env("CHROMIUM", browser())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", text(&output));
}

#[test]
fn each_tool_places_the_order() {
    let shop = Shop::open();
    let folder = folder(&shop);
    let folder = folder.path();

    colobus(folder, &["export", "order.rec", "--to=recorder", "-o", "order.json"]);
    node(folder, &["run.mjs", "order.json"]);
    assert_eq!(shop.placed(), 1, "Chrome's Recorder");

    colobus(folder, &["export", "order.rec", "--to=playwright", "-o", "order.spec.mjs", "--at", &shop.url("")]);
    assert_eq!(shop.placed(), 3, "it is performed twice to see what pages show at the end");
    let test = fs::read_to_string(folder.join("order.spec.mjs")).unwrap();
    assert!(test.contains("getByRole(\"textbox\", { name: \"Name\", exact: true }).fill(\"ab\");"), "{test}");
    assert!(test.contains(".toContainText("), "{test}");
    node(folder, &["node_modules/@playwright/test/cli.js", "test", "--reporter=line"]);
    assert_eq!(shop.placed(), 4, "Playwright");

    colobus(folder, &["import", "order.json", "-o", "again.rec"]);
    colobus(folder, &["replay", "again.rec", "--at", &shop.url("")]);
    assert_eq!(shop.placed(), 5, "what Chrome's Recorder says is a recording again");

    let said = colobus(folder, &["export", "order.rec", "--to=side", "-o", "order.side"]);
    assert!(said.contains("warning: line 7: Selenium IDE cannot say this"), "{said}");
    colobus(folder, &["import", "order.side", "-o", "again.rec"]);
    colobus(folder, &["replay", "again.rec", "--at", &shop.url("")]);
    assert_eq!(shop.placed(), 6, "and what Selenium IDE says");
}

#[test]
fn a_choice_in_a_list_is_imported_and_made() {
    const PAGE: &str = "<!doctype html><select id=colour onchange=\"fetch('/told?' + this.value)\">\
        <option>red<option>blue</select><textarea id=note onchange=\"fetch('/told?' + this.value)\"></textarea>";
    let site = Site::open(&[("/", PAGE)], "");
    let folder = TempDir::new().unwrap();
    let change = |selector: &str, value: &str| {
        format!(r#"{{ "type": "change", "selectors": [["{selector}"]], "value": "{value}" }}"#)
    };
    let steps = format!(
        r#"{{ "title": "t", "steps": [{{ "type": "navigate", "url": "{}/" }}, {}, {}] }}"#,
        site.origin(),
        change("#colour", "blue"),
        change("#note", "well")
    );
    fs::write(folder.path().join("chosen.json"), steps).unwrap();
    colobus(folder.path(), &["import", "chosen.json", "-o", "chosen.rec"]);
    colobus(folder.path(), &["replay", "chosen.rec", "--at", &site.origin()]);
    let told: Vec<String> = site.asked().into_iter().filter(|path| path.starts_with("/told")).collect();
    assert_eq!(told, ["/told?blue", "/told?well"]);
}
