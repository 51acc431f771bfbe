//! The property of the rewriter: a rewritten program behaves as before. Random programs run plain and rewritten under Node
//! and must print the same.

use colobus_script::{Kind, Options, rewrite, runtime};
use serde_json::{Value, json};

use crate::support;
use crate::support::generator::{self, Evaluated};

fn rewritten(text: &str, kind: &str, parameters: &str) -> String {
    let function = |is_async, is_generator| Kind::Function { parameters, is_async, is_generator };
    let kind = match kind {
        "eval" => Kind::Eval,
        "script" => Kind::Script,
        "function" => function(false, false),
        "generator" => function(false, true),
        _ => unreachable!("{kind}"),
    };
    rewrite(text, kind, &Options::default()).unwrap_or_else(|reason| panic!("{reason}\n{text}")).code
}

/// Runs the programs of these seeds and returns the counts that `compare.js` prints.
fn compare(seeds: std::ops::Range<u64>) -> Value {
    let programs: Vec<Value> = seeds
        .clone()
        .map(|seed| {
            let program = generator::program(seed);
            let evaluated: Vec<[String; 4]> = program
                .evaluated
                .iter()
                .map(|Evaluated { kind, parameters, text }| {
                    [kind.to_string(), parameters.to_string(), text.to_string(), rewritten(text, kind, parameters)]
                })
                .collect();
            // Some generated programs are not valid: they must fail in the same way.
            let code = rewrite(&program.source, Kind::Script, &Options::default()).map(|done| done.code);
            json!({ "plain": program.source, "rewritten": code.unwrap_or(program.source.clone()), "evaluated": evaluated })
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("programs.json");
    std::fs::write(&file, json!({ "runtime": runtime(), "programs": programs }).to_string()).unwrap();
    let output = support::node(&support::folder("node"), ["--stack-size=2000", "compare.js", file.to_str().unwrap()]);
    let printed = support::text(&output.stdout);
    let (differences, counts) = match printed.trim_end().rsplit_once('\n') {
        Some((differences, counts)) => (differences, counts),
        None => ("", printed.trim_end()),
    };
    let counts: Value = serde_json::from_str(counts).unwrap_or_else(|_| panic!("{}", support::text(&output.stderr)));
    for difference in differences.lines() {
        let difference: Value = serde_json::from_str(difference).unwrap();
        let seed = seeds.start + difference["index"].as_u64().unwrap();
        eprintln!(
            "seed {seed}, line {}:\n  plain     {}\n  rewritten {}",
            difference["line"], difference["expected"], difference["found"]
        );
    }
    assert_eq!(counts["different"], 0, "programs that behave differently once they are rewritten");
    counts
}

#[test]
fn rewritten_programs_print_the_same() {
    let counts = compare(0..300);
    assert_eq!(counts["programs"], 300);
}

/// Runs one program: `SEED=7 cargo test -p colobus-script --test fuzz -- --ignored one_program`.
#[test]
#[ignore = "for a look at a program that differs"]
fn one_program() {
    let seed = std::env::var("SEED").unwrap_or_default().parse().unwrap_or(0);
    compare(seed..seed + 1);
}

/// Prints a program: `SEED=7 cargo test -p colobus-script --test fuzz -- --ignored --nocapture show_program`.
#[test]
#[ignore = "for a look at a program that differs"]
fn show_program() {
    let seed = std::env::var("SEED").unwrap_or_default().parse().unwrap_or(0);
    let program = generator::program(seed);
    println!("{}", program.source);
    println!("----\n{}", rewritten(&program.source, "script", "").replace(['\u{c}', '\u{b}'], ""));
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_rewritten_programs_print_the_same() {
    for batch in 0..10 {
        let counts = compare(1_000 * batch..1_000 * (batch + 1));
        println!("seeds {}..{}: {counts}", 1_000 * batch, 1_000 * (batch + 1));
    }
}
