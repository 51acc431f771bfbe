//! What cannot be loaded is an error that says what and where; what can be loaded works in every module format.

use colobus_ot_js::{CheckError, Failure, Library, OperationList, Operations, Verdict};

use crate::support::{described, fixture, inserts, module, run, source, verdict};

fn refusal(name: &str) -> CheckError {
    match Library::load(&inserts(name)) {
        Ok(_) => panic!("{name} should not load"),
        Err(error) => error,
    }
}

#[test]
fn a_syntax_error_names_file_and_line() {
    let CheckError::Load { path, failure: Failure::Threw { message } } = refusal("bad/syntax-error.js") else {
        panic!("the source does not parse");
    };
    assert!(path.ends_with("syntax-error.js"));
    assert!(message.starts_with("SyntaxError") && message.contains("syntax-error.js:1"), "{message}");
}

#[test]
fn a_module_may_throw_or_loop_while_it_loads() {
    let CheckError::Load { failure: Failure::Threw { message }, .. } = refusal("bad/throws-on-load.js") else {
        panic!("the module throws");
    };
    assert_eq!(message, "TypeError: not today");
    let CheckError::Load { failure, .. } = refusal("bad/endless-on-load.js") else {
        panic!("the module never ends");
    };
    assert_eq!(failure, Failure::Endless { steps: 100_000 });
}

#[test]
fn exports_without_a_type_are_listed() {
    assert!(matches!(refusal("bad/no-type.js"), CheckError::NoType { exported, .. } if exported == "answer"));
    assert!(matches!(refusal("bad/two-types.js"), CheckError::SeveralTypes { names, .. } if names == "one, two"));
    assert!(
        matches!(refusal("bad/lacks-transform.js"), CheckError::LacksFunction { missing, .. } if missing == "transform")
    );
}

#[test]
fn one_of_several_types_can_be_named() {
    let mut source = inserts("bad/two-types.js");
    source.wanted = Some("two".to_owned());
    assert!(Library::load(&source).is_ok());
    source.wanted = Some("three".to_owned());
    assert!(matches!(Library::load(&source), Err(CheckError::NotAType { .. })));
}

#[test]
fn what_the_engine_lacks_is_said() {
    assert!(refusal("bad/needs-node.js").to_string().contains("a module of Node itself"));
    assert!(refusal("bad/missing-package.js").to_string().contains("`not-installed-anywhere`"));
}

#[test]
fn es_modules_import_each_other_and_commonjs_and_json() {
    for name in ["good/es-module.mjs", "good/undeclared-module.js"] {
        let report = run(&inserts(name), &["tp1"]).unwrap();
        assert_eq!(report.verdict, Verdict::Holds, "{name}");
    }
    let library = Library::load(&inserts("good/es-module.mjs")).unwrap();
    assert_eq!(library.name(), "inserts as a module");
}

#[test]
fn a_list_of_operations_is_enough() {
    let list = OperationList::read(&fixture("good/inserts-operations.json")).unwrap();
    let source = source(module(&fixture("good/inserts.js")), Operations::List(list));
    let report = run(&source, &["tp1"]).unwrap();
    // One operation fits "", two fit "a", three fit "ab": 1 + 4 + 9 pairs.
    assert_eq!((report.laws[0].cases, report.laws[0].complete), (14, true));
    assert_eq!(verdict(&report, "tp1"), Verdict::Holds);
}

#[test]
fn the_types_own_generator_is_enough() {
    let source = source(module(&fixture("good/inserts.js")), Operations::Fitting);
    let report = run(&source, &["tp1", "convergence"]).unwrap();
    assert_eq!(report.verdict, Verdict::Holds);
    assert_eq!((report.laws[0].cases, report.laws[0].random_cases), (0, 20));
}

#[test]
fn descriptions_that_do_not_describe_are_refused() {
    let problem = |description: &str| Library::load(&described("good/inserts.js", description)).err();
    assert!(matches!(problem("bad/empty-description.js"), Some(CheckError::BadDescription { .. })));
    let error = run(&described("good/inserts.js", "bad/throwing-description.js"), &["tp1"]).unwrap_err();
    assert!(error.to_string().contains("out of ideas"), "{error}");
    let list = OperationList::read(&fixture("bad/no-documents.json"));
    assert!(matches!(list, Err(CheckError::BadDescription { .. })));
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let source = inserts("good/inserts.js");
    assert!(matches!(run(&source, &["tp3"]), Err(CheckError::UnknownLaw { .. })));
    assert!(matches!(run(&source, &["compose"]), Err(CheckError::AbsentLaw(_))));
    let mut named = source.clone();
    named.operations = Operations::Named("ot-xml".to_owned());
    assert!(matches!(Library::load(&named), Err(CheckError::UnknownDescription { .. })));
    let mut excluding = source;
    excluding.exclude = vec!["moves".to_owned()];
    assert!(matches!(Library::load(&excluding), Err(CheckError::UnknownKind { .. })));
}
