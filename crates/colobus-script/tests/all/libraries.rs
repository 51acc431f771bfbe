//! Libraries, which are not looked into: they behave as before. What is logged of them is in `conflicts.rs`.

use colobus_script::{Kind, Options, Rewritten, Unparsed, rewrite_library};

use crate::{fuzz, syntax};

fn as_library(source: &str, kind: Kind<'static>) -> Result<Rewritten, Unparsed> {
    rewrite_library(source, kind, "lib.js", &Options::default())
}

#[test]
fn libraries_print_the_same() {
    let counts = fuzz::compare(0..300, |source| as_library(source, Kind::Script));
    assert_eq!(counts["programs"], 300);
    assert!(counts["accesses"].as_u64().unwrap() > 300, "calls into libraries are logged: {counts}");
}

#[test]
fn libraries_that_parse_still_parse() {
    assert_eq!(syntax::check("pass", as_library).0, 1978, "of 1981");
    assert_eq!(syntax::check("pass-explicit", as_library).0, 1980, "of 1981");
}

#[test]
fn functions_that_can_be_suspended_log_before_each_statement() {
    let library = as_library("async function f() { await 1; g() }\nvar h = () => 1", Kind::Script).unwrap();
    let code = library.code.replace('\u{c}', "");
    assert_eq!(
        code,
        "__c$.L(\"lib.js\",0);__c$.D(\"f\",1,\"h\",2);async function f() { __c$.L(\"lib.js\",3);await 1; __c$.L(\"lib.js\",4);g() }\n\
         var h = () => {__c$.L(\"lib.js\",5);return(1)}"
    );
}
