//! `colobus check --server`: clients that meet at a learned server.

use std::fs;

use colobus_model::Report;

use super::site::{Site, Twin};
use super::{colobus, text};

/// A list that everybody reads and adds to. The site itself has no such path.
const DESCRIPTION: &str = "URL http://h
GET api/notes() : @notes.json
! 200 \"application/json\" @notes.json
GET api/notes/note:*() : @note.json
! 200 \"application/json\" @note.json
! echo note \"/id\"
POST api/notes() : @note.json
! 201 \"application/json\" @note.json
! body \"application/json\" *
";
const NOTE: &str = r#"{"type": "object", "required": ["id", "text"], "properties": {"id": {"type": "integer", "minimum": 1},
  "text": {"type": "string", "examples": ["bread", "tea"]}}}"#;
const NOTES: &str = r#"{"type": "array", "minItems": 1, "items": {"$ref": "note.json"}}"#;

#[test]
fn clients_meet_at_a_learned_server() {
    let (site, folder) = (Site::start(Twin::Bug), tempfile::tempdir().unwrap());
    let configuration = format!(
        "[app]\nurl = \"{}/notes.html?doc={{doc}}\"\n[judge]\neffect = \"dom\"\n\
         [[action]]\nname = \"milk\"\nsteps = [{{ click = \"#milk\" }}]\n\
         [[action]]\nname = \"eggs\"\nsteps = [{{ click = \"#eggs\" }}]\n",
        site.url
    );
    let files =
        [("api.ail", DESCRIPTION), ("note.json", NOTE), ("notes.json", NOTES), ("colobus.toml", &configuration)];
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let output = colobus(&["check", "--server", "api.ail", "-k", "1", "--workers", "1"], folder.path());
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let report = fs::read_to_string(folder.path().join("colobus-out/last/report.json")).unwrap();
    let report: Report = serde_json::from_str(&report).unwrap();
    assert!(report.counts.interactions.judged > 0 && report.findings.is_empty(), "{told}");
    // The same page without the stand-in: its notes are not there.
    let alone = colobus(&["check", "-k", "1", "--workers", "1", "--max-findings", "1"], folder.path());
    assert_ne!(alone.status.code(), Some(0), "{}", text(&alone.stdout));
}
