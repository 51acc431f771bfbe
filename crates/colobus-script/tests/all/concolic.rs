//! The property of the instrumenter: a program that computes symbolic values behaves as before. Random programs run plain and
//! instrumented under Node and must print the same.

use colobus_script::{Kind, Options, concolic_runtime, instrument};
use serde_json::{Value, json};

use crate::support;
use crate::support::generator;

fn compare(seeds: std::ops::Range<u64>) -> Value {
    let programs: Vec<Value> = seeds
        .map(|seed| {
            let source = generator::program(seed).source;
            let code = instrument(&source, Kind::Script, &Options::default()).map(|done| done.code);
            json!({ "plain": source, "rewritten": code.unwrap_or(source.clone()), "evaluated": [] })
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("programs.json");
    let runtime =
        format!("Object.defineProperty(globalThis, Symbol.for('colobus'), {{ value: {{}} }});\n{}", concolic_runtime());
    // What a function prints as is the one thing that does change.
    std::fs::write(&file, json!({ "runtime": runtime, "texts": false, "programs": programs }).to_string()).unwrap();
    let output = support::node(&support::folder("node"), ["--stack-size=2000", "compare.js", file.to_str().unwrap()]);
    let printed = support::text(&output.stdout);
    let counts = printed.trim_end().lines().last().unwrap_or_default();
    let counts: Value = serde_json::from_str(counts).unwrap_or_else(|_| panic!("{}", support::text(&output.stderr)));
    assert_eq!(counts["different"], 0, "programs that behave differently once they are instrumented: {printed}");
    counts
}

#[test]
fn instrumented_programs_print_the_same() {
    let counts = compare(0..300);
    assert_eq!(counts["programs"], 300);
}
