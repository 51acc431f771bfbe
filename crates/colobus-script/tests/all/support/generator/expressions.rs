//! Expressions of random programs.

use super::{Generator, NAMES};

impl Generator {
    /// An expression that belongs to a function, class or parameter list of its own.
    pub(super) fn outside(&mut self, depth: usize) -> String {
        let was = (self.is_async, self.is_generator);
        (self.is_async, self.is_generator) = (false, false);
        let expression = self.bracketed(depth);
        (self.is_async, self.is_generator) = was;
        expression
    }

    pub(super) fn bracketed(&mut self, depth: usize) -> String {
        format!("({})", self.expression(depth))
    }

    pub(super) fn target(&mut self, depth: usize) -> String {
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

    pub(super) fn assignment(&mut self, depth: usize) -> String {
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

    pub(super) fn iterable(&mut self, depth: usize) -> String {
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

    pub(super) fn chain(&mut self, depth: usize) -> String {
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

    pub(super) fn expression(&mut self, depth: usize) -> String {
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
            25 => self
                .pick(&[
                    "Object.keys(o.b)",
                    "JSON.stringify(o.b)",
                    "Object.assign({}, o.b)",
                    "map.get(k)",
                    "set.has(n)",
                    "Reflect.ownKeys(frozen)",
                    "Object.getOwnPropertyNames(K).join()",
                    "[...map.keys()]",
                ])
                .to_string(),
            26 => format!("({}).toString()", self.function(below.min(1))),
            27 => self
                .pick(&[
                    "eval(\"n = n + 1, o.a\")",
                    "eval(\"var made = o?.b?.c; made\")",
                    "eval(\"(function () { return typeof q })()\")",
                    "eval(\"typeof v1 + typeof v2 + typeof v3\")",
                    "eval(\"v1 = [n, typeof v2]; v2?.[k]\")",
                    "eval(\"(() => { let own = n; return () => [own++, n++, k] })()()\")",
                    "eval(\"var v1 = 7; let v2 = v1; function v3() { return v1 + v2 } v3()\")",
                    "eval(\"frozen[(log(8), 'a')] += 1; ({ n, k })\")",
                    "eval(\"eval(\\\"n = n + 1, o.a\\\")\")",
                    "(0, eval)(\"var global1 = 3; global1++; global1\")",
                ])
                .to_string(),
            28 => self
                .pick(&[
                    "new Function(\"x\", \"y\", \"return x.a + (y ?? this.n)\").call(o, o)",
                    "Function(\"o.b.a += 2; return () => arguments.length\")()()",
                    "new Function(\"x\", \"y\", \"return x.a + (y ?? this.n)\").toString()",
                ])
                .to_string(),
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
