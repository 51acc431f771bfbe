//! Statements, functions and classes of random programs.

use super::Generator;

impl Generator {
    pub(super) fn block(&mut self, depth: usize) -> String {
        let known = self.scope.len();
        let count = 1 + self.below(3);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        self.scope.truncate(known);
        statements.join(self.pick(&["\n", ";\n", " ;"]))
    }

    pub(super) fn statement(&mut self, depth: usize) -> String {
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
    pub(super) fn simple(&mut self, depth: usize) -> String {
        match self.one_in(2) {
            true => format!("log({});", self.expression(depth)),
            false => format!("{};", self.expression_statement(depth).trim_start_matches(';')),
        }
    }

    pub(super) fn expression_statement(&mut self, depth: usize) -> String {
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

    pub(super) fn declaration(&mut self, depth: usize) -> String {
        let (name, keyword) = (self.fresh(), self.pick(&["let", "var", "const", "let"]));
        let value = if self.one_in(3) { self.function(depth) } else { self.expression(depth) };
        self.scope.push((name.clone(), keyword != "const"));
        format!("{keyword} {name} = {value}")
    }

    pub(super) fn pattern_declaration(&mut self, depth: usize) -> String {
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

    pub(super) fn counted_loop(&mut self, depth: usize) -> String {
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

    pub(super) fn each_loop(&mut self, depth: usize) -> String {
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
    pub(super) fn closures(&mut self, depth: usize) -> String {
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

    pub(super) fn asynchronous(&mut self, depth: usize) -> String {
        let (was, name) = ((self.is_async, self.is_generator, self.in_function, self.in_loop), self.fresh());
        (self.is_async, self.is_generator, self.in_function, self.in_loop) = (true, false, true, false);
        let body = self.block(depth - 1);
        (self.is_async, self.is_generator, self.in_function, self.in_loop) = was;
        format!(
            "var {name} = async (x) => {{ tick(); let y = x; await 0; const z = () => [x, y]; y = await x; {body}\n return z }}\n {name}(n).then((r) => log(r()), (e) => log(e))"
        )
    }

    pub(super) fn function_declaration(&mut self, depth: usize) -> String {
        let name = self.fresh();
        let body = self.function_body(depth - 1, false, false);
        self.scope.push((name.clone(), true));
        format!("function {name}{body}\n log({name}({}))", self.expression(1))
    }

    /// Parameters and body, from the opening bracket on.
    pub(super) fn function_body(&mut self, depth: usize, is_async: bool, is_generator: bool) -> String {
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

    pub(super) fn function(&mut self, depth: usize) -> String {
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

    pub(super) fn class(&mut self, depth: usize) -> String {
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
}
