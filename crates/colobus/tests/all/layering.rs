//! The rooms of the workspace: which crate may use which, and what only one of them may do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Crates that compute and never touch files, sockets or processes.
const PURE: &[&str] = &[
    "colobus-check",
    "colobus-compare",
    "colobus-export",
    "colobus-har",
    "colobus-learn",
    "colobus-markup",
    "colobus-model",
    "colobus-ot",
    "colobus-ot-prove",
    "colobus-pairs",
    "colobus-race",
    "colobus-random",
    "colobus-reach",
    "colobus-record",
    "colobus-schedule",
    "colobus-script",
    "colobus-send",
    "colobus-world",
];

/// Libraries that only these crates may know.
const OWNED: &[(&str, &[&str])] = &[
    ("tokio", &["colobus-browser", "colobus-driver", "colobus-proxy"]),
    ("rustls", &["colobus-browser", "colobus-grid", "colobus-proxy"]),
    ("ureq", &["colobus-grid"]),
    ("anyhow", &["colobus"]),
    ("clap", &["colobus"]),
    ("toml", &["colobus"]),
    ("rquickjs", &["colobus-ot-js"]),
    ("oxc_parser", &["colobus-script"]),
];

struct Package {
    folder: PathBuf,
    /// Names of what it depends on, tests excluded.
    dependencies: BTreeSet<String>,
}

fn workspace() -> BTreeMap<String, Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let package = |package: &Value| Package {
        folder: Path::new(&text(&package["manifest_path"])).parent().unwrap().to_path_buf(),
        dependencies: package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|dependency| dependency["kind"] != "dev")
            .map(|dependency| text(&dependency["name"]))
            .collect(),
    };
    metadata["packages"].as_array().unwrap().iter().map(|found| (text(&found["name"]), package(found))).collect()
}

/// The crates in the order of the table "Crates" of ARCHITECTURE.md. A crate may use those of later rows, and no others.
fn rows_of_architecture() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with("Crates\n")).expect("a section `Crates`");
    let first_cell = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_string());
    section.lines().filter_map(first_cell).collect()
}

#[test]
fn dependencies_point_down() {
    let workspace = workspace();
    let rows = rows_of_architecture();
    let listed: BTreeSet<&String> = rows.iter().collect();
    assert_eq!(listed, workspace.keys().collect(), "ARCHITECTURE.md has a row for every crate of the workspace");
    assert_eq!(listed.len(), rows.len(), "no crate has two rows");
    let row = |name: &String| rows.iter().position(|row| row == name);
    for (name, package) in &workspace {
        for dependency in package.dependencies.iter().filter(|dependency| workspace.contains_key(*dependency)) {
            assert!(
                row(name) < row(dependency),
                "{name} must not use {dependency}, whose row in ARCHITECTURE.md is not below"
            );
        }
    }
}

#[test]
fn some_libraries_belong_to_few_crates() {
    let workspace = workspace();
    for (library, owners) in OWNED {
        let users: Vec<&String> = workspace
            .iter()
            .filter(|(_, package)| package.dependencies.contains(*library))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(users, *owners, "{library}");
    }
}

#[test]
fn pure_crates_do_not_touch_the_world() {
    let workspace = workspace();
    for name in PURE {
        let package = workspace.get(*name).unwrap_or_else(|| panic!("{name} is in the workspace"));
        for (path, text) in sources(&package.folder.join("src")) {
            assert_eq!(forbidden_in(&text), [""; 0], "used by {}", path.display());
        }
    }
}

/// What a pure crate must not use, however it is imported. Texts do not count.
fn forbidden_in(text: &str) -> Vec<&'static str> {
    let code: String = text.lines().flat_map(|line| line.split('"').step_by(2).chain(["\n"])).collect();
    let names = ["fs::", "net::", "process::", "env::", "thread::sleep", "SystemTime", "Instant"];
    let imported = ["std::fs", "std::net", "std::process", "std::env"];
    let is_used = |name: &&str| {
        code.match_indices(*name).any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    names.into_iter().chain(imported).filter(is_used).collect()
}

#[test]
fn what_pure_crates_must_not_use_is_seen_however_it_is_imported() {
    assert_eq!(forbidden_in("use std::{fs, io};\nfs::read(path)"), ["fs::"]);
    assert_eq!(forbidden_in("use std::time::Instant;\n"), ["Instant"]);
    assert_eq!(forbidden_in("use std::net::TcpStream;\n"), ["net::", "std::net"]);
    assert_eq!(forbidden_in("colobus_process::processes(); text.contains(\"net::ERR_\")"), [""; 0]);
}

/// Every domain of the DevTools protocol, whether it is used or not.
const DOMAINS: &[&str] = &[
    "Accessibility",
    "Animation",
    "Audits",
    "Autofill",
    "BackgroundService",
    "BluetoothEmulation",
    "Browser",
    "CSS",
    "CacheStorage",
    "Cast",
    "Console",
    "DOM",
    "DOMDebugger",
    "DOMSnapshot",
    "DOMStorage",
    "Debugger",
    "DeviceAccess",
    "DeviceOrientation",
    "Emulation",
    "EventBreakpoints",
    "Extensions",
    "FedCm",
    "Fetch",
    "FileSystem",
    "HeadlessExperimental",
    "HeapProfiler",
    "IO",
    "IndexedDB",
    "Input",
    "Inspector",
    "LayerTree",
    "Log",
    "Media",
    "Memory",
    "Network",
    "Overlay",
    "PWA",
    "Page",
    "Performance",
    "PerformanceTimeline",
    "Preload",
    "Profiler",
    "Runtime",
    "Schema",
    "Security",
    "ServiceWorker",
    "Storage",
    "SystemInfo",
    "Target",
    "Tethering",
    "Tracing",
    "WebAudio",
    "WebAuthn",
];

/// The protocol's commands and events are texts such as `Page.navigate`: none may stand outside the one module whose types
/// they are. Tests that play the browser's part are inside it. Rust alone is read: scripts of pages have no way to speak it, and scripts
/// of benches drive other tools.
#[test]
fn only_one_room_speaks_the_browsers_protocol() {
    let mut spoken = 0;
    for (name, package) in workspace() {
        let protocol = package.folder.join("src/protocol");
        for (path, text) in sources(&package.folder) {
            let speaks = DOMAINS.iter().any(|domain| {
                text.split(&format!("\"{domain}."))
                    .skip(1)
                    .any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
            });
            let allowed = name == "colobus-browser" && path.starts_with(&protocol);
            assert!(!speaks || allowed, "{} speaks the browser's protocol", path.display());
            spoken += usize::from(speaks);
        }
    }
    assert!(spoken > 10, "the module that speaks it has a file per domain, found: {spoken}");
}

fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("node_modules") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

/// Beginnings of words that the project has given up, each for one word of the field (CONTRIBUTING.md, "Words"). Those with a space
/// are searched as they are.
const GIVEN_UP: &[&str] = &[
    "arrivaloptions",
    "colobus-trace",
    "colobus_trace",
    "dawdle",
    "disguise",
    "disturb",
    "enlist",
    "equip",
    "fate",
    "fn license",
    "fn seal",
    "glimpse",
    "hush",
    "landscape",
    "ledger",
    "most telling",
    "newcomer",
    "parcel",
    "parked",
    "parks",
    "rehears",
    "rewound",
    "same_lane",
    "seats_of",
    "taken_back",
    "telling",
    "theatre",
    "travel",
    "tried::",
    "troubles",
    "typist",
    "undisturbed",
    "verdict is taken back",
    "verdicts taken back",
    "wavering",
    "whereabouts",
    "whoever",
    "witnessed",
];

/// Plain words that no type is called any more: as a name, each of them said too little.
const GIVEN_UP_TYPES: &[&str] = &[
    "alone",
    "arrival",
    "due",
    "fate",
    "guest",
    "known",
    "lanes",
    "leave",
    "letter",
    "performance",
    "ran",
    "seat",
    "sight",
    "ticket",
    "told",
    "trial",
    "tried",
    "trouble",
    "wanted",
    "words",
    "writing",
];

/// Whether a word of the text begins so, in any case. Words end where a letter does not follow.
fn uses(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric()))
}

/// Our own files below these: sources, tests, benches, pages and documentation.
fn written_here(mut folders: Vec<PathBuf>) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    while let Some(path) = folders.pop() {
        if path.ends_with("node_modules") || path.ends_with("layering.rs") {
            continue;
        }
        if path.is_dir() {
            folders.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
    found
}

#[test]
fn names_that_were_given_up_are_gone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let parts = |package: Package| ["src", "tests", "benches", "playwright"].map(|part| package.folder.join(part));
    let mut folders: Vec<PathBuf> = workspace().into_values().flat_map(parts).filter(|part| part.exists()).collect();
    folders.extend(
        ["docs", "page", "viewer", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root.join(name)),
    );
    let mut found = Vec::new();
    for (path, text) in written_here(folders) {
        let text = text.to_lowercase();
        let given_up = GIVEN_UP.iter().filter(|name| uses(&text, name));
        found.extend(given_up.map(|name| format!("{}: {name}", path.display())));
        let names = ["struct ", "enum ", "trait "].into_iter().flat_map(|kind| text.split(kind).skip(1));
        let word = |rest: &str| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_string);
        let types = names.filter_map(word).filter(|name| GIVEN_UP_TYPES.contains(&name.as_str()));
        found.extend(
            types
                .filter(|_| path.extension().is_some_and(|end| end == "rs"))
                .map(|name| format!("{}: {name}", path.display())),
        );
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// What users read says who does what: a client, a user, a page.
#[test]
fn no_message_speaks_of_whoever_or_of_what_something_is_no() {
    let mut found = Vec::new();
    for (path, text) in workspace().into_values().flat_map(|package| sources(&package.folder.join("src"))) {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for message in code.flat_map(|line| line.split('"').skip(1).step_by(2)) {
            let lower = message.to_lowercase();
            let vague = ["whoever", "somebody", "nobody"].iter().any(|word| uses(&lower, word));
            let negated = lower.match_indices(" is no ").any(|(at, negation)| {
                let after = &lower[at + negation.len()..];
                !lower[..at].ends_with("there")
                    && !["longer", "more", "such"].iter().any(|word| after.starts_with(word))
            });
            if vague || negated {
                found.push(format!("{}: {message}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Comments say it of themselves, too: a client, a user, a script does something.
#[test]
fn no_comment_speaks_of_nobody_and_somebody() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let parts = |package: Package| ["src", "page", "playwright"].map(|part| package.folder.join(part));
    let mut folders: Vec<PathBuf> = workspace().into_values().flat_map(parts).filter(|part| part.exists()).collect();
    folders.extend(["page", "viewer"].map(|name| root.join(name)));
    let files = written_here(folders);
    assert!(files.len() > 500, "{} files", files.len());
    let mut found = Vec::new();
    for (path, text) in files {
        for (number, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            if ["whoever", "somebody", "nobody"].iter().any(|word| uses(&lower, word)) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// A page of the documentation begins with what its reader can do afterwards, and says what it does not cover. Figures may follow.
#[test]
fn every_page_says_what_it_is_for_and_where_it_ends() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let (mut pages, mut found) = (0, Vec::new());
    for (path, text) in written_here(vec![docs]) {
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        pages += 1;
        let aim = text.split("\n\n").nth(1).unwrap_or_default();
        if !aim.starts_with("After this page you ") {
            found.push(format!("{} does not begin with `After this page you can …`", path.display()));
        }
        if !text.contains("\n## Limits\n") {
            found.push(format!("{} has no section `Limits`", path.display()));
        }
    }
    assert!(pages > 15, "{pages} pages");
    assert!(found.is_empty(), "{found:#?}");
}
