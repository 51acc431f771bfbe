//! Patterns that take values apart: every name keeps what was known of the part that it gets. The page reads the parts as the
//! program says; the runtime looks up beside the taken-apart value what is known of them (`page/concolic/patterns.js`).

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::symbol::SymbolId;

use super::bindings::Binding;
use super::instrumenter::Instrumenter;
use super::literals::javascript_string;

/// A name in a pattern.
pub(super) struct Leaf {
    pub name: String,
    pub binding: Binding,
    /// Where it is in the value, as a list in JavaScript: names, indices, `null` for what is computed, `[n]` for the rest.
    pub path: String,
    /// The site of its default value, or -1.
    pub default: i64,
}

impl Leaf {
    /// What is known of it, asked of a source that is written as JavaScript.
    pub fn lookup(&self, source: &str) -> String {
        format!("__k$.dl({source},{},{},{})", self.path, self.name, self.default)
    }
}

/// How a pattern is walked: the path so far, and the names that were found.
#[derive(Default)]
struct Walk {
    path: Vec<String>,
    leaves: Vec<Leaf>,
    /// Whether a part goes somewhere else than into a variable.
    has_others: bool,
}

impl Walk {
    fn found(&mut self, name: &str, binding: Binding, default: Option<u32>) {
        let path = format!("[{}]", self.path.join(","));
        self.leaves.push(Leaf { name: name.to_string(), binding, path, default: default.map_or(-1, i64::from) });
    }
}

impl<'a> Instrumenter<'_> {
    /// The names of a pattern that declares variables. Default values and computed names are instrumented.
    pub fn declared_leaves(&mut self, pattern: &BindingPattern<'a>) -> Vec<Leaf> {
        let mut walk = Walk::default();
        self.bound(pattern, None, &mut walk);
        walk.leaves
    }

    fn bound(&mut self, pattern: &BindingPattern<'a>, default: Option<u32>, walk: &mut Walk) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => walk.found(name.name.as_str(), self.declared(name), default),
            BindingPattern::AssignmentPattern(it) => {
                let default = self.default_value(&it.right);
                self.bound(&it.left, default, walk);
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    self.key(&property.key, property.computed, walk);
                    self.bound(&property.value, None, walk);
                    walk.path.pop();
                }
                if let Some(rest) = &object.rest {
                    walk.path.push("[-1]".to_string());
                    self.bound(&rest.argument, None, walk);
                    walk.path.pop();
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (index, element) in array.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    walk.path.push(index.to_string());
                    self.bound(element, None, walk);
                    walk.path.pop();
                }
                if let Some(rest) = &array.rest {
                    walk.path.push(format!("[{}]", array.elements.len()));
                    self.bound(&rest.argument, None, walk);
                    walk.path.pop();
                }
            }
        }
    }

    fn key(&mut self, key: &PropertyKey<'a>, computed: bool, walk: &mut Walk) {
        let name = if computed { None } else { key.static_name() };
        walk.path.push(name.map_or("null".to_string(), |name| javascript_string(&name)));
        if computed {
            walk::walk_property_key(self, key);
        }
    }

    /// A default value tells the runtime that it was used. One that takes its name from the variable stays as it is.
    fn default_value(&mut self, it: &Expression<'a>) -> Option<u32> {
        if it.is_anonymous_function_definition() {
            self.value(it);
            return None;
        }
        let site = self.site(it.span(), self.text(it.span()));
        self.insert(it.span().start, format!("__k$.j({site},"));
        self.pair(it);
        self.insert(it.span().end, ")");
        Some(site)
    }

    /// `const {a} = v` becomes `const {a} = __k$.ds(site,"a",v,…),__k$a=__k$.dp(site,…)`.
    pub fn pattern_declarator(&mut self, it: &VariableDeclarator<'a>) {
        let leaves = self.declared_leaves(&it.id);
        let Some(init) = &it.init else { return };
        let followed: Vec<&Leaf> = leaves.iter().filter(|leaf| leaf.binding == Binding::Slot).collect();
        let Some(last) = followed.len().checked_sub(1) else { return self.visit_expression(init) };
        let site = self.site(it.span, self.text(it.id.span()));
        self.insert(init.span().start, format!("__k$.ds({site},{},", javascript_string(&leaves[0].name)));
        self.pair(init);
        self.insert(init.span().end, ")");
        for (index, leaf) in followed.iter().enumerate() {
            let lookup = leaf.lookup(&format!("__k$.dt({site},{})", u8::from(index == last)));
            self.insert(it.span.end, format!(",__k${}={lookup}", leaf.name));
        }
    }

    /// `[a, b] = v` becomes `__k$.da([a, b] = __k$.ds(site,"",v,…),__k$a=…,__k$b=…)`.
    pub fn pattern_assignment(&mut self, it: &AssignmentExpression<'a>) {
        let site = self.site(it.span, self.text(it.left.span()));
        self.insert(it.span.start, "__k$.da(");
        let mut walk = Walk::default();
        self.assigned(&it.left, None, &mut walk);
        self.insert(it.right.span().start, format!("__k$.ds({site},\"\","));
        self.pair(&it.right);
        self.insert(it.right.span().end, ")");
        for leaf in &walk.leaves {
            let update = update(leaf, &format!("__k$.dt({site},0)"));
            self.insert(it.span.end, format!(",{update}"));
        }
        let others = if walk.has_others { format!(",__k$.l({site},\"a pattern\")") } else { String::new() };
        self.insert(it.span.end, format!(",__k$.dt({site},1){others})"));
    }

    fn assigned(&mut self, target: &AssignmentTarget<'a>, default: Option<u32>, walk: &mut Walk) {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                walk.found(name.name.as_str(), self.binding(name), default);
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for (index, element) in array.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    walk.path.push(index.to_string());
                    self.maybe_default(element, walk);
                    walk.path.pop();
                }
                if let Some(rest) = &array.rest {
                    walk.path.push(format!("[{}]", array.elements.len()));
                    self.assigned(&rest.target, None, walk);
                    walk.path.pop();
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => self.assigned_object(object, walk),
            other => {
                walk.has_others = true;
                if let Some(target) = other.as_simple_assignment_target() {
                    self.target_parts(target);
                }
            }
        }
    }

    fn assigned_object(&mut self, object: &ObjectAssignmentTarget<'a>, walk: &mut Walk) {
        for property in &object.properties {
            match property {
                AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                    walk.path.push(javascript_string(it.binding.name.as_str()));
                    let default = it.init.as_ref().and_then(|init| self.default_value(init));
                    walk.found(it.binding.name.as_str(), self.binding(&it.binding), default);
                }
                AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                    self.key(&it.name, it.computed, walk);
                    self.maybe_default(&it.binding, walk);
                }
            }
            walk.path.pop();
        }
        if let Some(rest) = &object.rest {
            walk.path.push("[-1]".to_string());
            self.assigned(&rest.target, None, walk);
            walk.path.pop();
        }
    }

    fn maybe_default(&mut self, it: &AssignmentTargetMaybeDefault<'a>, walk: &mut Walk) {
        match it {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(it) => {
                // The target stands before its default value.
                let default = self.default_value(&it.init);
                self.assigned(&it.binding, default, walk);
            }
            it => it.as_assignment_target().into_iter().for_each(|target| self.assigned(target, None, walk)),
        }
    }

    /// What a loop over elements does first in each round, if its variables can be followed: an opening brace and updates.
    pub fn element_updates(&mut self, it: &ForOfStatement<'a>, frame: &str) -> String {
        let mut walk = Walk::default();
        let mut keyword = "";
        match &it.left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                keyword = if declaration.kind.is_var() { "var " } else { "let " };
                declaration.declarations.iter().for_each(|declarator| self.bound(&declarator.id, None, &mut walk));
            }
            left => left.as_assignment_target().into_iter().for_each(|target| self.assigned(target, None, &mut walk)),
        }
        let mut text = format!("{{var {frame};{frame}.at++;");
        for leaf in &walk.leaves {
            let lookup = update(leaf, &format!("__k$.fe({frame})"));
            let declares = if leaf.binding == Binding::Slot { keyword } else { "" };
            text.push_str(&format!("{declares}{lookup};"));
        }
        text
    }

    /// The second variables of a function's parameters, as declarators. While default values are visited, parameters have none.
    pub fn parameter_slots(&mut self, params: &FormalParameters<'a>) -> Vec<String> {
        let depth = self.strict.len();
        let before = self.hidden.len();
        for (index, parameter) in params.items.iter().enumerate() {
            let is_name = matches!(parameter.pattern, BindingPattern::BindingIdentifier(_));
            let argument = is_name.then_some(index);
            let symbols = parameter.pattern.get_binding_identifiers();
            let symbols = symbols.iter().filter_map(|name| name.symbol_id.get());
            self.hidden.extend(symbols.map(|symbol| Hidden { symbol, argument, depth }));
        }
        let mut slots = Vec::new();
        for (index, parameter) in params.items.iter().enumerate() {
            self.parameter(index, parameter, &mut slots);
        }
        if let Some(rest) = &params.rest {
            let count = params.items.len();
            match &rest.rest.argument {
                BindingPattern::BindingIdentifier(name) => {
                    slots.push(format!("__k${0}=__k$.pr({count},{0})", name.name));
                }
                pattern => {
                    let leaves = self.declared_leaves(pattern);
                    slots.extend(leaves.iter().map(|leaf| format!("__k${}=null", leaf.name)));
                }
            }
        }
        self.hidden.truncate(before);
        slots
    }

    fn parameter(&mut self, index: usize, parameter: &FormalParameter<'a>, slots: &mut Vec<String>) {
        let default = match (&parameter.pattern, &parameter.initializer) {
            (BindingPattern::BindingIdentifier(_), Some(init)) => self.default_value(init),
            (_, Some(init)) => {
                self.visit_expression(init);
                None
            }
            _ => None,
        };
        let source = match &parameter.pattern {
            BindingPattern::BindingIdentifier(name) => {
                let default = default.map_or(-1, i64::from);
                return slots.push(format!("__k${0}=__k$.p({index},{0},{default})", name.name));
            }
            // The value itself is read as a property of every object.
            BindingPattern::ObjectPattern(object) if !object.properties.is_empty() => {
                format!("__k$.ob(__k$q{})", self.site(object.span, ""))
            }
            _ => format!("__k$.hv({index})"),
        };
        let leaves = self.declared_leaves(&parameter.pattern);
        if let BindingPattern::ObjectPattern(object) = &parameter.pattern
            && let Some(last) = object.properties.last()
        {
            // The last one, so that errors name the first.
            let name = source.trim_start_matches("__k$.ob(").trim_end_matches(')');
            self.insert(last.span.end, format!(",[__k$.o]:{name}"));
        }
        slots.extend(leaves.iter().map(|leaf| format!("__k${}={}", leaf.name, leaf.lookup(&source))));
    }
}

/// A parameter whose default values are visited: it has no second variable yet.
pub(super) struct Hidden {
    pub symbol: SymbolId,
    /// Its number among the arguments, if it is a plain name.
    pub argument: Option<usize>,
    /// How many functions are around it.
    pub depth: usize,
}

/// Keeps what is known of an assigned variable.
fn update(leaf: &Leaf, source: &str) -> String {
    let lookup = leaf.lookup(source);
    match leaf.binding {
        Binding::Slot => format!("__k${}={lookup}", leaf.name),
        Binding::Global => format!("__k$.G({:?},{},{lookup})", leaf.name, leaf.name),
        Binding::Unfollowed | Binding::Argument(_) => "0".to_string(),
    }
}
