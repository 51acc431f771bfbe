//! `--model`: transitions that a user takes away and adds.

use std::fs;

use super::{line_of, reach, serve};

const PAGE: &str = "<!doctype html><link rel=icon href='data:,'><button id=menu>Menu</button>
<div id=more hidden><button id=go>Go</button></div><script src=app.js></script>";
const SCRIPT: &str = "let times = 0;
document.getElementById('menu').onclick = () => {
  document.getElementById('more').hidden = false;
};
document.getElementById('go').onclick = () => {
  times = times + 1;
  if (times === 2) {
    document.title = 'twice';
  }
};
";

#[test]
fn transitions_are_taken_away_and_added_by_hand() {
    let (folder, server) = (tempfile::tempdir().unwrap(), serve(PAGE, SCRIPT));
    let target = line_of(SCRIPT, "'twice'");
    let (code, said) = reach(&server.url(), &target, &[], folder.path());
    assert_eq!(code, Some(0), "{said}");
    let written = fs::read_to_string(folder.path().join("colobus-out/last/ui-model.txt")).unwrap();
    let edited = |text: &str| {
        fs::write(folder.path().join("edited.txt"), text).unwrap();
        reach(&server.url(), &target, &["--model", "edited.txt"], folder.path())
    };
    let (menu, rest): (Vec<&str>, Vec<&str>) = written.lines().partition(|line| line.contains(": click Menu"));
    assert!(menu.iter().any(|line| line.ends_with("-> s2")), "{written}");
    let without = rest.join("\n");
    let (code, said) = edited(&without);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("is not reached"), "{said}");
    let (code, said) = edited(&format!("{without}\ns1: click Menu -> s2"));
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("is reached by 3 events"), "{said}");
    let (code, said) = edited(&format!("start -> s1\ns1: click Nothing -> s2\n{without}"));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("line 2 of the UI model: crawling found no event `click Nothing`"), "{said}");
}
