//! Instrumented code in a real engine: the symbolic value of every operator, evaluated, is the concrete one; handlers that
//! behave badly give a summary or a reason.

use std::collections::BTreeMap;
use std::process::Command;

use colobus_reach::concolic::Run;
use colobus_reach::line::Line;
use colobus_reach::observation::Observation;
use colobus_reach::symbolic::expr::Expr;
use colobus_reach::symbolic::value::Value;
use colobus_script::{Kind, Options, concolic_runtime, instrument};
use serde_json::json;

use crate::random::Random;

/// What outlives handlers: variables, properties, elements, what a map has for a key, and whether keys are there.
const STATE: &str = "let a, b, c, r = 'nothing';
const o = { x: 0, y: { z: 0 } }, l = [0, 0], m = new Map([['k', 0]]), s = new Set(['k']);
localStorage.setItem('k', '');";

/// The state that a handler begins with, made of values for `a`, `b` and `c`. Keys of the map and the set are there or not.
fn before(values: &[Value]) -> serde_json::Map<String, serde_json::Value> {
    let [a, b, c] = values else { return values.iter().map(|value| ("a".to_string(), json!(value))).collect() };
    let is_there = json!(Value::Boolean(a.is_truthy()));
    let stored = json!(Value::text(&c.to_text().to_string()));
    let places = [
        ("a", json!(a)),
        ("b", json!(b)),
        ("c", json!(c)),
        ("o.x", json!(a)),
        ("o.y.z", json!(b)),
        ("l[0]", json!(a)),
        ("l[1]", json!(b)),
        ("m.has(\"k\")", is_there.clone()),
        ("m.get(\"k\")", json!(a)),
        ("s.has(\"k\")", is_there),
        ("localStorage[\"k\"]", stored),
    ];
    places.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// What handlers do, each with values for `a`, `b` and `c`.
fn runs(handlers: &[(String, Vec<Value>)]) -> Vec<Run> {
    let cases: Vec<_> = handlers
        .iter()
        .map(|(body, values)| {
            let source = format!("{STATE}\nfunction handler() {{\n{body}\n}}");
            let code = instrument(&source, Kind::Script, &Options::default()).unwrap().code;
            json!({ "code": code, "before": before(values) })
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cases.json");
    std::fs::write(&file, json!({ "runtime": concolic_runtime(), "cases": cases }).to_string()).unwrap();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/instrumented.js");
    let output = Command::new("node").arg(program).arg(&file).output().expect("node runs: `make setup` installs it");
    let printed = String::from_utf8(output.stdout).unwrap();
    let observed =
        |line: &str| serde_json::from_str::<Observation>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let sites = |site: u32| Some(Line { file: "app.js".into(), number: site + 1 });
    let runs: Vec<Run> = printed.lines().map(|line| observed(line).run(&sites)).collect();
    assert_eq!(runs.len(), handlers.len(), "{}", String::from_utf8_lossy(&output.stderr));
    runs
}

/// Symbolic values that have another value than the concrete one.
fn contradictions(run: &Run) -> Vec<&String> {
    run.concrete
        .iter()
        .filter(|reason| reason.starts_with("the value `") || reason.starts_with("the condition `"))
        .collect()
}

/// Expressions over `a`, `b` and `c`, by the types that they are made for.
const OF_ANYTHING: &[&str] = &[
    "a + b",
    "a - b",
    "a * b",
    "a / b",
    "a % b",
    "a & b",
    "a | b",
    "a ^ b",
    "a << b",
    "a >> b",
    "a >>> b",
    "(a |= b, a)",
    "({ x: a, y: b })[c ? 'y' : 'x']",
    "a < b",
    "a <= b",
    "a > b",
    "a >= b",
    "a == b",
    "a != b",
    "a === b",
    "a !== b",
    "!a",
    "-a",
    "+a",
    "typeof a",
    "a && b",
    "a || b",
    "a ?? b",
    "a ? b : c",
    "`x${a}y${b}`",
    "Number(a)",
    "String(a)",
    "Boolean(a)",
    "isNaN(a)",
    "parseInt(a)",
    "parseInt(a, 10)",
    "(a += b, a)",
    "[a, b][1]",
    "({ x: a, y: b }).y",
    "({ ...{ x: a }, y: b }).x",
    "({ ...{ x: a }, ['y' + 1]: b }).x",
    "({ x: b, ['y' + 1]: a }).y1",
    "(x => x + b)(a)",
    "(function (x, y) { return y })(b, a)",
    "(() => { switch (a) { case b: return 1; case c: return 2; default: return a } })()",
    "(() => { let x = a; if (x) x = b; return x })()",
    "(() => { const o = {}; o.x = a; o.x += b; return o.x })()",
    "(a -= b, a)",
    "(a *= b, a)",
    "(a /= b, a)",
    "(a %= b, a)",
    "(() => { let x = a; x ||= b; return x })()",
    "(() => { let x = a; x &&= b; return x })()",
    "(() => { let x = a; x ??= b; return x })()",
    "(() => { const o = { x: a }; o.x ||= b; return o.x })()",
    "(() => { const o = { x: a }; o.x &&= b; return o.x })()",
    "(() => { const o = { x: a }; o.x ??= b; return o.x })()",
    "(() => { const { x } = { x: a }; return x })()",
    "(() => { const { x, y: [, z] } = { x: b, y: [b, a] }; return z })()",
    "(() => { const { x = b } = { x: a }; return x })()",
    "(() => { const { x = a } = {}; return x })()",
    "(() => { const [x, ...rest] = [b, a]; return rest[0] })()",
    "(() => { const { x, ...rest } = { x: b, y: a }; return rest.y })()",
    "(() => { let x = a, y = b; [x, y] = [y, x]; return y })()",
    "(() => { let x; ({ y: x = b } = { y: a }); return x })()",
    "(({ x, y }) => y)({ x: b, y: a })",
    "(({ x: { y } }) => y)({ x: { y: a } })",
    "(([x, y]) => y)([b, a])",
    "((x = b) => x)(a)",
    "((x = a) => x)()",
    "((x, y = x) => y)(a)",
    "((x, ...xs) => xs[0])(b, a)",
    "((x, y) => y)(...[b, a])",
    "(() => { class P { constructor(x, y) { this.y = y } } return new P(...[b, a]).y })()",
    "[...[b], a][1]",
    "[...[b, a]][1]",
    "({ x: { y: a } })?.x?.y",
    "({ f: x => x }).f?.(a)",
    "({ f(x) { return x } })?.f(a)",
    "(() => { const o = { x: a }; return o?.['x'] })()",
    "null?.x ?? a",
    "(() => { let t; for (const x of [b, a]) t = x; return t })()",
    "(() => { let t; for (const [k, v] of Object.entries({ p: a })) t = v; return t })()",
    "(() => { let t; for (const { p = b } of [{ p: a }]) t = p; return t })()",
    "(() => { let x; for (x of [b, a]); return x })()",
    "[b, a].map(x => x)[1]",
    "[b, a].map(x => [x]).map(([x]) => x)[1]",
    "[b, a].filter(() => true)[1]",
    "[a, b].find(() => true)",
    "[b, a].reduce((x, y) => y, 0)",
    "[b, c].some(x => x === a)",
    "[b, c].every(x => x === a)",
    "[b, c].includes(a)",
    "[b, c].indexOf(a)",
    "[b, a].pop()",
    "[a, b].shift()",
    "[b, a].slice(1)[0]",
    "[b].concat([a])[1]",
    "(() => { const l = [b]; l.unshift(a); return l[0] })()",
    "(() => { const l = [b, a, c]; l.splice(0, 1); return l[0] })()",
    "[a, b].reverse()[1]",
    "Object.assign({}, { x: a }).x",
    "Object.values({ x: a })[0]",
    "new Map([['k', 1]]).set('k', a).get('k')",
    "(() => { const m = new Map(); m.set('k', b); m.set('k', a); return m.get('k') })()",
    "(() => { const o = { list: [b, { x: a }] }; return JSON.parse(JSON.stringify(o)).list[1]?.x })()",
    "(() => { localStorage.setItem('k', a); return localStorage.getItem('k') })()",
    "(() => { localStorage.setItem('k', JSON.stringify({ x: a })); return JSON.parse(localStorage.getItem('k') || '{}').x })()",
];
/// Expressions over what outlives handlers beside variables, and over what a function that waits has.
const OF_STATE: &[&str] = &[
    "o.x + b",
    "(o.x += b, o.x)",
    "(o.x = b, o['x'])",
    "o['x'] === l[1]",
    "o.y.z ? o.x : c",
    "(o.y = { z: a }, o.y.z)",
    "(() => { const { x, y: { z } } = o; return z })()",
    "({ ...o }).x",
    "o?.y?.z",
    "Object.values(o)[0]",
    "Object.assign({}, o).x",
    "(() => { for (const [k, v] of Object.entries(o)) return v })()",
    "l[0] + l[1]",
    "(l[0] = b, l[0])",
    "(l[0] += b, l[0])",
    "[...l, c][1]",
    "(() => { const [x, y] = l; return y })()",
    "(() => { let t; for (const x of l) t = x; return t })()",
    "l.map(x => x)[1]",
    "l.filter(() => true)[1]",
    "l.find(x => x === b)",
    "l.some(x => x === c)",
    "l.every(x => x === c)",
    "l.includes(c)",
    "l.indexOf(c)",
    "l.reduce((x, y) => y, 0)",
    "(l.push(c), l[2])",
    "(l.unshift(c), l[1])",
    "l.pop()",
    "l.shift()",
    "(l.splice(0, 1), l[0])",
    "l.slice(1)[0]",
    "l.concat([c])[1]",
    "(l.reverse(), l[0])",
    "m.get('k')",
    "(m.set('k', b), m.get('k'))",
    "m.has('k')",
    "m.has('k') ? m.get('k') : b",
    "m.delete('k')",
    "(m.delete('k'), m.has('k')) || a",
    "(m.set('k', b), m.has('k')) && a",
    "(m.delete('k'), m.set('k', b), m.get('k'))",
    "m.size",
    "(m.set('k', b), m.size)",
    "(m.delete('k'), m.size)",
    "(m.set('other', b), m.size)",
    "(m.clear(), m.size) || a",
    "s.has('k')",
    "s.delete('k')",
    "(s.add('k'), s.has('k')) && a",
    "(s.delete('k'), s.has('k')) || a",
    "s.size",
    "(s.add('k'), s.size)",
    "(s.delete('k'), s.size)",
    "(s.add('other'), s.size)",
    "(s.delete('k'), s.add('k'), s.size)",
    "(s.has('k') ? s.delete('k') : s.add('k'), s.size)",
    "localStorage.getItem('k')",
    "(localStorage.removeItem('k'), localStorage.getItem('k')) ?? a",
    "(localStorage.removeItem('k'), localStorage.setItem('k', b), localStorage.getItem('k'))",
    "(localStorage.setItem('k', b), localStorage.removeItem('k'), localStorage.getItem('k')) ?? a",
];
/// Handlers that wait.
const WAITING: &[&str] = &[
    "(async () => { await null; r = a + b; })();",
    "(async () => { const x = a; await null; r = x; })();",
    "(async () => { r = [await null, a][1]; })();",
    "(async () => { o.x = b; await null; r = o.x; })();",
    "(async () => { await null; l[0] = b; await null; r = l[0]; })();",
    "(async () => { if (a === b) await null; r = a; })();",
    "(async () => { for (const x of [b, a]) { await null; r = x; } })();",
    "(async () => { try { await Promise.reject(1); } catch { r = a; } })();",
    "Promise.resolve().then(() => { r = a; });",
];
const OF_NUMBERS: &[&str] = &[
    "Math.floor(a)",
    "Math.ceil(a)",
    "Math.trunc(a)",
    "Math.abs(a)",
    "Math.min(a, b)",
    "Math.max(a, b)",
    "a++ + b",
    "--a",
    "a.toString()",
    "Number.isNaN(a)",
];
const OF_TEXTS: &[&str] = &[
    "[a, b].join('-')",
    "(() => { const { length } = a; return length })()",
    "a?.length",
    "a?.trim()",
    "a.length",
    "a.trim()",
    "a.toLowerCase()",
    "a.toUpperCase()",
    "a.includes(b)",
    "a.startsWith(b)",
    "a.endsWith(b)",
    "a.charAt(1)",
    "a.indexOf(b)",
    "a.indexOf(b, 1)",
    "a.slice(1)",
    "a.slice(-2, 3)",
    "a.slice(1, -1)",
    "a.substring(1, 3)",
    "a[0]",
    "a.split(',')[1]",
    "a.split(',').length",
    "/^a+b?/.test(a)",
    "/[0-9]{2}/i.test(a)",
    "/^([a-z]*)(\\d*)/.exec(a)[1]",
    "(/(\\w)(\\W)?/.exec(a) ?? [])[2]",
    "(a.match(/(?<first>[a-c])|(?<second>\\d)/i)?.groups ?? {}).second",
    "(() => { const m = /^(.*?),?(.?)$/.exec(a); if (!m) return b; const [, x, y] = m; return x + y })()",
    "(() => { const m = a.match(/\\d+/); return m === null ? b : m.index + m[0] })()",
    "(() => { const { groups: { rest } = {} } = a.match(/^.(?<rest>.*)$/) || {}; return rest })()",
    "(() => { const m = /(\\w)[^]*(\\w)/.exec(a); return m && m.slice(1).map(x => x).join('-') })()",
    "/^.?(.?)/.exec(b + a)[1]",
    "a.search(/[a-z]/)",
    "a.split(/[,-]/)[1]",
    "a.split(/\\s+/).length",
    "(() => { const [x, y] = a.split(/[,a]/); return y ?? x })()",
];

#[test]
fn the_symbolic_value_evaluated_is_the_concrete_one() {
    let mut random = Random::new(22);
    let mut handlers = Vec::new();
    let all = [(OF_ANYTHING, 0), (OF_STATE, 0), (WAITING, 0), (OF_NUMBERS, 1), (OF_TEXTS, 2)];
    for (sources, of) in all {
        for source in sources {
            let body = if sources == WAITING { source.to_string() } else { format!("r = {source};") };
            for _ in 0..25 {
                let values = (0..3).map(|_| match of {
                    0 => random.value(),
                    1 => Value::Number(random.number()),
                    _ => Value::Text(random.text()),
                });
                handlers.push((body.clone(), values.collect()));
            }
        }
    }
    let runs = runs(&handlers);
    // How often each expression came to its end, and was followed.
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for ((handler, values), run) in handlers.iter().zip(&runs) {
        assert_eq!(contradictions(run), Vec::<&String>::new(), "{handler} of {values:?}");
        let (ended, followed) = counts.entry(handler).or_default();
        if run.aborted.is_none() {
            *ended += 1;
            let depends = run.writes.get("r").is_some_and(|expr| !matches!(expr, Expr::Constant(_)));
            *followed += usize::from(depends || !run.branches.is_empty());
        }
    }
    let weak: Vec<_> = counts.iter().filter(|(_, (ended, followed))| *ended < 15 || followed * 4 < ended * 3).collect();
    assert!(weak.is_empty(), "seldom followed: {weak:?}");
    let (ended, followed) = counts.values().fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
    assert!(ended * 10 > runs.len() * 9, "{ended} of {}", runs.len());
    assert!(followed * 100 > ended * 90, "{followed} of {ended} were followed");
}

/// A handler, the conditions of its path for `a` = 1, and a part of the reason why something is missing.
const BADLY_BEHAVED: &[(&str, &[&str], Option<&str>)] = &[
    ("if (a > 5) r = 1; throw new Error('no');", &["!(a > 5)"], Some("no")),
    ("while (a > 0) {}", &["a > 0"], Some("stopped")),
    ("for (;;) { try { for (;;); } catch {} }", &[], Some("stopped")),
    ("function deep() { return deep() + a; } deep();", &[], Some("stack")),
    ("const o = { get x() { return a + 1; } }; if (o.x > 3) r = 1;", &["!((a + 1) > 3)"], None),
    ("const p = new Proxy({}, { get: () => a }); if (p.any > 3) r = 1;", &["!(a > 3)"], None),
    ("function* g() { yield a; } for (const x of g()) if (x > 3) r = 1;", &[], Some("a value")),
    ("(async () => { if (a > 3) r = 1; await null; if (a > 5) r = 2; })();", &["!(a > 3)", "!(a > 5)"], None),
    ("r = eval('a + 1');", &[], Some("eval")),
    ("try { if (a > 3) throw 1; } finally { r = a; }", &["!(a > 3)"], None),
    ("label: for (const x of [1, 2]) { if (a === x) break label; }", &["a === 1"], None),
    ("if (a & 1) r = 1;", &["a & 1"], None),
    ("if (a ** 2 > 5) r = 1;", &[], Some("**")),
    ("const o = { x: 1, y: 2 }; const k = a > 3 ? 'x' : 'y'; if (o[k] > 1) r = 1;", &["!(a > 3)"], None),
    ("const l = [4, 5]; if (l[a] > 4) r = 1;", &["((a === 0) ? 4 : ((a === 1) ? 5 : undefined)) > 4"], None),
    ("const { x } = { x: a }; if (x > 3) r = 1;", &["!(a > 3)"], None),
    ("({ x: this.y } = { x: a });", &[], Some("a pattern")),
    ("(async () => { const x = { y: a }?.y ?? await 1; if (x > 3) r = 1; })();", &["!(a == null)", "!(a > 3)"], None),
    ("(async () => { const o = { f: x => x }; if (o?.f(await a) > 3) r = 1; })();", &[], Some("an optional chain")),
    ("if (Math.random() > 1) r = 1;", &["chance@18 >= 0", "chance@18 < 1", "!(chance@18 > 1)"], None),
    ("const l = [3, a]; l.sort((x, y) => x - y); if (l[0] > 3) r = 1;", &[], Some("the order of a list")),
    ("const f = (x = a) => x; if (f() > 3) r = 1;", &["!(a > 3)"], None),
    ("function g(n, { x = n > 0 ? g(n - 1, {}) : a } = {}) { return x; } if (g(2) > 3) r = 1;", &["!(a > 3)"], None),
    ("for (const x of [1, a]) { if (x > 3) r = 1; }", &["!(a > 3)"], None),
    ("const m = new Map([['k', a]]); for (const [, v] of m) if (v > 3) r = 1;", &[], None),
    ("if (!localStorage.getItem('other')) r = 1;", &["!localStorage[\"other\"]"], None),
    (
        "localStorage.setItem('k', a); if (localStorage.getItem('k') === '3') r = 1;",
        &["!((String(a)) === \"3\")"],
        None,
    ),
    ("const m = new Map(); m.set('k', a); if (m.get('k') > 3) r = 1;", &["!(a > 3)"], None),
    ("const s = new Set(); s.add(a); if (s.has(1)) r = 1;", &[], Some("a key")),
    (
        "const found = /\\d+/.exec(`x${a}`); if (found[0] > 3) r = 1;",
        &["/\\d+/.test((`${\"x\"}${a}`))", "!((/\\d+/.exec((`${\"x\"}${a}`))[0]) > 3)"],
        None,
    ),
    (
        "if (/^(\\d+)$/.exec(a)?.[1] > 3) r = 1;",
        &["/^(\\d+)$/.test((String(a)))", "!((/^(\\d+)$/.exec((String(a)))[1]) > 3)"],
        None,
    ),
    ("const [, x] = /(.)\\1/.exec(`xx${a}`); if (x > 3) r = 1;", &[], Some("what a regular expression captures")),
    ("const [, x] = `x${a}`.match(/x(?=(.))/); if (x > 3) r = 1;", &[], Some("what a regular expression captures")),
    ("const [, x] = /(\\d)/g.exec(`x${a}`); if (x > 3) r = 1;", &[], Some("what a regular expression captures")),
    (
        "const found = `x${a}`.match(/\\d/g); if (found.length > 3) r = 1;",
        &[],
        Some("what a regular expression captures"),
    ),
    ("for (const [x] of `x${a}`.matchAll(/\\d/g)) if (x > 3) r = 1;", &[], Some("what a regular expression captures")),
    ("const [, x] = `x${a}`.split(/x/); if (x > 3) r = 1;", &["!(((`${\"x\"}${a}`).split(/x/)[1]) > 3)"], None),
    ("const [, x] = `x${a}`.split(/(x)/); if (x > 3) r = 1;", &[], Some("the parts of a text")),
    ("class C { #x = a; get y() { return this.#x; } } if (new C().y > 3) r = 1;", &[], Some("a value")),
];

#[test]
fn handlers_that_behave_badly_give_a_summary_or_a_reason() {
    let handlers: Vec<_> =
        BADLY_BEHAVED.iter().map(|(body, ..)| (body.to_string(), vec![Value::Number(1.0)])).collect();
    for ((body, conditions, reason), run) in BADLY_BEHAVED.iter().zip(runs(&handlers)) {
        let found: Vec<String> = run.branches.iter().map(ToString::to_string).collect();
        assert_eq!(found, *conditions, "{body}: {run:?}");
        assert_eq!(contradictions(&run), Vec::<&String>::new(), "{body}");
        let reasons: Vec<&String> = run.concrete.iter().chain(&run.aborted).collect();
        match reason {
            Some(part) => assert!(reasons.iter().any(|reason| reason.contains(part)), "{body}: {reasons:?}"),
            None => assert_eq!(run.aborted, None, "{body}"),
        }
    }
}
