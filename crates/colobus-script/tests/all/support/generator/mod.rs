//! Random programs: the same seed gives the same program. They are rich in what a rewriter can get wrong (references,
//! evaluation order, names of functions, optional chains, destructuring, classes, closures, generators, missing semicolons)
//! and print what they compute.

mod expressions;
mod statements;

use colobus_random::Random;

/// A program, and the texts that it evaluates.
pub struct Program {
    pub source: String,
    pub evaluated: Vec<Evaluated>,
}

/// Code that a program hands to `eval` (without parameters) or `Function`.
pub struct Evaluated {
    pub kind: &'static str,
    pub parameters: &'static str,
    pub text: &'static str,
}

pub fn program(seed: u64) -> Program {
    let mut generator = Generator::new(seed);
    let source = generator.program();
    Program { source, evaluated: EVALUATED.to_vec() }
}

impl Clone for Evaluated {
    fn clone(&self) -> Self {
        Evaluated { ..*self }
    }
}

const EVALUATED: [Evaluated; 13] = [
    Evaluated { kind: "eval", parameters: "", text: "n = n + 1, o.a" },
    Evaluated { kind: "eval", parameters: "", text: "var made = o?.b?.c; made" },
    Evaluated { kind: "eval", parameters: "", text: "(function () { return typeof q })()" },
    Evaluated { kind: "eval", parameters: "", text: "typeof v1 + typeof v2 + typeof v3" },
    Evaluated { kind: "eval", parameters: "", text: "v1 = [n, typeof v2]; v2?.[k]" },
    Evaluated { kind: "eval", parameters: "", text: "(() => { let own = n; return () => [own++, n++, k] })()()" },
    Evaluated { kind: "eval", parameters: "", text: "var v1 = 7; let v2 = v1; function v3() { return v1 + v2 } v3()" },
    Evaluated { kind: "eval", parameters: "", text: "frozen[(log(8), 'a')] += 1; ({ n, k })" },
    Evaluated { kind: "eval", parameters: "", text: "eval(\"n = n + 1, o.a\")" },
    Evaluated { kind: "script", parameters: "", text: "var global1 = 3; global1++; global1" },
    Evaluated { kind: "function", parameters: "x,y", text: "return x.a + (y ?? this.n)" },
    Evaluated { kind: "function", parameters: "", text: "o.b.a += 2; return () => arguments.length" },
    Evaluated { kind: "generator", parameters: "x", text: "yield x; yield* [x, x]" },
];

/// What every program starts with: values that are worth touching, and a proxy that shows every look at it.
const PRELUDE: &str = r#"var n = 1, s = "text", u, arr = [3, 1, 2], set = new Set([1, 2]), map = new Map([["a", 1]]);
var o = { a: 1, b: { a: 2, b: { c: 3, a: null }, c: "x" }, c: [1, [2], { a: 3 }], n: 7,
  m(x) { log("m", x, this === o); return this }, get g() { log("get g"); return this.a }, set g(v) { log("set g", v); this.a = v },
  f: function () { return this }, [Symbol.iterator]: function* () { yield 1; yield this.a } };
var frozen = Object.freeze({ a: 1, b: { a: 2 } }), k = "a";
var key = { toString() { log("key"); return "b" } };
var p = new Proxy({ a: 1, b: { a: 5 } }, new Proxy({}, { get: (_, trap) => (...args) => {
  log(trap, typeof args[1] === "symbol" ? "symbol" : typeof args[1] === "object" ? "object" : args[1]); return Reflect[trap](...args) } }));
function F(x) { if (!new.target) return x; this.a = x; this.b = new.target === F }
F.prototype.c = function () { return [this.a, this.b] };
class K extends F { #x = 1; static z = 2; w = this.a; constructor(x) { super(x); this.#x = x } get x() { return this.#x }
  set x(v) { this.#x += v } static { this.y = this.z + 1 } up() { return super.c() } has(q) { return #x in q } inc() { return this.#x++ } }
var tag = (parts, ...values) => parts.raw.join("|") + values.length;
"#;

const NAMES: [&str; 6] = ["a", "b", "c", "m", "g", "length"];

struct Generator {
    random: Random,
    /// Variables in scope, and whether they can be assigned.
    scope: Vec<(String, bool)>,
    made: usize,
    is_async: bool,
    is_generator: bool,
    is_strict: bool,
    in_function: bool,
    has_new_target: bool,
    in_loop: bool,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let names = ["n", "s", "u", "arr", "o", "frozen", "k", "key", "p", "F", "K", "set", "map"];
        Generator {
            random: Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d),
            scope: names.iter().map(|name| (name.to_string(), ["n", "s", "u", "k"].contains(name))).collect(),
            made: 0,
            is_async: false,
            is_generator: false,
            is_strict: false,
            in_function: false,
            has_new_target: false,
            in_loop: false,
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    fn one_in(&mut self, number: usize) -> bool {
        self.below(number) == 0
    }

    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }

    fn fresh(&mut self) -> String {
        self.made += 1;
        format!("v{}", self.made)
    }

    fn name(&mut self) -> String {
        let at = self.below(self.scope.len());
        self.scope[at].0.clone()
    }

    fn assignable(&mut self) -> String {
        let free: Vec<String> = self.scope.iter().filter(|(_, free)| *free).map(|(name, _)| name.clone()).collect();
        free[self.below(free.len())].clone()
    }

    fn program(&mut self) -> String {
        self.is_strict = self.one_in(3);
        let mut source = String::new();
        if self.is_strict {
            source.push_str(self.pick(&["\"use strict\";\n", "'use strict'\n", "/* first */ \"use strict\"; "]));
        }
        source.push_str(PRELUDE);
        for _ in 0..3 + self.below(6) {
            let statement = self.statement(4);
            source.push_str(&match self.below(4) {
                0 => format!("{statement}\n"),
                _ => format!("try {{ {statement} }} catch (e) {{ log(e) }}\n"),
            });
        }
        source.push_str("log(n, s, u, arr, o, k, set, map)\n");
        source
    }
}
