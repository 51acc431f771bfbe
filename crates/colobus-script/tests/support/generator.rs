//! Random programs: the same seed gives the same program. They are rich in what a rewriter can get wrong (references,
//! evaluation order, names of functions, optional chains, destructuring, classes, closures, generators, missing semicolons)
//! and print what they compute.

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

const EVALUATED: [Evaluated; 7] = [
    Evaluated { kind: "eval", parameters: "", text: "n = n + 1, o.a" },
    Evaluated { kind: "eval", parameters: "", text: "var made = o?.b?.c; made" },
    Evaluated { kind: "eval", parameters: "", text: "(function () { return typeof q })()" },
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
    state: u64,
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
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d,
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

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
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

    fn block(&mut self, depth: usize) -> String {
        let known = self.scope.len();
        let count = 1 + self.below(3);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        self.scope.truncate(known);
        statements.join(self.pick(&["\n", ";\n", " ;"]))
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return format!("log({})", self.expression(1));
        }
        let below = depth - 1;
        match self.below(26) {
            0..=4 => format!("log({})", self.expression(depth)),
            5 | 6 => self.expression_statement(depth),
            7 | 8 => self.declaration(depth),
            9 => self.pattern_declaration(depth),
            10 => {
                format!("if ({}) {{ {} }} else {{ {} }}", self.expression(below), self.block(below), self.block(below))
            }
            11 => format!("if ({}) {}\nelse {}", self.expression(below), self.simple(below), self.simple(below)),
            12 => self.counted_loop(depth),
            13 => self.each_loop(depth),
            14 => format!(
                "switch ({}) {{ case {}: {}\nbreak; case {}: {}\n default: {} }}",
                self.expression(below),
                self.expression(1),
                self.simple(below),
                self.expression(1),
                self.simple(below),
                self.simple(below)
            ),
            15 => format!(
                "try {{ {} }} catch {{ {} }} finally {{ {} }}",
                self.block(below),
                self.simple(below),
                self.simple(below)
            ),
            16 => format!("try {{ throw {} }} catch ({{ a, message = a }}) {{ log(a) }}", self.expression(below)),
            17 => self.function_declaration(depth),
            18 => self.class(depth),
            19 if !self.is_strict => {
                format!("with ({}) {{ log(typeof a, typeof b); }}", self.pick(&["o", "frozen", "o.b", "p"]))
            }
            20 if self.in_function => format!("return {}", self.expression(below)),
            21 if self.in_loop => self.pick(&["continue", "break"]).to_string(),
            22 => self.closures(depth),
            23 => self.asynchronous(depth),
            24 => format!("{{ {} }}", self.block(below)),
            _ => format!(
                "label: {{ {}\n if ({}) break label\n {} }}",
                self.simple(below),
                self.expression(1),
                self.simple(below)
            ),
        }
    }

    /// A statement that may stand where no declaration may.
    fn simple(&mut self, depth: usize) -> String {
        match self.one_in(2) {
            true => format!("log({});", self.expression(depth)),
            false => format!("{};", self.expression_statement(depth).trim_start_matches(';')),
        }
    }

    fn expression_statement(&mut self, depth: usize) -> String {
        match self.below(3) {
            0 => self.assignment(depth),
            1 => format!("{}{}", self.target(depth.min(2)), self.pick(&["++", "--"])),
            _ => {
                let expression = self.expression(depth);
                // What begins like a declaration, a block or the rest of the line before is put in brackets.
                let hazard = ["{", "function", "class", "async", "(", "[", "`", "/", "+", "-", "let"];
                if hazard.iter().any(|start| expression.starts_with(start)) {
                    format!(";({expression})")
                } else {
                    expression
                }
            }
        }
    }

    fn declaration(&mut self, depth: usize) -> String {
        let (name, keyword) = (self.fresh(), self.pick(&["let", "var", "const", "let"]));
        let value = if self.one_in(3) { self.function(depth) } else { self.expression(depth) };
        self.scope.push((name.clone(), keyword != "const"));
        format!("{keyword} {name} = {value}")
    }

    fn pattern_declaration(&mut self, depth: usize) -> String {
        let (one, two, keyword) = (self.fresh(), self.fresh(), self.pick(&["let", "var", "const"]));
        let value = self.expression(depth - 1);
        let default = self.expression(1);
        let pattern = match self.below(5) {
            0 => format!("{{ a: {one}, b: {{ a: {two} }} = {{}} }}"),
            1 => format!("{{ {}: {one} = {default}, ...{two} }}", self.pick(&["a", "[k]", "'b'", "[key]"])),
            2 => format!("[{one}, {two} = {default}]"),
            3 => format!("[, {one}, ...{two}]"),
            _ => format!("{{ a: {one} = function () {{}}, length: {two} }}"),
        };
        self.scope.push((one, keyword != "const"));
        self.scope.push((two, keyword != "const"));
        let value =
            if pattern.starts_with('[') { format!("[...{}]", self.iterable(1)) } else { format!("({value}) ?? {{}}") };
        format!("{keyword} {pattern} = {value}")
    }

    fn counted_loop(&mut self, depth: usize) -> String {
        let counter = self.fresh();
        let known = self.scope.len();
        self.scope.push((counter.clone(), false));
        let was = std::mem::replace(&mut self.in_loop, true);
        let body = self.block(depth - 1);
        self.in_loop = was;
        self.scope.truncate(known);
        match self.below(3) {
            0 => format!("for (let {counter} = 0; {counter} < 3; {counter}++) {{ tick(); {body} }}"),
            1 => format!("var {counter} = 0; while ({counter}++ < 2) {{ tick(); {body} }}"),
            _ => format!("var {counter} = 3; do {{ tick(); {body} }} while (--{counter})"),
        }
    }

    fn each_loop(&mut self, depth: usize) -> String {
        let item = self.fresh();
        let known = self.scope.len();
        let head = match self.below(6) {
            0 => format!("for (const {item} of {})", self.iterable(depth - 1)),
            1 => format!("for (var {item} in {})", self.expression(depth - 1)),
            2 => {
                let target = self.target(1);
                let iterable = self.iterable(1);
                self.scope.push((item.clone(), false));
                self.scope.truncate(known);
                return format!("for ({target} of {iterable}) {{ tick(); log({target}) }}");
            }
            3 => format!("for (let [{item}] of map)"),
            4 => format!("for (let {{ a: {item} = 2 }} of [o, frozen, {}])", self.expression(1)),
            _ => format!("for (let {item} in {})", self.expression(1)),
        };
        self.scope.push((item.clone(), false));
        let was = std::mem::replace(&mut self.in_loop, true);
        let body = self.block(depth - 1);
        self.in_loop = was;
        self.scope.truncate(known);
        format!("{head} {{ tick(); {body}; log(() => {item}) }}")
    }

    /// Closures over a variable that is assigned later: these are logged with the number of an activation.
    fn closures(&mut self, depth: usize) -> String {
        let (list, shared) = (self.fresh(), self.fresh());
        let step = self.expression(depth - 1);
        self.scope.push((list.clone(), false));
        match self.below(3) {
            0 => format!(
                "let {list} = []; for (let i = 0; i < 2; i++) {{ let {shared} = i; {list}.push(() => {shared} += i, () => {shared}) }}\n for (const g of {list}) log(g())"
            ),
            1 => format!(
                "let {list} = (({shared}) => ({{ get: () => {shared}, set: (x) => {shared} = x, more: () => ({{ {shared} }}) }}))({step})\n {list}.set({list}.get()); log({list}.more(), {list}.set.name)"
            ),
            _ => format!(
                "let {list} = function outer({shared}) {{ tick(); const read = () => {shared}; [{shared}, n] = [2, 3]; ({{ a: {shared} = 4 }} = o); {shared}?.x; return [read(), typeof {shared}, read] }}\n log({list}({step}))"
            ),
        }
    }

    fn asynchronous(&mut self, depth: usize) -> String {
        let (was, name) = ((self.is_async, self.is_generator, self.in_function, self.in_loop), self.fresh());
        (self.is_async, self.is_generator, self.in_function, self.in_loop) = (true, false, true, false);
        let body = self.block(depth - 1);
        (self.is_async, self.is_generator, self.in_function, self.in_loop) = was;
        format!(
            "var {name} = async (x) => {{ tick(); let y = x; await 0; const z = () => [x, y]; y = await x; {body}\n return z }}\n {name}(n).then((r) => log(r()), (e) => log(e))"
        )
    }

    fn function_declaration(&mut self, depth: usize) -> String {
        let name = self.fresh();
        let body = self.function_body(depth - 1, false, false);
        self.scope.push((name.clone(), true));
        format!("function {name}{body}\n log({name}({}))", self.expression(1))
    }

    /// Parameters and body, from the opening bracket on.
    fn function_body(&mut self, depth: usize, is_async: bool, is_generator: bool) -> String {
        let was =
            (self.is_async, self.is_generator, self.in_function, self.in_loop, self.scope.len(), self.has_new_target);
        let (one, two) = (self.fresh(), self.fresh());
        let parameters = match self.below(5) {
            0 => format!("({one}, {two} = {})", self.outside(1)),
            1 => format!("({{ a: {one}, b: {two} = 3 }} = {{}})"),
            2 => format!("({one}, ...{two})"),
            3 => format!("([{one}] = [1], {two} = () => {one})"),
            _ => format!("({one}, {two})"),
        };
        self.scope.push((one, true));
        self.scope.push((two, true));
        (self.is_async, self.is_generator, self.in_function, self.in_loop) = (is_async, is_generator, true, false);
        self.has_new_target = true;
        let body = self.block(depth);
        self.has_new_target = was.5;
        (self.is_async, self.is_generator, self.in_function, self.in_loop) = (was.0, was.1, was.2, was.3);
        self.scope.truncate(was.4);
        let directive =
            if !parameters.contains(['=', '{', '[', '.']) && self.one_in(4) { "'use strict'\n" } else { "" };
        // Sloppy constructs must not come under the directive.
        let directive = if body.contains("with (") || body.contains("delete ") { "" } else { directive };
        format!("{parameters} {{ {directive} tick(); {body} }}")
    }

    fn function(&mut self, depth: usize) -> String {
        let below = depth.saturating_sub(1);
        match self.below(7) {
            0 => format!("function {}", self.function_body(below, false, false)),
            1 => format!("function named{}", self.function_body(below, false, false)),
            2 => format!("function* {}", self.function_body(below, false, true)),
            3 => format!("async function {}", self.function_body(below, true, false)),
            4 => format!("class {{ static a = {}; b() {{ return this }} }}", self.outside(below.min(1))),
            5 => format!("(x, y) => {}", self.outside(below)),
            _ => format!("x => {{ tick(); return {} }}", self.outside(below)),
        }
    }

    fn class(&mut self, depth: usize) -> String {
        let name = self.fresh();
        let was = std::mem::replace(&mut self.is_strict, true);
        let value = self.outside(depth - 1);
        let method = self.function_body(depth - 1, false, false);
        let generator = self.function_body(depth - 1, false, true);
        self.is_strict = was;
        self.scope.push((name.clone(), true));
        let extends = self.pick(&["", " extends F", " extends (0, K)", " extends o.constructor"]);
        format!(
            "class {name}{extends} {{ #p = n; static #q = 1; a = this.#p; [k + \"1\"] = {value}\n static s = () => this.#q++\n m{method}\n *[Symbol.iterator]{generator}\n get p() {{ return this.#p }} set p(v) {{ this.#p ||= v; {name}.#q += 1 }}\n static {{ this.t = this.#q; let w = 1; this.w = () => ++w }} test(q) {{ return #p in q && this?.#p }} }}\n var i{name} = new {name}(2); log(i{name}, i{name}.p, i{name}.p = 3, {name}.s(), {name}.w(), i{name}.m(1), i{name}.test(i{name}), {name}.name)"
        )
    }

    /// An expression that belongs to a function, class or parameter list of its own.
    fn outside(&mut self, depth: usize) -> String {
        let was = (self.is_async, self.is_generator);
        (self.is_async, self.is_generator) = (false, false);
        let expression = self.bracketed(depth);
        (self.is_async, self.is_generator) = was;
        expression
    }

    fn bracketed(&mut self, depth: usize) -> String {
        format!("({})", self.expression(depth))
    }

    fn target(&mut self, depth: usize) -> String {
        match self.below(8) {
            0..=2 => self.assignable(),
            3 => format!("o.{}", self.pick(&["a", "b", "n", "g", "x", "constructor"])),
            4 => format!("o[{}]", self.expression(depth.min(1))),
            5 => format!("{}.{}", self.pick(&["p", "arr", "frozen", "o.b", "K", "F.prototype"]), self.pick(&NAMES)),
            6 => format!(
                "{}[{}]",
                self.pick(&["arr", "o.b", "p", "frozen", "(log(1), o)"]),
                self.pick(&["k", "key", "0", "'a'", "k + 1", "(log(2), k)"])
            ),
            _ => format!("{}.b.x", self.pick(&["o", "p"])),
        }
    }

    fn assignment(&mut self, depth: usize) -> String {
        let below = depth.saturating_sub(1);
        match self.below(9) {
            0..=2 => format!("{} = {}", self.target(depth), self.expression(below)),
            3 => format!(
                "{} {} {}",
                self.target(depth),
                self.pick(&["+=", "-=", "*=", "|=", "**=", ">>>=", "||=", "&&=", "??="]),
                self.expression(below)
            ),
            4 => {
                format!("[{}, {} = {}] = [...{}]", self.target(1), self.target(1), self.expression(1), self.iterable(1))
            }
            5 => format!(
                "({{ a: {}, [k]: {}, ...u }} = {} ?? o)",
                self.target(1),
                self.target(1),
                self.expression(below)
            ),
            6 => format!("{} = {}", self.assignable(), self.function(below)),
            7 => {
                let name = self.assignable();
                format!(
                    "{name} = {}",
                    self.pick(&["NAME || {}", "NAME ? NAME : 1", "NAME ?? []"]).replace("NAME", &name)
                )
            }
            _ => format!("({{ n, s = {} }} = {{ n: {} }})", self.expression(1), self.expression(1)),
        }
    }

    fn iterable(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 => "arr".into(),
            1 => {
                self.pick(&["o", "set", "map", "s", "[...arr, ...set]", "map.entries()", "Object.entries(o.b)"]).into()
            }
            2 => format!("[{}, {}]", self.expression(depth.min(1)), self.expression(depth.min(1))),
            3 => format!("[{}, , ...arr]", self.expression(depth.min(1))),
            4 => "(function* () { try { yield* arr; yield n } finally { log('closed') } })()".into(),
            _ => format!("new Set([{}])", self.expression(depth.min(1))),
        }
    }

    fn chain(&mut self, depth: usize) -> String {
        let mut chain = match self.below(4) {
            0 => self.name(),
            1 => "o".into(),
            2 => self.pick(&["o.b", "o?.b", "u", "p", "arr", "(o?.m)", "(u?.a)", "this"]).into(),
            _ => format!("({})", self.expression(depth.saturating_sub(2))),
        };
        for _ in 0..1 + self.below(4) {
            let argument = if self.one_in(4) { self.expression(depth.saturating_sub(2)) } else { "n".into() };
            let link = match self.below(9) {
                0 | 1 => format!("?.{}", self.pick(&NAMES)),
                2 | 3 => format!(".{}", self.pick(&NAMES)),
                4 => format!("?.[{}]", self.pick(&["k", "key", "'b'", "(log(3), 'b')"])),
                5 => format!("[{}]", self.pick(&["k", "key", "'b'", "(log(4), 'c')", "0"])),
                6 => format!("?.m({argument})"),
                7 => format!(".m?.({argument})"),
                _ => format!("[{}]?.({argument})", self.pick(&["'m'", "(log(5), 'm')", "k"])),
            };
            chain.push_str(&link);
        }
        match self.below(8) {
            0 => format!("delete {chain}"),
            1 => format!("({chain})(n)"),
            2 => format!("typeof {chain}"),
            _ => chain,
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.below(8) {
                0..=3 => self.name(),
                4 => self.pick(&["0", "1", "2.5", "-1", "NaN", "10n", "true", "null", "undefined"]).into(),
                5 => self
                    .pick(&["\"a\"", "'b'", "`c`", "/x/g", "[]", "{}", "''", "\"use strict\""])
                    .replace("{}", "({})"),
                6 => self.pick(&["o.a", "o.b.c", "arr[0]", "arr.length", "o[k]", "this", "p.a", "o.b[k]"]).into(),
                _ => self
                    .pick(&["typeof nothing", "o?.b", "u?.a.b", "typeof u", "key", "new.target"])
                    .replace("new.target", if self.has_new_target { "new.target" } else { "n" }),
            };
        }
        let below = depth - 1;
        match self.below(34) {
            0 | 1 => format!(
                "({} {} {})",
                self.bracketed(below),
                self.pick(&["+", "-", "*", "===", "==", "<", "&&", "||", "&", ","]),
                self.bracketed(below)
            ),
            2 => format!("({} ?? {})", self.bracketed(below), self.bracketed(below)),
            3 => format!("({} ? {} : {})", self.expression(below), self.expression(below), self.expression(below)),
            4..=7 => self.chain(depth),
            8 => format!("({})", self.assignment(depth)),
            9 => format!("({}{})", self.target(1), self.pick(&["++", "--"])),
            10 => format!("({}{})", self.pick(&["++", "--"]), self.target(1)),
            11 => {
                format!(
                    "{{ a: {}, {}, m() {{ return {} }}, ...{} }}",
                    self.bracketed(below),
                    self.name(),
                    self.outside(below),
                    self.name()
                )
                .replacen('{', "({", 1)
                    + ")"
            }
            12 => format!(
                "({{ get a() {{ return {} }}, set a(v) {{ log(v) }}, [{}]: 1, __proto__: F.prototype, n }})",
                self.outside(below),
                self.expression(1)
            ),
            13 => format!("[{}, ...{}, {}]", self.bracketed(below), self.iterable(below), self.bracketed(below)),
            14 | 15 => format!("({})", self.function(depth)),
            16 => format!("({})({})", self.function(depth), self.expression(below)),
            17 => format!(
                "new {}({})",
                self.pick(&[
                    "F",
                    "K",
                    "o.constructor",
                    "(o.constructor)",
                    "(class { constructor(x) { this.x = x } })",
                    "new F(F).a",
                    "o['constructor']"
                ]),
                self.expression(below)
            ),
            18 => format!("tag`x${{{}}}\\n${{{}}}`", self.expression(below), self.expression(1)),
            19 => format!(
                "`${{{}}} ${{{}}}`",
                self.pick(&["n", "k", "s", "o.a", "arr"]),
                self.pick(&["n", "o.b.c", "typeof o.m"])
            ),
            20 => format!("Math.max(...[{}, n])", self.pick(&["1", "o.a", "arr.length"])),
            21 => format!(
                "({} in {})",
                self.pick(&["k", "'a'", "key", "n", "(log(6), 'b')"]),
                self.pick(&["o", "p", "arr", "frozen", "K"])
            ),
            22 => format!("({} instanceof {})", self.bracketed(below), self.pick(&["F", "K", "Object", "Array"])),
            23 => {
                format!("{} {}", self.pick(&["typeof", "void", "!", "-"]), self.bracketed(below)).replace("- (", "-(+!")
            }
            24 => format!(
                "arr.{}",
                self.pick(&[
                    "map((x) => x + n)",
                    "concat(o.c)",
                    "push(n)",
                    "slice().sort()",
                    "reduce((a, b) => a + b, 0)",
                    "splice(0, 1)",
                    "find((x) => x === o.a)",
                    "at(-1)",
                    "join()"
                ])
            ),
            25 => format!(
                "{}",
                self.pick(&[
                    "Object.keys(o.b)",
                    "JSON.stringify(o.b)",
                    "Object.assign({}, o.b)",
                    "map.get(k)",
                    "set.has(n)",
                    "Reflect.ownKeys(frozen)",
                    "Object.getOwnPropertyNames(K).join()",
                    "[...map.keys()]"
                ])
            ),
            26 => format!("({}).toString()", self.function(below.min(1))),
            27 => format!(
                "{}",
                self.pick(&[
                    "eval(\"n = n + 1, o.a\")",
                    "eval(\"var made = o?.b?.c; made\")",
                    "eval(\"(function () { return typeof q })()\")",
                    "(0, eval)(\"var global1 = 3; global1++; global1\")"
                ])
            ),
            28 => format!(
                "{}",
                self.pick(&[
                    "new Function(\"x\", \"y\", \"return x.a + (y ?? this.n)\").call(o, o)",
                    "Function(\"o.b.a += 2; return () => arguments.length\")()()",
                    "new Function(\"x\", \"y\", \"return x.a + (y ?? this.n)\").toString()"
                ])
            ),
            29 if self.is_async => format!("(await {})", self.bracketed(below)),
            30 if self.is_generator => format!("(yield {})", self.bracketed(below)),
            31 if self.is_generator => format!("(yield* {})", self.iterable(below)),
            32 => format!(
                "{}({})",
                self.pick(&["F", "o.m", "o['m']", "(o.m)", "(0, o.m)", "o.f", "o[(log(7), 'm')]", "nothing", "n"]),
                self.expression(below)
            ),
            33 => format!(
                "new K({}).{}",
                self.expression(below),
                self.pick(&["x", "up()", "has(o)", "inc()", "w", "c()"])
            ),
            _ => self.expression(below),
        }
    }
}
