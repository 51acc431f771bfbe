//! Optional chains. A link such as `.c` in `a?.b.c` is evaluated only if `a` is something, so its object cannot be handed
//! to the runtime as it stands. The chain is split at such an optional link:
//! `(__c$.q(a,"b",1)?void 0:__c$.r(__c$.t?.b,"c",2).c)`. `q` says whether its argument is null or undefined, and keeps it
//! as `t`, which is used before any other code runs.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::members::Use;
use super::rewriter::Rewriter;

#[derive(Clone, Copy)]
enum Link<'b, 'a> {
    Static(&'b StaticMemberExpression<'a>),
    Computed(&'b ComputedMemberExpression<'a>),
    Private(&'b PrivateFieldExpression<'a>),
    Call(&'b CallExpression<'a>),
}

/// What is done at a link.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Plan {
    /// Its object is logged in place.
    Log,
    /// The chain is split before it.
    Split,
    Keep,
}

impl<'b, 'a> Link<'b, 'a> {
    fn of(expression: &'b Expression<'a>) -> Option<Self> {
        Some(match expression {
            Expression::StaticMemberExpression(member) => Link::Static(member),
            Expression::ComputedMemberExpression(member) => Link::Computed(member),
            Expression::PrivateFieldExpression(member) => Link::Private(member),
            Expression::CallExpression(call) => Link::Call(call),
            _ => return None,
        })
    }

    fn object(self) -> &'b Expression<'a> {
        match self {
            Link::Static(member) => &member.object,
            Link::Computed(member) => &member.object,
            Link::Private(member) => &member.object,
            Link::Call(call) => &call.callee,
        }
    }

    fn is_optional(self) -> bool {
        match self {
            Link::Static(member) => member.optional,
            Link::Computed(member) => member.optional,
            Link::Private(member) => member.optional,
            Link::Call(call) => call.optional,
        }
    }

    fn is_member(self) -> bool {
        !matches!(self, Link::Call(_))
    }

    /// A split method call would lose its `this`.
    fn can_split(self) -> bool {
        self.is_member() || !self.object().is_member_expression()
    }
}

/// The first optional link and all that follow it, innermost first.
fn links<'b, 'a>(chain: &'b ChainExpression<'a>) -> Vec<Link<'b, 'a>> {
    let outermost = match &chain.expression {
        ChainElement::CallExpression(call) => Some(Link::Call(call)),
        ChainElement::StaticMemberExpression(member) => Some(Link::Static(member)),
        ChainElement::ComputedMemberExpression(member) => Some(Link::Computed(member)),
        ChainElement::PrivateFieldExpression(member) => Some(Link::Private(member)),
        ChainElement::TSNonNullExpression(_) => None,
    };
    let mut links: Vec<_> = std::iter::successors(outermost, |link| Link::of(link.object())).collect();
    let innermost = links.iter().rposition(|link| link.is_optional()).map_or(0, |at| at + 1);
    links.truncate(innermost);
    links.reverse();
    links
}

fn plan(links: &[Link<'_, '_>]) -> Vec<Plan> {
    let mut plans = vec![Plan::Keep; links.len()];
    let mut optional = 0;
    for (at, link) in links.iter().enumerate() {
        if link.is_optional() {
            optional = at;
        }
        if !link.is_member() {
            continue;
        }
        if link.is_optional() {
            plans[at] = Plan::Log;
        } else if links[optional].can_split() {
            plans[optional] = Plan::Split;
            plans[at] = Plan::Log;
        }
    }
    plans
}

impl<'a> Rewriter<'_> {
    pub(super) fn chain(&mut self, it: &ChainExpression<'a>) {
        let links = links(it);
        let plans = plan(&links);
        let Some(first) = links.first() else { return };
        let is_split = plans.contains(&Plan::Split);
        if is_split {
            self.insert(it.span.start, "(");
        }
        self.open_region(it.span.start, &plans);
        self.chain_base(*first);
        for (at, (link, plan)) in links.iter().zip(&plans).enumerate() {
            let end = link.object().span().end;
            match plan {
                Plan::Keep => {}
                Plan::Log => {
                    let arguments = self.link_arguments(*link);
                    self.insert(end, format!("{arguments})"));
                }
                Plan::Split => {
                    let arguments = self.link_arguments(*link);
                    self.insert(end, format!("{arguments})?void 0:"));
                    self.open_region(end, &plans[at + 1..]);
                    self.insert(end, if link.is_member() { "__c$.t" } else { "(0,__c$.t)" });
                }
            }
            self.link_parts(*link);
        }
        if is_split {
            self.insert(it.span.end, ")");
        }
    }

    /// The beginnings of all calls that end before or at the next split, outermost first.
    fn open_region(&mut self, offset: u32, plans: &[Plan]) {
        let split = plans.iter().position(|plan| *plan == Plan::Split);
        if split.is_some() {
            self.insert(offset, "__c$.q(");
        }
        let logged = plans[..split.unwrap_or(plans.len())].iter().filter(|plan| **plan == Plan::Log).count();
        self.insert(offset, "__c$.r(".repeat(logged));
    }

    fn link_arguments(&mut self, link: Link<'_, 'a>) -> String {
        let (key, at, name): (String, Span, String) = match link {
            Link::Static(member) => {
                let name = member.property.name.to_string();
                (format!("{name:?}"), member.property.span, name)
            }
            Link::Private(member) => {
                let name = format!("#{}", member.field.name);
                (format!("{name:?}"), member.field.span, name)
            }
            Link::Computed(member) => (self.chain_key(member).to_string(), member.expression.span(), String::new()),
            Link::Call(_) => return String::new(),
        };
        format!(",{key},{}", self.site(at, &name))
    }

    /// What a link evaluates beside its object.
    fn link_parts(&mut self, link: Link<'_, 'a>) {
        match link {
            Link::Static(_) | Link::Private(_) => {}
            Link::Computed(member) => self.visit_expression(&member.expression),
            Link::Call(call) => self.visit_arguments(&call.arguments),
        }
    }

    /// What stands before the first optional link. If that link is a call, it must stay a reference.
    fn chain_base(&mut self, first: Link<'_, 'a>) {
        match (first, first.object()) {
            (Link::Call(_), Expression::ComputedMemberExpression(member)) if !member.object.is_super() => {
                let key = self.chain_key(member);
                self.log_object(&member.object, key, member.expression.span(), "", Use::Read);
                self.visit_expression(&member.expression);
            }
            (_, base) => self.visit_expression(base),
        }
    }

    /// A chain whose value is called, as in `(a?.b.c)()`: it must stay a reference. Only its first link is logged.
    pub(super) fn unsplit_chain(&mut self, it: &ChainExpression<'a>) {
        let links = links(it);
        let Some(&first) = links.first() else { return };
        let logged = first.is_member();
        if logged {
            self.insert(it.span.start, "__c$.r(");
        }
        self.chain_base(first);
        if logged {
            let arguments = self.link_arguments(first);
            self.insert(first.object().span().end, format!("{arguments})"));
        }
        links.iter().for_each(|link| self.link_parts(*link));
    }

    pub(super) fn delete_chain(&mut self, it: &ChainExpression<'a>) {
        match links(it)[..] {
            [Link::Static(member)] => self.static_member(member, Use::Delete),
            [Link::Private(member)] => self.private_member(member, Use::Delete),
            [Link::Computed(member)] => {
                let key = self.chain_key(member);
                self.log_object(&member.object, key, member.expression.span(), "", Use::Delete);
                self.visit_expression(&member.expression);
            }
            _ => self.unsplit_chain(it),
        }
    }
}
