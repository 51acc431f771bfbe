//! Optional chains: `a?.b.c(d)` becomes `__k$.ch(a,…).o(site).m("b").m("c").c(site,()=>[d,…]).v()`, whose steps do nothing once
//! there is no value. Computed names and arguments are functions, because they are not evaluated then.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

use super::instrumenter::Instrumenter;

/// What a chain is asked of, and its steps.
type Steps<'b, 'a> = (&'b Expression<'a>, Vec<Step<'b, 'a>>);

/// One step of a chain, from the end of what is before it to its own.
struct Step<'b, 'a> {
    from: u32,
    end: u32,
    is_optional: bool,
    link: Link<'b, 'a>,
}

enum Link<'b, 'a> {
    Name(&'b str),
    Computed(&'b Expression<'a>),
    Call(&'b [Argument<'a>]),
}

impl<'a> Instrumenter<'_> {
    /// Whether the steps of a chain can be written as functions: these cannot wait, and know no private names.
    pub fn is_followed_chain(&self, it: &ChainExpression<'a>) -> bool {
        let text = self.text(it.span);
        steps(it).is_some() && !["await", "yield"].iter().any(|word| text.contains(word))
    }

    pub fn chain(&mut self, it: &ChainExpression<'a>) {
        let Some((base, steps)) = steps(it).filter(|_| self.is_followed_chain(it)) else {
            let site = self.site(it.span, self.text(it.span));
            self.insert(it.span.start, format!("(__k$.l({site},\"an optional chain\"),"));
            self.links_of_chain(it);
            return self.insert(it.span.end, ")");
        };
        self.insert(it.span.start, "__k$.ch(");
        self.pair(base);
        for (index, step) in steps.iter().enumerate() {
            let site = self.site(oxc_span::Span::new(step.from, step.end), self.text(it.span));
            let mut text = if index == 0 { ")".to_string() } else { String::new() };
            if step.is_optional {
                text.push_str(&format!(".o({site})"));
            }
            match &step.link {
                Link::Name(name) => self.replace(step.from, step.end, &format!("{text}.m({name:?})")),
                Link::Computed(key) => {
                    self.replace(step.from, key.span().start, &format!("{text}.k({site},()=>["));
                    self.pair(key);
                    self.replace(key.span().end, step.end, "])");
                }
                Link::Call(arguments) => {
                    self.separated(step.from, arguments, step.end, &format!("{text}.c({site},()=>["), "])");
                }
            }
        }
        self.insert(it.span.end, ".v()");
    }

    /// The parts of a chain that stays as it is written.
    pub fn links_of_chain(&mut self, it: &ChainExpression<'a>) {
        match &it.expression {
            ChainElement::CallExpression(call) => self.links_of_call(call),
            ChainElement::StaticMemberExpression(member) => self.link(&member.object),
            ChainElement::ComputedMemberExpression(member) => {
                self.link(&member.object);
                self.visit_expression(&member.expression);
            }
            ChainElement::PrivateFieldExpression(member) => self.link(&member.object),
            ChainElement::TSNonNullExpression(_) => {}
        }
    }
}

fn steps<'b, 'a>(it: &'b ChainExpression<'a>) -> Option<Steps<'b, 'a>> {
    let mut steps = Vec::new();
    let mut rest = match &it.expression {
        ChainElement::CallExpression(call) => call_step(call, &mut steps),
        ChainElement::StaticMemberExpression(member) => name_step(member, &mut steps),
        ChainElement::ComputedMemberExpression(member) => computed_step(member, &mut steps),
        _ => return None,
    };
    loop {
        rest = match rest {
            Expression::StaticMemberExpression(member) => name_step(member, &mut steps),
            Expression::ComputedMemberExpression(member) => computed_step(member, &mut steps),
            Expression::CallExpression(call) => call_step(call, &mut steps),
            Expression::PrivateFieldExpression(_) | Expression::Super(_) => return None,
            Expression::Identifier(name) if name.name == "eval" => return None,
            base => {
                steps.reverse();
                return Some((base, steps));
            }
        }
    }
}

fn name_step<'b, 'a>(it: &'b StaticMemberExpression<'a>, steps: &mut Vec<Step<'b, 'a>>) -> &'b Expression<'a> {
    let (from, end) = (it.object.span().end, it.span.end);
    steps.push(Step { from, end, is_optional: it.optional, link: Link::Name(it.property.name.as_str()) });
    &it.object
}

fn computed_step<'b, 'a>(it: &'b ComputedMemberExpression<'a>, steps: &mut Vec<Step<'b, 'a>>) -> &'b Expression<'a> {
    let (from, end) = (it.object.span().end, it.span.end);
    steps.push(Step { from, end, is_optional: it.optional, link: Link::Computed(&it.expression) });
    &it.object
}

fn call_step<'b, 'a>(it: &'b CallExpression<'a>, steps: &mut Vec<Step<'b, 'a>>) -> &'b Expression<'a> {
    let (from, end) = (it.callee.span().end, it.span.end);
    steps.push(Step { from, end, is_optional: it.optional, link: Link::Call(&it.arguments) });
    &it.callee
}
