//! What README and docs point at is there: pages and their sections, targets of make, benches.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// Every page with its text, without blocks of code.
fn pages() -> BTreeMap<PathBuf, String> {
    let root = root();
    let mut paths: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name)).into();
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    paths.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    let prose = |text: String| text.split("```").step_by(2).collect::<String>();
    paths.into_iter().map(|path| (path.clone(), prose(fs::read_to_string(path).unwrap()))).collect()
}

/// What a heading is called in an address, as GitHub does it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    text.lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_start_matches('#'))).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let mut followed = 0;
    for (page, text) in &pages {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.starts_with("http") {
                continue;
            }
            let (path, section) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            let target =
                fs::canonicalize(&target).unwrap_or_else(|_| panic!("{}: {link} is not there", page.display()));
            let sections = pages.get(&target).map(|text| anchors(text));
            let known = section.is_empty() || sections.is_some_and(|sections| sections.contains(section));
            assert!(known, "{}: {link} names a section that is not there", page.display());
            followed += 1;
        }
    }
    assert!(followed > 50, "{followed}");
}

/// The words that follow this one in backticks and blocks: `make NAME`.
fn named<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let after = text.match_indices(before).map(|(at, _)| &text[at + before.len()..]);
    after
        .map(|rest| &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())])
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn every_target_and_bench_that_is_named_exists() {
    let root = root();
    let makefile = fs::read_to_string(root.join("Makefile")).unwrap();
    let targets: BTreeSet<&str> = makefile
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|line| Some(line.split_once(':')?.0))
        .collect();
    let manifests = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("Cargo.toml"));
    let manifests: String = manifests.filter_map(|path| fs::read_to_string(path).ok()).collect();
    let benches = manifests.split("[[bench]]").skip(1).filter_map(|rest| rest.split('"').nth(1));
    let benches: BTreeSet<&str> = benches.collect();
    for page in pages().into_keys() {
        let text = fs::read_to_string(&page).unwrap();
        for target in named(&text, "`make ").into_iter().chain(named(&text, "\nmake ")) {
            assert!(targets.contains(target), "{}: make {target}", page.display());
        }
        for bench in named(&text, "--bench ") {
            assert!(benches.contains(bench), "{}: --bench {bench}", page.display());
        }
    }
}
