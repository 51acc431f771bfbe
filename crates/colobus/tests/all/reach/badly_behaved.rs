//! Handlers that hang, throw, recurse, and use what is hard to follow: what is answered of their lines is true, and the run ends.

use super::{line_of, reach, serve};

/// Each has a button of its name, and a line that nothing reaches.
const HANDLERS: &[(&str, &str)] = &[
    ("hang", "while (n >= 0) {\nif (n > 5 && n < 3) {\nNEVER\n}\n}"),
    ("silent hang", "n = 1;\nfor (;;);\nNEVER"),
    ("throw", "if (n === n) throw new Error('no');\nNEVER"),
    ("recurse", "const deep = (k) => deep(k + 1) + 1;\nif (deep(n) > 3) {\nNEVER\n}"),
    ("getter", "const o = { get x() { return n + 1; } };\nif (o.x > 5 && o.x < 3) {\nNEVER\n}"),
    ("proxy", "const p = new Proxy({}, { get: () => n });\nif (p.any > 5 && p.any < 3) {\nNEVER\n}"),
    ("generator", "function* g() { yield n; }\nfor (const x of g()) {\nif (x > 5 && x < 3) {\nNEVER\n}\n}"),
    ("async", "await null;\nif (n > 5 && n < 3) {\nNEVER\n}"),
    ("eval", "if (eval('n > 5 && n < 3')) {\nNEVER\n}"),
    // The page hangs before the browser can say that this line ran: it must not be called impossible.
    ("spin", "for (;;) {\nn = n + 1;\nif (n === 3) {\ndocument.title = 'while it spins';\n}\n}\nNEVER"),
];

fn page_and_script() -> (String, String) {
    let (mut page, mut script) =
        ("<!doctype html><link rel=icon href='data:,'>".to_string(), "let n = 0;\n".to_string());
    for (number, (name, body)) in HANDLERS.iter().enumerate() {
        page.push_str(&format!("<button id=b{number}>{name}</button>"));
        let body = body.replace("NEVER", &format!("document.title = 'never: {name}';"));
        script.push_str(&format!("document.getElementById('b{number}').onclick = async () => {{\n{body}\n}};\n"));
    }
    page.push_str("<script src=app.js></script>");
    (page, script)
}

#[test]
fn handlers_that_behave_badly_get_true_answers() {
    let (page, script) = page_and_script();
    let (folder, server) = (tempfile::tempdir().unwrap(), serve(&page, &script));
    let never: Vec<String> = HANDLERS.iter().map(|(name, _)| line_of(&script, &format!("'never: {name}'"))).collect();
    let spinning = line_of(&script, "'while it spins'");
    let lines: Vec<&str> = never[1..].iter().chain([&spinning]).map(String::as_str).collect();
    let limits = ["--crawl-runs", "60", "--iterations", "20", "--line-time", "5s", "--timeout", "4m"];
    let (code, said) = reach(&server.url(), &never[0], &[&lines[..], &limits].concat(), folder.path());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("0 of 11 lines reached"), "{said}");
    for line in &never {
        assert!(said.contains(&format!("{line} is not reached")), "{line}: {said}");
    }
    // Some user reaches it, and no browser can tell.
    let answer = said.lines().find(|line| line.starts_with(&format!("{spinning} is not reached"))).unwrap_or_default();
    assert!(!answer.is_empty() && !answer.contains("no sequence"), "{said}");
}
