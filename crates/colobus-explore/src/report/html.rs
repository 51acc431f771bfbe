//! Coverage as one page: every script with what ran, and which sequence ran it first.

use std::collections::BTreeMap;
use std::fmt::Write;

use colobus_markup::{escaped, push_escaped};
use colobus_world::Script;

use crate::coverage::lines;
use crate::{Intervals, Knowledge};

const STYLE: &str = "body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#1a1a1a;background:#fff}\
table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left}td.n{text-align:right}\
pre{font:12px/1.5 ui-monospace,monospace;counter-reset:none;border:1px solid #ddd;overflow:auto;padding:.5rem}\
i{font-style:normal;color:#888;user-select:none;display:inline-block;width:3.5rem;text-align:right;margin-right:1rem}\
.r{background:#e2f4e4}.m{background:#fbe3e1}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}pre{border-color:#444}.r{background:#173b20}.m{background:#4a1f1c}}";

/// The whole page.
pub fn html(knowledge: &Knowledge, files: &BTreeMap<String, Vec<Script>>) -> String {
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Coverage</title><style>{STYLE}</style>\n"
    );
    out.push_str("<h1>What ran</h1>\n<p>Green code ran; the tooltip names the sequence that ran it first. Red code did not.</p>\n");
    out.push_str("<table><tr><th>File<th>Lines<th>Ran<th>Share</tr>\n");
    for (number, (url, scripts)) in files.iter().enumerate() {
        let found: Vec<bool> = scripts
            .iter()
            .flat_map(|script| lines(&script.source, knowledge.covered.of(&script.name)))
            .map(|line| line.covered)
            .collect();
        let ran = found.iter().filter(|ran| **ran).count();
        let share = 100.0 * ran as f64 / found.len().max(1) as f64;
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#f{number}\">{}</a><td class=n>{}<td class=n>{ran}<td class=n>{share:.0} %</tr>",
            escaped(url),
            found.len()
        );
    }
    out.push_str("</table>\n");
    for (number, (url, scripts)) in files.iter().enumerate() {
        let _ = writeln!(out, "<h2 id=\"f{number}\">{}</h2>", escaped(url));
        for script in scripts {
            let _ = writeln!(out, "<pre>{}</pre>", source(script, knowledge));
        }
    }
    out.push_str("</html>\n");
    out
}

/// The source, cut where what ran changes, or who ran it first.
fn source(script: &Script, knowledge: &Knowledge) -> String {
    let firsts: Vec<(&Intervals, String)> = knowledge
        .first
        .iter()
        .filter_map(|first| {
            Some((first.code.of(&script.name)?, format!("{}: {}", first.sequence, first.names.join(", "))))
        })
        .collect();
    let mut marks: Vec<(usize, usize, usize)> = firsts
        .iter()
        .enumerate()
        .flat_map(|(index, (code, _))| code.pairs().iter().map(move |(start, end)| (*start, *end, index)))
        .collect();
    marks.sort_unstable();
    let (mut out, mut at, mut mark) = (String::new(), 0, 0);
    for (number, text) in script.source.split('\n').enumerate() {
        let _ = write!(out, "<i>{}</i>", script.line as usize + number + 1);
        let mut open: Option<Option<usize>> = None;
        for c in text.chars() {
            while marks.get(mark).is_some_and(|(_, end, _)| *end <= at) {
                mark += 1;
            }
            let by = marks.get(mark).filter(|(start, _, _)| *start <= at).map(|(_, _, index)| *index);
            if open != Some(by) {
                if open.is_some() {
                    out.push_str("</span>");
                }
                let _ = match by {
                    Some(index) => write!(out, "<span class=r title=\"{}\">", escaped(&firsts[index].1)),
                    None => write!(out, "<span class=m>"),
                };
                open = Some(by);
            }
            push_escaped(&mut out, c);
            at += c.len_utf16();
        }
        if open.is_some() {
            out.push_str("</span>");
        }
        out.push('\n');
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Coverage;
    use crate::knowledge::FirstRun;
    use crate::report::lcov::lcov;
    use colobus_world::ScriptName;

    #[test]
    fn reports_say_what_ran_and_who_ran_it_first() {
        let name = ScriptName { url: "http://h/a<b>.js".into(), hash: "1".into() };
        let script = Script { name: name.clone(), source: "if (a < b)\n  f();\n".into(), line: 4, is_module: false };
        let mut code = Coverage::default();
        let mut intervals = Intervals::default();
        intervals.add(0, 10);
        code.add(&name, &intervals);
        let names = vec!["open".to_string(), "click \"x\"".to_string()];
        let first = vec![FirstRun { sequence: 3, names, code: code.clone() }];
        let mut knowledge = Knowledge::default();
        (knowledge.covered, knowledge.first) = (code, first);
        let files: BTreeMap<String, Vec<Script>> = [("http://h/a<b>.js".to_string(), vec![script])].into();
        let page = html(&knowledge, &files);
        let ran = "<i>5</i><span class=r title=\"3: open, click &quot;x&quot;\">if (a &lt; b)</span>\n";
        assert!(page.contains(ran), "{page}");
        assert!(page.contains("<i>6</i><span class=m>  f();</span>"), "{page}");
        assert!(!page.contains("a<b>"), "{page}");
        assert_eq!(
            lcov(&knowledge.covered, &files),
            "TN:\nSF:http://h/a<b>.js\nDA:5,1\nDA:6,0\nLF:2\nLH:1\nend_of_record\n"
        );
    }
}
