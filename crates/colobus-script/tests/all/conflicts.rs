//! What the runtime logs: two events conflict exactly if they touch the same place and one of them writes it.

use colobus_script::{Access, Kind, Log, Options, rewrite, rewrite_library, runtime};
use serde_json::{Value, json};

use crate::support;

/// Two events after a setup, and whether they conflict.
struct Case {
    setup: &'static str,
    one: &'static str,
    other: &'static str,
    conflict: bool,
}

const fn yes(setup: &'static str, one: &'static str, other: &'static str) -> Case {
    Case { setup, one, other, conflict: true }
}

const fn no(setup: &'static str, one: &'static str, other: &'static str) -> Case {
    Case { setup, one, other, conflict: false }
}

/// What was logged for each case. The code of this part is a library.
fn run(page: Option<&str>, cases: &[Case], library: &str) -> Vec<Log> {
    let inputs: Vec<Value> = cases
        .iter()
        .map(|case| {
            let mut first_site = 0;
            let mut rewritten = |name: &str, source: &str| {
                let options = Options { first_site };
                let done = match name == library {
                    true => rewrite_library(source, Kind::Script, "lib.js", &options),
                    false => rewrite(source, Kind::Script, &options),
                };
                let done = done.unwrap_or_else(|why| panic!("{why}\n{source}"));
                first_site += done.sites.len() as u32;
                json!([name, done.code])
            };
            let events = [rewritten("setup", case.setup), rewritten("one", case.one), rewritten("other", case.other)];
            let mut evaluated = Vec::new();
            for (around, text) in evaluations(&events) {
                let kind = Kind::Eval { around: &around };
                let done = rewrite(text, kind, &Options { first_site }).unwrap();
                first_site += done.sites.len() as u32;
                evaluated.push(json!(["eval", around, text, done.code]));
            }
            json!({ "page": page, "events": events, "evaluated": evaluated })
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cases.json");
    std::fs::write(&file, json!({ "runtime": runtime(), "cases": inputs }).to_string()).unwrap();
    let output = support::node(&support::folder("node"), ["events.js", file.to_str().unwrap()]);
    let results: Vec<Log> = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|why| panic!("{why}\n{}\n{}", support::text(&output.stdout), support::text(&output.stderr)));
    results
}

/// Every text that a case evaluates, in each place that does.
fn evaluations(events: &[Value]) -> Vec<(String, &'static str)> {
    let codes = events.iter().filter_map(|event| event[1].as_str());
    let places = codes.flat_map(support::evaluations);
    places.flat_map(|around| EVALUATED.map(|text| (around.clone(), text))).collect()
}

/// The conflicts between the two events.
fn conflicts(log: &Log) -> Vec<String> {
    let of = |name: &'static str| log.events.iter().filter(move |event| event.event.as_deref() == Some(name));
    let accesses = |name: &'static str| of(name).flat_map(|event| &event.accesses);
    let pairs = accesses("one").flat_map(|access| accesses("other").map(move |against| (access, against)));
    let found = pairs.filter(|(access, against)| log.conflict(access, against));
    let place = |access: &Access| log.places[access.place].to_string();
    found.map(|(one, other)| format!("{:?} {} / {:?} {}", one.kind, place(one), other.kind, place(other))).collect()
}

fn check(page: Option<&str>, cases: &[Case]) {
    check_with(page, cases, "");
}

/// The same if the code of one part, `setup` or `one`, is a library.
fn check_with(page: Option<&str>, cases: &[Case], library: &str) {
    let mut wrong = Vec::new();
    for (case, logged) in cases.iter().zip(run(page, cases, library)) {
        let found = conflicts(&logged);
        if found.is_empty() == case.conflict {
            wrong.push(format!(
                "{} || {}: expected {}, found {found:#?}\n{logged:?}",
                case.one, case.other, case.conflict
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const OBJECT: &str =
    "var o = { a: 1, b: 2, deep: { x: 1, y: { z: 2 } }, m() { return this.a } }, k = 'a'; function key(x) { return x }";
const LIST: &str = "var list = [1, 2, 3], map = new Map([['a', 1], ['b', 2]]), set = new Set([1]);";
const COUNTERS: &str =
    "function counter() { let n = 0; return { up() { n++; }, get() { return n } } } var c = counter(), d = counter();
    var made = []; for (let i = 0; i < 2; i++) { let v = 0; made.push({ set(x) { v = x }, get() { return v } }) }";
const CLASSES: &str = "class A { #p = 1; static s = 1; get p() { return this.#p } set(x) { this.#p = x } m() {} } var a = new A(), b = new A();
    function* walk() { let n = 0; while (true) yield n++ } var w = walk(), v = walk();";

#[test]
fn names() {
    check(
        None,
        &[
            yes("var x = 0, y = 0;", "x = 1", "y = x"),
            no("var x = 0, y = 0;", "x = 1", "y = 2"),
            no("var x = 0;", "x + 1", "x + 2"),
            yes("", "try { late() } catch {}", "function late() {}"),
            yes("", "typeof late", "var late = 1"),
            yes("let late = 0", "late += 1; late", "late = 3"),
            yes("", "window1 = 1", "globalThis.window1"),
            yes(COUNTERS, "c.up()", "c.get()"),
            no(COUNTERS, "c.up()", "d.get()"),
            yes(COUNTERS, "made[0].set(1)", "made[0].get()"),
            no(COUNTERS, "made[0].set(1)", "made[1].get()"),
            no("var n = 0", "n++", "n += 2;"),
            yes("var n = 0", "n++", "var m = n"),
            no("", "var App = App || {}", "var App = App || {}"),
            yes("var o = {}", "[o.a, x] = [1, 2]", "x"),
            yes("var o = {}", "for (x of [1]) ;", "x"),
        ],
    );
}

const EVALUATED: [&str; 4] = ["n++", "() => n", "m", "let n = 5; n++"];
const EVALUATING: &str =
    "function counter() { let n = 0, m = 0; return { up() { eval('n++') }, get() { return n }, other() { return m },
    shadow() { eval('let n = 5; n++') }, made: eval('() => n'), set() { m = 2 }, see() { return eval('m') } } }
    var c = counter(), d = counter();";

#[test]
fn what_is_evaluated_in_place_touches_the_variables_around_it() {
    check(
        None,
        &[
            yes(EVALUATING, "c.up()", "c.get()"),
            yes(EVALUATING, "c.up()", "c.made()"),
            no(EVALUATING, "c.up()", "c.other()"),
            no(EVALUATING, "c.up()", "d.get()"),
            no(EVALUATING, "c.shadow()", "c.get()"),
            yes(EVALUATING, "c.set()", "c.see()"),
            no(EVALUATING, "c.set()", "c.made()"),
            yes("var n = 0", "eval('n++')", "var seen = n"),
            // Nothing is known of what cannot be rewritten.
            yes("var o = { n: 0 }", "eval('1 +' + ' 1')", "o.n = 2"),
        ],
    );
}

#[test]
fn properties() {
    check(
        None,
        &[
            yes(OBJECT, "o.a = 2", "o.a"),
            no(OBJECT, "o.a = 2", "o.b"),
            yes(OBJECT, "o[k] = 2", "o.a"),
            yes(OBJECT, "o[key('a')] = 2", "o[key('a')]"),
            no(OBJECT, "o[key('a')] = 2", "o[key('b')]"),
            yes(OBJECT, "o.a = 2", "o.m()"),
            yes(OBJECT, "delete o.a", "'a' in o"),
            yes(OBJECT, "o.fresh", "o.fresh = 1"),
            yes(OBJECT, "for (var i in o) ;", "o.fresh = 1"),
            yes(OBJECT, "o?.deep.x", "o.deep.x = 3"),
            yes(OBJECT, "o?.deep?.y.z", "o.deep.y.z = 3"),
            no(OBJECT, "o?.deep.x", "o.deep.y.z = 3"),
            yes(OBJECT, "var { deep: { x } } = o", "o.deep.x = 3"),
            no(OBJECT, "var { deep: { x } } = o", "o.a = 3"),
            yes(OBJECT, "(function ({ a }) { return a })(o)", "o.a = 3"),
            yes(OBJECT, "var copy = { ...o }", "o.b = 3"),
            no(OBJECT, "o.n = o.n || {}", "o.n = o.n || {}"),
            yes(OBJECT, "with (o) a", "o.a = 3"),
            yes(CLASSES, "a.p", "a.set(2)"),
            no(CLASSES, "a.p", "b.set(2)"),
            yes(CLASSES, "A.s", "A.s = 2"),
            yes(CLASSES, "a.m()", "A.prototype.m = () => 3"),
            yes(CLASSES, "w.next()", "w.next()"),
            no(CLASSES, "w.next()", "v.next()"),
        ],
    );
}

#[test]
fn functions_of_the_language() {
    check(
        None,
        &[
            yes(LIST, "list.push(4)", "list[0]"),
            yes(LIST, "list.push(4)", "list.length"),
            yes(LIST, "list.shift()", "list.map((x) => x)"),
            no(LIST, "list.map((x) => x)", "list.slice()"),
            yes(LIST, "list[3] = 1", "list.length"),
            no(LIST, "list[0] = 1", "list.length"),
            yes(LIST, "for (const x of list) ;", "list.pop()"),
            yes(LIST, "Math.max(...list)", "list.pop()"),
            yes(LIST, "map.set('a', 2)", "map.get('a')"),
            no(LIST, "map.set('a', 2)", "map.get('b')"),
            yes(LIST, "map.set('c', 2)", "map.size"),
            yes(LIST, "map.delete('a')", "map.forEach(() => {})"),
            no(LIST, "set.add(5)", "set.add(5)"),
            yes(LIST, "set.add(5)", "set.has(5)"),
            yes(LIST, "new Set(list)", "list.push(1)"),
            yes(OBJECT, "JSON.stringify(o)", "o.deep.y.z = 1"),
            yes(OBJECT, "Object.keys(o)", "o.fresh = 1"),
            yes(OBJECT, "Object.assign(o, { c: 1 })", "o.c"),
            no(OBJECT, "Object.assign(o, { c: 1 })", "o.a"),
            yes(OBJECT, "Object.defineProperty(o, 'c', { value: 1 })", "o.c"),
            yes(OBJECT, "o.hasOwnProperty('c')", "o.c = 1"),
            yes(OBJECT, "Reflect.get(o, 'a')", "o.a = 1"),
            yes(OBJECT, "Object.freeze(o)", "o.a"),
            yes("var day = new Date(0)", "day.setTime(1)", "Object.freeze(day)"),
        ],
    );
}

const PAGE: &str =
    "<!DOCTYPE html><body><div id='one' class='old'><p>text</p></div><form><input id='field' value='x'></form></body>";
const ELEMENTS: &str = "var one = document.getElementById('one'), field = document.getElementById('field'), made = document.createElement('b');
    made.id = 'late'; made.className = 'fresh';";

#[test]
fn document() {
    check(
        Some(PAGE),
        &[
            yes(ELEMENTS, "document.getElementById('late')", "document.body.appendChild(made)"),
            no(ELEMENTS, "document.getElementById('never')", "one.appendChild(made)"),
            yes(ELEMENTS, "document.querySelector('.fresh')", "one.append(made)"),
            yes(ELEMENTS, "document.querySelectorAll('div > b')", "one.append(made)"),
            no(ELEMENTS, "document.querySelector('.other')", "one.append(made)"),
            yes(ELEMENTS, "document.querySelector('.shown')", "one.className = 'shown'"),
            yes(ELEMENTS, "document.getElementsByTagName('i')", "one.innerHTML = '<i></i>'"),
            yes(ELEMENTS, "one.firstChild", "one.innerHTML = ''"),
            yes(ELEMENTS, "document.body.textContent", "one.firstChild.firstChild.data = 'other'"),
            yes(ELEMENTS, "one.getAttribute('title')", "one.setAttribute('title', 'x')"),
            yes(ELEMENTS, "one.getAttribute('title')", "one.title = 'x'"),
            no(ELEMENTS, "one.getAttribute('title')", "one.setAttribute('lang', 'x')"),
            yes(ELEMENTS, "field.value", "field.value = 'y'"),
            no(ELEMENTS, "field.value", "field.checked = true"),
            no(ELEMENTS, "one.classList.add('x')", "one.classList.add('y')"),
            no(ELEMENTS, "one.classList.add('x')", "one.classList.add('x')"),
            yes(ELEMENTS, "one.classList.add('x')", "one.classList.contains('x')"),
            yes(ELEMENTS, "one.classList.remove('old')", "one.className"),
            yes(ELEMENTS, "one.style.color = 'red'", "one.getAttribute('style')"),
            yes(ELEMENTS, "one.dataset.x", "one.setAttribute('data-x', '1')"),
            yes(ELEMENTS, "one.remove()", "document.getElementById('one')"),
            yes(ELEMENTS, "one.offsetWidth; document.title = 'x'", "document.title"),
        ],
    );
}

#[test]
fn handlers_storage_cookies_location() {
    check(
        Some(PAGE),
        &[
            yes(ELEMENTS, "one.addEventListener('click', () => {})", "one.click()"),
            yes(ELEMENTS, "one.onclick = () => {}", "one.click()"),
            yes(ELEMENTS, "document.addEventListener('click', () => {})", "one.click()"),
            no(ELEMENTS, "one.addEventListener('click', () => {})", "field.click()"),
            no(ELEMENTS, "one.addEventListener('keydown', () => {})", "one.click()"),
            yes(ELEMENTS, "one.click()", "one.removeEventListener('click', null)"),
            yes(
                ELEMENTS,
                "field.insertAdjacentHTML('afterend', '<u onclick=\"1\"></u>'); u = document.querySelector('u')",
                "u.click()",
            ),
            yes("", "localStorage.setItem('a', 1)", "localStorage.getItem('a')"),
            yes("", "localStorage.a = 1", "localStorage.getItem('a')"),
            no("", "localStorage.setItem('a', 1)", "localStorage.getItem('b')"),
            no("", "localStorage.setItem('a', 1)", "sessionStorage.getItem('a')"),
            yes("", "localStorage.clear()", "localStorage.getItem('b')"),
            yes("", "document.cookie = 'a=1'", "document.cookie"),
            yes("", "location.hash = 'x'", "location.href"),
            yes("", "history.pushState(null, '', '/x')", "location.pathname"),
        ],
    );
}

/// Figure 8.1 of the thesis: images that load append to a queue, clicks take from it.
#[test]
fn the_queue_of_the_slide_show() {
    let setup = "var queue = [], shown = 0; function loaded(image) { queue.push(image) }
        function next() { if (queue.length > shown) shown++; else setTimeout(next, 10) } function setTimeout() {}";
    check(
        None,
        &[
            yes(setup, "loaded('2.png')", "next()"),
            yes(setup, "loaded('2.png')", "loaded('3.png')"),
            no(setup, "typeof loaded", "queue.length"),
        ],
    );
}

const LIBRARY: &str =
    "(function (root) { var last = 0, made = {}; root.lib = { next() { return ++last }, of: (x) => x.a, never: 1,
    async later() { await null; return last }, show(to) { to.textContent = 'shown' }, own() { made.a = 1 } } })(this)";

#[test]
fn a_library_is_one_place_for_all_calls() {
    check_with(
        None,
        &[
            yes(LIBRARY, "lib.next()", "lib.of({})"),
            yes(LIBRARY, "lib.own()", "lib.own()"),
            yes(LIBRARY, "void lib.later()", "lib.next()"),
            no(LIBRARY, "lib.never", "lib.next()"),
            no(LIBRARY, "lib.never", "lib.never"),
            yes(LIBRARY, "lib = {}", "lib.never"),
        ],
        "setup",
    );
}

#[test]
fn globals_that_a_library_makes_are_written() {
    check_with(
        None,
        &[
            yes("", LIBRARY, "typeof lib"),
            yes("", "let lib = {}", "typeof lib"),
            yes("", "class Lib {}", "try { new Lib() } catch {}"),
            yes("", "function lib() {}", "try { lib() } catch {}"),
            no("", LIBRARY, "typeof library"),
            no("", "var last = 1", "typeof library"),
        ],
        "one",
    );
}

#[test]
fn what_a_library_does_to_the_document_is_logged() {
    let setup = "var lib = { show(to) { to.textContent = 'shown' } }, one = document.getElementById('one');";
    check_with(
        Some(PAGE),
        &[
            yes(setup, "lib.show(one)", "one.textContent"),
            no(setup, "lib.show(one)", "document.getElementById('field').value"),
        ],
        "setup",
    );
}
