//! Every command line that README and docs show is one that the program takes.

use std::fs;
use std::path::Path;

use clap::Parser;
use clap::error::ErrorKind;

use super::Cli;

/// What stands for an address in the docs.
const ADDRESS: &str = "http://127.0.0.1:8080";

/// The pages, with their texts.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // CONTRIBUTING.md names what a reader could add.
    let mut paths = vec![root.join("README.md"), root.join("ARCHITECTURE.md")];
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    paths.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    let read = |path: &Path| (path.display().to_string(), fs::read_to_string(path).unwrap());
    paths.iter().map(|path| read(path)).collect()
}

/// Lines of blocks, and spans within sentences, that call the program.
fn commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_block = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            // A step of a workflow, or a line of its own; what is indented otherwise is output.
            found.extend(line.trim_start().strip_prefix("- run: ").or(Some(line)).filter(|line| calls(line)));
        } else {
            // A span that names a command or a flag, or any command, is no command line.
            let names = |span: &str| span.rsplit(' ').next().is_some_and(|last| last.starts_with("--"));
            let spans = line.split('`').skip(1).step_by(2);
            found.extend(
                spans.filter(|span| calls(span) && span.contains(" -") && !names(span) && !span.contains(" … ")),
            );
        }
    }
    // A value that a workflow puts in.
    found.into_iter().map(|command| command.replace("${{ matrix.part }}", "1")).collect()
}

fn calls(text: &str) -> bool {
    without_variables(text).starts_with("colobus ")
}

/// The command behind `NAME=value`.
fn without_variables(text: &str) -> &str {
    match text.split_once(' ') {
        Some((first, rest)) if first.contains('=') && first.starts_with(|c: char| c.is_ascii_uppercase()) => rest,
        _ => text,
    }
}

/// The words of a command as a shell splits them, up to what follows it.
fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quote, mut is_word) = (String::new(), None, false);
    for c in without_variables(command).chars().chain([' ']) {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (Some(_), c) => word.push(c),
            (None, '\'' | '"') => (quote, is_word) = (Some(c), true),
            (None, '#') if !is_word => break,
            (None, ';' | '|' | '>' | '&') => {
                words.extend(is_word.then_some(word));
                break;
            }
            (None, ' ') => {
                words.extend(std::mem::take(&mut is_word).then(|| std::mem::take(&mut word)));
            }
            (None, c) => {
                word.push(c);
                is_word = true;
            }
        }
    }
    words.into_iter().map(|word| if ["URL", "…"].contains(&word.as_str()) { ADDRESS.into() } else { word }).collect()
}

#[test]
fn every_command_line_is_one_that_is_taken() {
    let (mut taken, mut refused) = (0, Vec::new());
    for (page, text) in pages() {
        for command in commands(&text) {
            match Cli::try_parse_from(words(&command)) {
                Ok(_) => taken += 1,
                Err(error) if error.kind() == ErrorKind::DisplayHelp => taken += 1,
                Err(error) => refused.push(format!("{page}: {command}\n{error}")),
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(taken > 80, "{taken}");
}

#[test]
fn words_are_split_as_by_a_shell() {
    let split = |command: &str| words(command).join("|");
    assert_eq!(
        split("A=1 colobus replay 'a, (b || c)' --at URL  # why"),
        format!("colobus|replay|a, (b || c)|--at|{ADDRESS}")
    );
    assert_eq!(split("colobus check; echo $?"), "colobus|check");
    assert_eq!(split("colobus ot check --js . --json > ot.json"), "colobus|ot|check|--js|.|--json");
    assert_eq!(
        commands("`colobus mock` and `colobus list -k 3`\n```\ncolobus check\n  colobus out\n```"),
        ["colobus list -k 3", "colobus check"]
    );
}
