//! `--uncovered`: a branch that can be reached, one that cannot, one on the line of its condition, and one of a library.

use super::{line_of, reach};
use crate::race::server::Site;

const UNCOVERED_PAGE: &str = "<!doctype html><link rel=icon href='data:,'><label>Amount <input id=amount></label>
<button id=check>Check</button><script src=vendor/library.js></script><script src=app.js></script>";
const LIBRARY: &str = "function ofLibrary(value) {
  if (value === 'never') {
    document.title = 'a branch of a library';
  }
}
";
const UNCOVERED: &str = "const amount = document.getElementById('amount');
document.getElementById('check').onclick = () => {
  const wanted = amount.value;
  ofLibrary(wanted);
  if (wanted + '!' === 'open!') {
    document.title = 'one value leads here';
  }
  if (wanted === 'left' && wanted === 'right') {
    document.title = 'no value leads here';
  }
  if (wanted + '?' === 'shut?') document.title = 'on the line of its condition';
};
";

/// Neither exploring nor a monkey finds the value; the branch on the line of its condition cannot be told from it.
#[test]
fn what_exploring_and_a_monkey_leave_is_searched_for() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        Site::page(UNCOVERED_PAGE).script("/app.js", UNCOVERED, 0).script("/vendor/library.js", LIBRARY, 0).serve();
    let (code, said) = reach(&server.url(), "--uncovered", &["--budget", "2", "--line-time", "20s"], folder.path());
    assert_eq!(code, Some(1), "{said}");
    let [reached, never] = ["one value leads", "no value leads"].map(|text| line_of(UNCOVERED, text));
    for part in [
        "exploring and a monkey, 2 sequences each, left 2 of 4 branches",
        "1 branch that did not run cannot be searched for: other code of the same line ran",
        &format!("{reached} is reached by 2 events"),
        &format!("{never} is not reached"),
        "1 of 2 lines reached",
        "libraries are left out: vendor/library.js",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("library.js:"), "{said}");
    for kept in ["explore", "monkey"] {
        assert!(folder.path().join("colobus-out/last/explored").join(kept).is_dir(), "{kept}");
    }
}
