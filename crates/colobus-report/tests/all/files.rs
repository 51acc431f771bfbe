//! The files of a report: complete, valid, and safe whatever the pages under test contained.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use colobus_model::Report;
use colobus_report::{ReportError, html_page, junit_xml, read_report, write_files};
use serde_json::Value;

use crate::hostile;
use crate::sample::{HOSTILE, hostile_report, quiet_report, report, write_evidence};

/// The data block of a page.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("a data block");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

fn written(report: &Report) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write_evidence(report, folder.path());
    write_files(report, folder.path()).expect("files");
    folder
}

#[test]
fn the_three_files_are_there_and_nothing_else_is_left() {
    let folder = written(&quiet_report());
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["junit.xml", "report.html", "report.json"]);
    assert_eq!(read_report(folder.path()).expect("a report"), quiet_report());
}

#[test]
fn the_json_has_the_promised_keys() {
    let folder = written(&report());
    let text = fs::read_to_string(folder.path().join("report.json")).expect("report.json");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    for key in [
        "/counts/sequences/planned",
        "/counts/source_states",
        "/counts/equivalence_classes",
        "/counts/potential_conflicts",
        "/counts/naive",
        "/counts/interactions/judged",
        "/counts/interactions/not_applicable",
        "/counts/interactions/unknown",
        "/counts/interactions/not_run",
        "/doubts",
        "/counts/findings",
        "/counts/root_causes",
        "/timing/phase1_s",
        "/timing/phase2_s",
        "/timing/interaction_ms_median",
        "/seed",
        "/findings/0/id",
        "/findings/0/searched/interaction/prefix",
        "/findings/0/searched/interaction/concurrent",
        "/findings/0/check",
        "/findings/0/reproduced",
        "/findings/0/attempts",
        "/findings/0/root_cause",
        "/findings/0/trace",
    ] {
        assert!(json.pointer(key).is_some(), "{key} is missing");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = folder.path().join("taken");
    fs::write(&taken, "a file").expect("a file");
    let error = write_files(&quiet_report(), &taken).expect_err("a file is in the way");
    assert!(matches!(&error, ReportError::Write { path, .. } if *path == taken), "{error}");
    let error = read_report(&taken).expect_err("no folder");
    assert!(matches!(error, ReportError::Read { .. }), "{error}");
    fs::write(folder.path().join("report.json"), "{}").expect("a file");
    let error = read_report(folder.path()).expect_err("no report");
    assert!(error.to_string().contains("report.json is not a report: missing field"), "{error}");
}

#[test]
fn the_page_carries_all_evidence_and_equal_pictures_once() {
    let folder = written(&report());
    let page = fs::read_to_string(folder.path().join("report.html")).expect("report.html");
    let data = data_of(&page);
    assert_eq!(data["images"].as_array().map(Vec::len), Some(5));
    let evidence = &data["evidence"];
    assert_eq!(evidence[0]["clients"][0]["screenshot"], evidence[2]["clients"][0]["screenshot"]);
    assert_eq!(evidence[0]["events"][4], serde_json::json!({"word": "~", "kind": "flush"}));
    assert_eq!(evidence[0]["events"][1]["step"], 1);
    // B and C show the same: one comparison tells of both.
    assert_eq!(evidence[1]["comparisons"].as_array().map(Vec::len), Some(1));
    assert_eq!(evidence[1]["comparisons"][0]["others"], serde_json::json!([1, 2]));
    assert!(!evidence[1]["comparisons"][0]["pixels"].as_array().expect("runs").is_empty());
    assert_eq!(evidence[3]["clients"][1]["errors"][0]["known"], false);
    assert_eq!(evidence[3]["clients"][1]["errors"][1]["known"], true);
    let command = data["commands"][0].as_str().expect("a command");
    assert!(command.starts_with("colobus replay ") && command.ends_with("/1"), "{command}");
}

#[test]
fn missing_or_broken_evidence_is_told_on_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = report();
    write_evidence(&report, folder.path());
    fs::remove_dir_all(folder.path().join("1")).expect("removed");
    fs::write(folder.path().join("2/trace.json"), r#"{"version": 99}"#).expect("written");
    fs::write(folder.path().join("3/client-A.png"), "no picture").expect("written");
    fs::remove_file(folder.path().join("4/client-B.png")).expect("removed");
    let evidence = data_of(&html_page(&report, folder.path()).unwrap())["evidence"].clone();
    let problem = |index: usize| evidence[index]["problem"].as_str().unwrap_or_default().to_string();
    assert!(problem(0).starts_with("1/trace.json: No such file"), "{}", problem(0));
    assert!(problem(1).starts_with("2/trace.json: the trace has version 99"), "{}", problem(1));
    assert_eq!(evidence[2]["comparisons"][0]["pixels"], Value::Null);
    assert_eq!(evidence[3]["clients"][1]["screenshot"], Value::Null);
    assert_eq!(evidence[3]["clients"][1]["file"], "4/client-B.png");
}

#[test]
fn the_page_needs_nothing_from_outside() {
    let folder = written(&report());
    let page = fs::read_to_string(folder.path().join("report.html")).expect("report.html");
    let (before, rest) = page.split_once("<script type=\"application/json\"").expect("a data block");
    let (_, after) = rest.split_once("</script>").expect("its end");
    for part in [before, after] {
        let without_namespace = part.replace("http://www.w3.org/2000/svg", "");
        for way in ["http://", "https://", "src=\"", "@import", "url(", "<link", "<iframe", "fetch(", "XMLHttpRequest"]
        {
            assert!(!without_namespace.contains(way), "the page has {way}");
        }
    }
    assert!(before.contains("Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-"));
}

#[test]
fn hostile_data_stays_data_on_the_page() {
    let report = hostile_report();
    let folder = written(&report);
    let page = fs::read_to_string(folder.path().join("report.html")).expect("report.html");
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<img") && !page.contains('\u{2028}'));
    let data = data_of(&page);
    assert_eq!(data["report"]["application"], HOSTILE);
    assert_eq!(data["evidence"][0]["concurrent"][0]["name"], HOSTILE);
}

#[test]
fn hostile_data_stays_data_whatever_is_searched() {
    for report in hostile::of_every_search(HOSTILE) {
        let folder = tempfile::tempdir().expect("a folder");
        write_files(&report, folder.path()).expect("files");
        let page = fs::read_to_string(folder.path().join("report.html")).expect("report.html");
        assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (2, 2));
        assert!(!page.contains("<img") && !page.contains('\u{2028}'));
        assert_eq!(data_of(&page)["report"]["notes"][0], HOSTILE);
        let xml = fs::read_to_string(folder.path().join("junit.xml")).expect("junit.xml");
        let document = roxmltree::Document::parse(&xml).expect("XML");
        assert!(document.descendants().all(|node| !node.has_tag_name("img") && !node.is_comment()), "{xml}");
        assert_eq!(read_report(folder.path()).expect("a report"), report);
    }
}

#[test]
fn junit_has_a_case_for_the_search_one_for_every_root_cause_and_one_for_everything_unknown() {
    let xml = junit_xml(&report(), Path::new("colobus-out/last"));
    let document = roxmltree::Document::parse(&xml).expect("XML");
    let suite = document.root_element().first_element_child().expect("a suite");
    let attributes: BTreeMap<&str, &str> = suite.attributes().map(|a| (a.name(), a.value())).collect();
    assert_eq!(attributes["tests"], "6");
    assert_eq!(attributes["failures"], "3");
    assert_eq!(attributes["errors"], "2");
    assert_eq!(attributes["time"], "343.600");
    let children: Vec<&str> = suite.children().filter(|n| n.is_element()).map(|n| n.tag_name().name()).collect();
    assert_eq!(
        children,
        ["properties", "testcase", "testcase", "testcase", "testcase", "testcase", "testcase", "system-out"]
    );
    let cases: Vec<_> = suite.children().filter(|n| n.has_tag_name("testcase")).collect();
    assert!(!cases[0].has_children());
    assert_eq!(cases[0].attribute("name"), Some("1,103 interactions of 10 actions"));
    assert_eq!(cases[1].attribute("name"), Some("markup of bold line and delete line (markup)"));
    let failure = cases[1].first_element_child().expect("a failure");
    assert_eq!(failure.attribute("type"), Some("markup"));
    assert_eq!(cases[4].attribute("name"), Some("type a, (list || undo)"));
    assert!(cases[4].first_element_child().is_some_and(|child| child.has_tag_name("error")), "unknown is not a pass");
    assert_eq!(failure.text().map(|text| text.matches("colobus replay colobus-out/last/").count()), Some(2));
}

#[test]
fn junit_is_well_formed_whatever_the_pages_contained() {
    let xml = junit_xml(&hostile_report(), Path::new(HOSTILE));
    let document = roxmltree::Document::parse(&xml).expect("XML");
    let suite = document.root_element().first_element_child().expect("a suite");
    assert_eq!(suite.attribute("errors"), Some("2"));
    let name = suite.attribute("name").expect("a name");
    assert!(name.starts_with("</script><!-- ]]> <img src=x onerror=alert(1)> & \" ' [31m"), "{name}");
    assert!(document.descendants().any(|node| node.has_tag_name("error")));
}
