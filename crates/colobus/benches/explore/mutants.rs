//! Mistakes in applications of `subjects/explore` (their repaired twins), one at a time: which tool sees the exception that each of them
//! makes possible.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::subject::database;
use crate::tool::{Tool, reach};

/// Application, file, what stands there, and what stands there by mistake.
type Mutant = (&'static str, &'static str, &'static str, &'static str);

pub const MUTANTS: [Mutant; 30] = [
    ("attendance", "rows.js", "item.style.color", "item.styles.color"),
    ("attendance", "rows.js", "item.textContent += `", "item.text.content += `"),
    ("attendance", "app.js", "$(\"message\").textContent = \"That was", "$(\"messages\").textContent = \"That was"),
    ("attendance", "app.js", "list.textContent = \"Never", "list.first.textContent = \"Never"),
    ("attendance", "app.js", "if (row) row.outerHTML = rowOf(attendee)", "if (row) row.outerHTML = rowOf(attendees)"),
    ("attendance", "app.js", "$(`row${id}`)?.remove()", "$(`rows${id}`).remove()"),
    ("attendance", "app.js", "\"*\") {\n    query = \"\"", "\"*\") {\n    query = all"),
    ("attendance", "app.js", "$(\"message\").textContent = \"Who?\"", "$(\"message\").text.content = \"Who?\""),
    ("attendance", "app.js", "event.target.reset();\n    gotoPage", "event.targets.reset();\n    gotoPage"),
    ("attendance", "app.js", "$(\"message\").textContent = \"All", "$(\"messages\").textContent = \"All"),
    ("news", "app.js", "$(\"unread\").textContent = \"(all", "$(\"read\").textContent = \"(all"),
    ("news", "app.js", "$(\"items\").textContent = \"There", "$(\"item\").p.textContent = \"There"),
    ("news", "app.js", "link.target = ", "link.targets.name = "),
    ("news", "app.js", "element.style.fontStyle", "element.styles.fontStyle"),
    ("news", "app.js", "open(state.at + 1)", "open(states.at + 1)"),
    ("news", "app.js", "open(state.at - 1)", "open(state.at.index - 1).then()"),
    ("news", "app.js", "\"Escape\") {\n    close()", "\"Escape\") {\n    shut()"),
    ("news", "app.js", "$(\"comments\").append(comment(sent))", "$(\"comments\").add(comment(sent))"),
    ("news", "app.js", "state.section = target.value", "states.section = target.value"),
    ("news", "app.js", "  if (!item) return;\n", ""),
    ("resume", "app.js", "onlyOpen ? \"None is open\"", "onlyOpen ? none.open"),
    ("resume", "app.js", "item.style.textDecoration", "item.styles.textDecoration"),
    ("resume", "app.js", "item.style.fontWeight", "item.styles.fontWeight"),
    ("resume", "app.js", "$(\"latest\").textContent = \"A name", "$(\"last\").textContent = \"A name"),
    ("resume", "app.js", "textContent = latest(all)", "textContent = latest(every)"),
    ("resume", "app.js", "$(\"latest\").textContent = \"Are", "$(\"last\").textContent = \"Are"),
    ("files", "app.js", "$(\"status\").textContent = \"That", "$(\"state\").textContent = \"That"),
    ("files", "app.js", "if (name) rename(selected, name)", "if (name) rename(select.entry.name, name)"),
    ("files", "app.js", "$(\"status\").textContent = `${entry.name}", "$(\"state\").textContent = `${entry.name}"),
    ("files", "app.js", "if (key === \"Delete\") remove(entry)", "if (key === \"Delete\") removed(entry)"),
];

/// Prints which mutants each tool kills; what it reports of the application without a mistake does not count.
pub fn compare(time: Duration) {
    let mut killed = vec![Vec::new(); Tool::ALL.len()];
    let mut usual: Vec<(&str, Vec<BTreeSet<String>>)> = Vec::new();
    println!("| mutant | {} |", Tool::ALL.map(Tool::name).join(" | "));
    println!("| --- |{}", " --- |".repeat(Tool::ALL.len()));
    for (number, (application, file, old, new)) in MUTANTS.into_iter().enumerate() {
        let seed = number as u64;
        let errors = |arguments: &[&str]| -> Vec<BTreeSet<String>> {
            let errors = |tool: &Tool| {
                let running = database(application, &[&["--twin", "fixed"], arguments].concat());
                reach(*tool, &running.url, time, seed).errors
            };
            Tool::ALL.iter().map(errors).collect()
        };
        if usual.last().is_none_or(|(known, _)| *known != application) {
            usual.push((application, errors(&[])));
        }
        let seen = errors(&["--replace", file, old, new]);
        let known = usual.last().map(|(_, errors)| errors.clone()).unwrap_or_default();
        let mut row = Vec::new();
        for (index, errors) in seen.iter().enumerate() {
            let is_killed = errors.iter().any(|error| !known[index].contains(error));
            if is_killed {
                killed[index].push(number + 1);
            }
            row.push(if is_killed { "killed" } else { "" });
        }
        println!("| {} {application}: `{}` | {} |", number + 1, new.trim().replace('\n', " "), row.join(" | "));
    }
    for (tool, killed) in Tool::ALL.iter().zip(&killed) {
        println!("{}: {} of {}", tool.name(), killed.len(), MUTANTS.len());
    }
    let others = killed.iter().skip(1).map(Vec::len).max().unwrap_or_default();
    assert!(killed[0].len() > others, "explore does not kill more mutants than both others");
}
