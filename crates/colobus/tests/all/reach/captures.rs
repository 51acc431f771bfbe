//! Lines behind what regular expressions capture in a text that a user types.

use super::{line_of, reach, serve};

const PAGE: &str = "<!doctype html><link rel=icon href='data:,'><label>Code <input id=code></label>
<button id=redeem>Redeem</button><button id=ship>Ship</button><script src=app.js></script>";
const SCRIPT: &str = r"const code = document.getElementById('code');
let kept = '';
document.getElementById('redeem').onclick = () => {
  const found = /^(\d+)-(\w+)$/.exec(code.value.trim());
  if (found === null) {
    document.title = 'no code';
    return;
  }
  const [, percent, name] = found;
  if (Number(percent) > 40 && name === 'vip') {
    document.title = 'a large discount';
  }
  if (percent === '7x') {
    document.title = 'no digits';
  }
  const greedy = code.value.match(/^(?<all>\w*)(?<rest>\d*)/).groups;
  if (greedy.rest === '5') {
    document.title = 'the first group leaves nothing';
  }
};
document.getElementById('ship').onclick = () => {
  const { groups } = code.value.match(/^(?<year>[0-9]{4})\/(?<month>[0-9]{1,2})$/) ?? {};
  if (groups) {
    kept = groups.month;
  }
  if (code.value.split(/[,;]/)[1] === 'express' && kept === '12') {
    document.title = 'express in December';
  }
};
";

#[test]
fn lines_behind_captures_are_reached() {
    let (folder, server) = (tempfile::tempdir().unwrap(), serve(PAGE, SCRIPT));
    let reached = ["no code", "a large discount", "express in December"].map(|text| line_of(SCRIPT, text));
    let never = ["no digits", "the first group leaves nothing"].map(|text| line_of(SCRIPT, text));
    let lines: Vec<&str> = reached[1..].iter().chain(&never).map(String::as_str).collect();
    let more = [&lines[..], &["--line-time", "20s", "--explain"]].concat();
    let (code, said) = reach(&server.url(), &reached[0], &more, folder.path());
    assert_eq!(code, Some(1), "{said}");
    for line in &reached {
        assert!(said.contains(&format!("{line} is reached by")), "{line}: {said}");
    }
    for line in &never {
        assert!(said.contains(&format!("{line} is not reached")), "{line}: {said}");
    }
    assert!(!said.contains("what a regular expression captures"), "{said}");
}
