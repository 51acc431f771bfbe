//! The property of the rewriter: a rewritten program behaves as before. Random programs run plain and rewritten under Node
//! and must print the same.

use colobus_script::{Kind, Options, Rewritten, Unparsed, rewrite, runtime};
use serde_json::{Value, json};

use crate::support;
use crate::support::generator::{self, Evaluated};

fn rewritten(text: &str, kind: &str, parameters: &str) -> String {
    let function = |is_async, is_generator| Kind::Function { parameters, is_async, is_generator };
    let kind = match kind {
        "eval" => Kind::Eval { around: parameters },
        "script" => Kind::Script,
        "function" => function(false, false),
        "generator" => function(false, true),
        _ => unreachable!("{kind}"),
    };
    rewrite(text, kind, &Options::default()).unwrap_or_else(|reason| panic!("{reason}\n{text}")).code
}

/// How a program is rewritten.
pub type Rewrite = fn(&str) -> Result<Rewritten, Unparsed>;

fn as_script(source: &str) -> Result<Rewritten, Unparsed> {
    rewrite(source, Kind::Script, &Options::default())
}

/// What a program may ask to have rewritten: each text in each place that evaluates.
fn evaluated(texts: &[Evaluated], code: &str) -> Vec<[String; 4]> {
    let of = |text: &Evaluated, parameters: &str| {
        let code = rewritten(text.text, text.kind, parameters);
        [text.kind.to_string(), parameters.to_string(), text.text.to_string(), code]
    };
    let (direct, others): (Vec<&Evaluated>, Vec<&Evaluated>) = texts.iter().partition(|text| text.kind == "eval");
    let mut all: Vec<[String; 4]> = others.into_iter().map(|text| of(text, text.parameters)).collect();
    let mut places = support::evaluations(code);
    // A text that evaluates another one is itself a place.
    for _ in 0..2 {
        let made: Vec<[String; 4]> =
            places.iter().flat_map(|around| direct.iter().map(|text| of(text, around))).collect();
        places = made.iter().flat_map(|[.., code]| support::evaluations(code)).collect();
        all.extend(made);
    }
    all
}

/// Runs the programs of these seeds and returns the counts that `compare.js` prints.
pub fn compare(seeds: std::ops::Range<u64>, rewrite: Rewrite) -> Value {
    let programs: Vec<Value> = seeds
        .clone()
        .map(|seed| {
            let program = generator::program(seed);
            // Some generated programs are not valid: they must fail in the same way.
            let code = rewrite(&program.source).map(|done| done.code);
            let code = code.unwrap_or(program.source.clone());
            let evaluated = evaluated(&program.evaluated, &code);
            json!({ "plain": program.source, "rewritten": code, "evaluated": evaluated })
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
    let counts = compare(0..300, as_script);
    assert_eq!(counts["programs"], 300);
    assert_eq!(counts["unknown"], 0, "every text that a program evaluates is rewritten, too");
    assert!(counts["evaluated"].as_u64().unwrap() > 100, "{counts}");
}

/// Runs one program: `SEED=7 cargo test -p colobus-script --test fuzz -- --ignored one_program`.
#[test]
#[ignore = "for a look at a program that differs"]
fn one_program() {
    let seed = std::env::var("SEED").unwrap_or_default().parse().unwrap_or(0);
    compare(seed..seed + 1, as_script);
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
        let counts = compare(1_000 * batch..1_000 * (batch + 1), as_script);
        println!("seeds {}..{}: {counts}", 1_000 * batch, 1_000 * (batch + 1));
    }
}
