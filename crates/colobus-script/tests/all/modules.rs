//! Modules and handlers in attributes: they run as before, and what is put in front stands where it may.

use colobus_script::{Kind, Options, Position, Rewritten, rewrite, runtime};

use crate::support;

const MODULES: [(&str, &str); 3] = [
    (
        "main.mjs",
        r#""not strict, but a directive"
import first, { count, up as more } from "./counter.mjs"; import * as all from "./counter.mjs"
export { shown as default }
const { log } = console
let shown = 0
const show = () => [shown, count, all.count, first.name]
log(show())
more(); shown += await Promise.resolve(2)
log(show(), typeof nothing, import.meta.url.endsWith("main.mjs"), this)
const later = await import("./later.mjs")
log(later.default(3)?.value.toFixed(1), Object.keys(later), later.again)
export const fn = () => {}, { a, b: [c] = [4] } = { a: 1 }
log(fn.name, a, c, import("./main.mjs").then((own) => log(own.default, own.fn === fn)))
"#,
    ),
    (
        "counter.mjs",
        "export let count = 0\nexport const up = () => count++\nexport default class { static z = count }\n",
    ),
    (
        "later.mjs",
        "export default function (value) { return { value } }\nexport let again = 1; again++\nexport * from './counter.mjs'\n",
    ),
];

#[test]
fn modules_behave_as_before() {
    let run = |rewrites: bool| {
        let folder = tempfile::tempdir().unwrap();
        for (name, source) in MODULES {
            let done = rewrite(source, Kind::Module, &Options::default()).unwrap();
            std::fs::write(folder.path().join(name), if rewrites { &done.code } else { source }).unwrap();
        }
        std::fs::write(folder.path().join("runtime.cjs"), runtime()).unwrap();
        let arguments = if rewrites { &["--require", "./runtime.cjs", "main.mjs"][..] } else { &["main.mjs"] };
        let output = support::node(folder.path(), arguments);
        assert!(output.status.success(), "{}", support::text(&output.stderr));
        support::text(&output.stdout)
    };
    let expected = run(false);
    assert_eq!(expected.lines().count(), 5, "{expected}");
    assert_eq!(run(true), expected);
}

fn visible(rewritten: &Rewritten) -> String {
    rewritten.code.replace('\u{c}', "")
}

#[test]
fn a_handler_may_return_and_sees_its_event() {
    let handler = rewrite("this.form.submit(); return event.ok", Kind::HANDLER, &Options { first_site: 40 }).unwrap();
    assert_eq!(
        visible(&handler),
        r#"__c$.r(__c$.r(this,"form",41).form,"submit",40).submit(); return __c$.r(event,"ok",42).ok"#
    );
    assert_eq!(handler.sites[2].position, Position { line: 1, column: 34 });
}

#[test]
fn what_is_put_in_front_stands_behind_directives() {
    let script = rewrite(
        "#!/bin/node\n'use strict'\n// why\nfunction f() { 'use strict'; let n = 0; return () => n++ }",
        Kind::Script,
        &Options::default(),
    );
    assert_eq!(
        visible(&script.unwrap()),
        "#!/bin/node\n'use strict'\n// why\n__c$.D(\"f\",0);function f() { 'use strict'; var __c$1=__c$.n();let n = __c$.V(__c$1,1,0,2); return () => __c$.V(__c$1,1,n++,3,3) }"
    );
}

#[test]
fn inserted_words_stay_apart_from_their_neighbours() {
    let handler = rewrite("return(event).ok", Kind::HANDLER, &Options::default()).unwrap();
    assert_eq!(handler.code, "return\u{c}__c$.r(\u{c}(event)\u{c},\"ok\",0)\u{c}.ok");
}

/// The constructs that are easiest to break, and what becomes of them.
#[test]
fn traps() {
    let function = |source: &str| {
        let kind = Kind::Function { parameters: "a, b, k", is_async: false, is_generator: false };
        visible(&rewrite(source, kind, &Options::default()).unwrap())
    };
    for (source, expected) in [
        ("return(a).b", "return__c$.r((a),\"b\",0).b"),
        ("new a.b()", "new (__c$.r(a,\"b\",0).b)()"),
        ("a?.b.c", "(__c$.q(a,\"b\",0)?void 0:__c$.r(__c$.t?.b,\"c\",1).c)"),
        ("(a?.b.c)()", "(__c$.r(a,\"b\",0)?.b.c)()"),
        ("delete a?.b", "delete __c$.w(a,\"b\",0)?.b"),
        ("a[k]()", "__c$.r(a,k,0)[k]()"),
        ("a[k()]()", "__c$.m(a,[k()],0).c()"),
        ("a[k()] += b", "__c$.f(a,[k()],0,4).v += b"),
        ("[a.b] = k", "[__c$.w(a,\"b\",0).b] = __c$.p(k,1,1)"),
        ("({ x: a.b } = k)", "({ x: __c$.w(a,\"b\",0).b } = __c$.p(k,[\"x\",0],1))"),
        ("for (a.b of k) ;", "for (__c$.w(a,\"b\",0).b of __c$.i((k),1)) ;"),
        ("typeof no", "__c$.b(__c$.G(\"no\",0),typeof no)"),
        ("no(a)", "__c$.b(__c$.G(\"no\",0),no(a))"),
        ("b = { no }", "b = { no:__c$.b(__c$.G(\"no\",0),no) }"),
        ("with (a) b.c", "with (__c$.o((a),0)) b.c"),
        ("a.b ||= {}", "__c$.w(a,\"b\",0,5).b ||= {}"),
        ("a.b = a.b || {}", "__c$.w(a,\"b\",0,5).b = a.b || {}"),
        ("a.b++", "__c$.w(a,\"b\",0,4).b++"),
        ("k = a.b++", "k = __c$.w(a,\"b\",0,3).b++"),
        ("(0, eval)(a)", "(0, eval)(__c$.X(eval,a,0))"),
    ] {
        assert_eq!(function(source), expected);
    }
}

#[test]
fn a_direct_eval_hands_over_the_variables_that_it_sees() {
    let source = "let outer; function f(a) { 'use strict'; { let b = 1; return eval('a + b') } }";
    let code = rewrite(source, Kind::Script, &Options::default()).unwrap().code;
    let around: Vec<String> = crate::support::evaluations(&code).into_iter().collect();
    let [around] = &around[..] else { panic!("{code}") };
    let names: Vec<&str> = around.split(';').map(|part| part.split(',').next().unwrap()).collect();
    assert_eq!(names, ["strict", "a", "b"], "a global has its name everywhere");
    let evaluated = rewrite("a + b + outer", Kind::Eval { around }, &Options { first_site: 50 }).unwrap();
    let places: Vec<&str> = around.split(';').skip(1).map(|part| part.split_once(',').unwrap().1).collect();
    let [a, b] = places[..] else { panic!("{around}") };
    let expected = format!("__c$.v({a},a,50) + __c$.v({b},b,51) + __c$.b(__c$.G(\"outer\",52),outer)");
    assert_eq!(visible(&evaluated), expected);
}
