//! Sources that no developer writes: they end in a result or a reason, never in a panic, an overflow or an endless run.

use colobus_script::{Kind, Options, Rewritten, Unparsed, constants, rewrite};
use proptest::prelude::*;

fn script(source: &str) -> Result<Rewritten, Unparsed> {
    rewrite(source, Kind::Script, &Options::default())
}

/// Each is nested `depth` times.
fn nested(depth: usize) -> Vec<String> {
    vec![
        format!("{}{}", "(".repeat(depth), ")".repeat(depth)),
        format!("{}1{}", "(".repeat(depth), ")".repeat(depth)),
        "[".repeat(depth),
        format!("x = {}1{}", "[".repeat(depth), "]".repeat(depth)),
        format!("{}1{}", "{".repeat(depth), "}".repeat(depth)),
        format!("x = {}1", "!".repeat(depth)),
        format!("x = 1{}", " + y".repeat(depth)),
        format!("x{}", ".y".repeat(depth)),
        format!("x{}", "?.y.z".repeat(depth)),
        format!("x{}", "[y]".repeat(depth)),
        format!("x{}", "(y)".repeat(depth)),
        format!("{}x", "y = ".repeat(depth)),
        format!("{}x", "y => ".repeat(depth)),
        format!("{}x", "y ? z : ".repeat(depth)),
        format!("{}x", "new ".repeat(depth)),
        format!("{}x", "typeof ".repeat(depth)),
        format!("{};", "if (x) ".repeat(depth)),
        format!("{};", "if (x) {} else ".repeat(depth)),
        format!("{}x{}", "function f() { ".repeat(depth), "}".repeat(depth)),
        format!("{}x{}", "`${".repeat(depth), "}`".repeat(depth)),
        format!("{}{}", "class A { m() { ".repeat(depth), "}}".repeat(depth)),
        format!("var {}x{} = y", "{a: ".repeat(depth), "}".repeat(depth)),
        format!("{}1{}", "{a: ".repeat(depth), "}".repeat(depth)),
    ]
}

#[test]
fn nesting_ends_in_code_or_a_reason() {
    for source in nested(1_000) {
        let _ = script(&source);
        let _ = constants(&source, false);
    }
}

#[test]
#[ignore = "needs a minute and some gigabytes"]
fn deep_nesting_ends_in_code_or_a_reason() {
    for depth in [30_000, 1_000_000] {
        for source in nested(depth) {
            let started: String = source.chars().take(20).collect();
            let result = script(&source).map(|done| done.sites.len());
            println!("{depth} {started}: {result:?}");
        }
    }
}

#[test]
fn reasons_say_where_and_what() {
    let reason = script("var a = 1;\nvar b = ;").unwrap_err();
    assert!(reason.to_string().starts_with("line 2, column 9: "), "{reason}");
    assert!(matches!(script("__c$.r(x)"), Err(Unparsed::Reserved { .. })));
    assert!(matches!(script("'\u{c}\u{b}\u{feff}'; x"), Err(Unparsed::NoMarker)));
    let deep = "(".repeat(5_000_000);
    assert!(matches!(script(&deep), Err(Unparsed::TooDeep)));
}

/// Ten megabytes on one line: what depends on the distance to the start of the line would take hours.
/// Engines refuse a call with more than some 65,000 arguments.
#[test]
fn many_globals_are_declared_in_several_calls() {
    let functions: String = (0..2500).map(|number| format!("function f{number}() {{}}\n")).collect();
    assert_eq!(script(&functions).unwrap().code.matches("__c$.D(").count(), 3);
    assert_eq!(script("function f() {}").unwrap().code.matches("__c$.D(").count(), 1);
}

#[test]
fn ten_megabytes_are_rewritten() {
    let statement = "var text = 'some words that make the script long, as data and messages do'; a.b(text, c => c.d);";
    let source = statement.repeat(10_000_000 / statement.len());
    let rewritten = script(&source).unwrap();
    assert_eq!(rewritten.code.lines().count(), 1);
    let site = &rewritten.sites[rewritten.sites.len() - 1];
    assert_eq!(rewritten.positions.original(rewritten.positions.rewritten(site.position)), site.position);
}

/// Words and signs of the language in any order: often nearly valid.
fn soup() -> impl Strategy<Value = String> {
    let tokens = [
        "a", "b", "=", "=>", "(", ")", "[", "]", "{", "}", ".", "?.", "...", ",", ";", "\n", "function", "class",
        "async", "await", "yield", "new", "delete", "typeof", "let", "const", "var", "for", "of", "in", "if", "else",
        "return", "`", "${", "'s'", "1", "#p", "static", "get", "set", "super", "this", "import", "export", "default",
        "with", "eval", "++", "+=", "||=", "/", "/x/", "\u{c}", "é",
    ];
    prop::collection::vec(prop::sample::select(tokens.to_vec()), 0..40).prop_map(|tokens| tokens.join(" "))
}

fn kinds() -> [Kind<'static>; 4] {
    [Kind::Script, Kind::Module, Kind::Eval { around: "sloppy,0;a,__c$1,0" }, Kind::HANDLER]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_text_gives_a_result(source in any::<String>()) {
        for kind in kinds() {
            let _ = rewrite(&source, kind, &Options::default());
        }
        let _ = constants(&source, true);
    }

    #[test]
    fn rewriting_only_inserts_and_keeps_lines(source in soup()) {
        for kind in kinds() {
            let Ok(done) = rewrite(&source, kind, &Options::default()) else { continue };
            let marker = if source.contains('\u{c}') { '\u{b}' } else { '\u{c}' };
            let kept: String = done.code.split(marker).step_by(2).collect();
            prop_assert_eq!(&kept, &source);
            prop_assert_eq!(done.code.lines().count(), source.lines().count());
            for site in &done.sites {
                prop_assert_eq!(done.positions.original(done.positions.rewritten(site.position)), site.position);
            }
        }
    }
}
