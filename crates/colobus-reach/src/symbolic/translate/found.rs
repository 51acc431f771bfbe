//! What regular expressions find in texts: where a match begins, what its groups capture, and the parts between matches.
//!
//! A text with a match is put together from unknown texts, each in the language of its part of the pattern. Every match has this
//! form, but not everything of this form is what the engine finds first: `(a*)(a*)` captures all in its first group. So a
//! solution is evaluated, and where the engine captures something else, the next question is asked with what it does capture
//! in this text ([`Finding::correction`]).

use std::sync::Arc;

use colobus_solver::build::{all, boolean, int, ite, text};
use colobus_solver::{Regex, Sort, Term, Text};

use super::Translator;
use super::cases::{Cases, Number};
use super::numbers::count;
use crate::symbolic::evaluate::Assignment;
use crate::symbolic::expr::Expr;
use crate::symbolic::operator::Operator;
use crate::symbolic::pattern::{Alternative, Node, Pattern, Ranges};

/// So many parts of a split text are told apart; with more, their number is any number.
const MOST_PARTS: usize = 6;

/// What a pattern finds in one text, as terms.
#[derive(Clone, Debug)]
pub struct Finding {
    pattern: Pattern,
    subject: Expr,
    content: Term,
    terms: Arc<Terms>,
}

/// A text that is there only if its guard holds.
type Guarded = (Term, Term);

#[derive(Debug)]
enum Terms {
    /// Of the first match: the index, and what each group captures.
    Match { index: Term, groups: Vec<Guarded> },
    /// The first parts between matches.
    Parts(Vec<Guarded>),
}

impl Finding {
    /// What the engine finds in the text that the subject is for some values, and that this is so wherever the subject is this text.
    pub fn correction(&self, values: &Assignment) -> Option<(Text, Term)> {
        let subject = self.subject.evaluate(values).ok()?.to_text();
        let is = |(guard, content): &Guarded, real: Option<&Text>| match real {
            Some(real) => guard.and(&content.equal(&text(real.clone()))),
            None => guard.not(),
        };
        let found = match &*self.terms {
            Terms::Match { index, groups } => {
                let found = self.pattern.find(&subject).ok()??;
                let groups = groups.iter().zip(&found.groups).map(|(group, real)| is(group, real.as_ref()));
                all(groups).and(&index.equal(&int(found.index as i64)))
            }
            Terms::Parts(parts) => {
                let real = self.pattern.split(&subject).ok()??;
                all(parts.iter().enumerate().map(|(at, part)| is(part, real.get(at))))
            }
        };
        let same = self.content.equal(&text(subject.clone()));
        Some((subject, same.implies(&found)))
    }
}

impl Translator {
    /// An operator that tells what a pattern finds in its operand.
    pub(super) fn found(&mut self, operator: &Operator, subject: &Expr, operand: &Cases) -> Cases {
        use Operator::*;
        // Methods of texts throw on anything else.
        let (guard, content) = if operator.needs_text() { operand.text.clone() } else { self.text_of(operand) };
        let result = match operator {
            Capture(pattern, group) => {
                let (matched, _, groups) = self.first_match(pattern, subject, &content);
                let Some((guard, captured)) = groups.get(*group) else { return Cases::none() };
                optional(&matched, guard, captured)
            }
            Search(pattern) => {
                let (matched, index, _) = self.first_match(pattern, subject, &content);
                Cases::number(boolean(true), Number::integer(&ite(&matched, &index, &int(-1))))
            }
            SplitBy(separator, index) => match self.parts(separator, subject, &content, *index) {
                Some(parts) => optional(&boolean(true), &parts[*index].0, &parts[*index].1),
                None => {
                    self.assumptions.push(boolean(false));
                    let guard = self.fresh(Sort::Bool);
                    let part = self.fresh(Sort::Text);
                    optional(&boolean(true), &guard, &part)
                }
            },
            SplitByLength(separator) => {
                let parts = self.parts(separator, subject, &content, MOST_PARTS).unwrap_or_default();
                let exact = parts.last().map_or(boolean(false), |last| last.0.not());
                let unknown = self.unknown_number(&exact);
                let counted = parts.iter().enumerate().skip(1).rev().fold(unknown, |otherwise, (at, (exists, _))| {
                    Number::choose(&exists.not(), &count(at), &otherwise)
                });
                Cases::number(boolean(true), counted)
            }
            _ => Cases::none(),
        };
        result.when(&guard)
    }

    /// Whether there is a match, where it begins, and its groups.
    fn first_match(&mut self, pattern: &Pattern, subject: &Expr, content: &Term) -> (Term, Term, Vec<Guarded>) {
        let matched = content.matches(pattern.language());
        let same = self.findings.iter().filter(|it| it.pattern == *pattern && it.subject == *subject);
        for finding in same {
            if let Terms::Match { index, groups } = &*finding.terms {
                return (matched, index.clone(), groups.clone());
            }
        }
        let [before, whole, after] = [Sort::Text; 3].map(|sort| self.fresh(sort));
        self.definitions.push(matched.implies(&content.equal(&joined(&[
            before.clone(),
            whole.clone(),
            after.clone(),
        ]))));
        self.easy.push(matched.implies(&before.equal(&text(""))));
        let nowhere = (boolean(false), text(""));
        let mut groups = vec![nowhere; pattern.groups()];
        let alternatives = pattern.alternatives();
        let chosen = self.choice(alternatives.len(), &matched);
        for (alternative, chosen) in alternatives.iter().zip(&chosen) {
            let edge = |is_anchored: bool, side: &Term| if is_anchored { side.equal(&text("")) } else { boolean(true) };
            let edges = edge(alternative.at_start, &before).and(&edge(alternative.at_end, &after));
            self.definitions.push(chosen.implies(&edges));
            let rest = if alternative.at_end { text("") } else { after.clone() };
            self.parse(&alternative.node, &whole, &rest, chosen, &mut groups);
        }
        if let [alternative] = alternatives {
            let around = around(alternative, &before, &after);
            self.definitions.push(matched.implies(&around));
        }
        groups[0] = (matched.clone(), whole);
        let terms = Terms::Match { index: before.length(), groups: groups.clone() };
        self.note(pattern, subject, content, terms);
        (matched, before.length(), groups)
    }

    fn note(&mut self, pattern: &Pattern, subject: &Expr, content: &Term, terms: Terms) {
        let (pattern, subject, content) = (pattern.clone(), subject.clone(), content.clone());
        self.findings.push(Finding { pattern, subject, content, terms: Arc::new(terms) });
    }

    /// Which of several holds, where `when` does.
    fn choice(&mut self, count: usize, when: &Term) -> Vec<Term> {
        if count == 1 {
            return vec![when.clone()];
        }
        let chosen = self.fresh(Sort::Int);
        let last = int(count as i64 - 1);
        self.definitions.push(when.implies(&int(0).at_most(&chosen).and(&chosen.at_most(&last))));
        (0..count).map(|at| when.and(&chosen.equal(&int(at as i64)))).collect()
    }

    /// That a text is what a part of a pattern matches, and what its groups capture then. `rest` is what follows it.
    fn parse(&mut self, node: &Node, content: &Term, rest: &Term, when: &Term, groups: &mut [Guarded]) {
        if let Some(ranges) = node.greedy_end() {
            self.easy.push(when.implies(&rest.matches(&not_first(ranges))));
        }
        if node.groups().is_empty() {
            self.definitions.push(when.implies(&content.matches(&node.language())));
            return;
        }
        match node {
            Node::Unit(_) => {}
            Node::Group(number, inner) => {
                groups[*number] = (when.clone(), content.clone());
                self.parse(inner, content, rest, when, groups);
            }
            Node::Sequence(parts) => {
                let contents: Vec<Term> = parts.iter().map(|_| self.fresh(Sort::Text)).collect();
                self.definitions.push(when.implies(&content.equal(&joined(&contents))));
                for (at, part) in parts.iter().enumerate() {
                    let following = joined(&contents[at + 1..]).concat(rest);
                    self.parse(part, &contents[at], &following, when, groups);
                }
            }
            Node::Either(parts) => {
                let chosen = self.choice(parts.len(), when);
                for (part, chosen) in parts.iter().zip(&chosen) {
                    self.parse(part, content, rest, chosen, groups);
                }
            }
            Node::Repeat { most: Some(0), .. } => self.definitions.push(when.implies(&content.equal(&text("")))),
            Node::Repeat { inner, least, most, .. } => {
                // Groups tell of the last repetition.
                let mut active = when.clone();
                if *least == 0 {
                    active = active.and(&self.fresh(Sort::Bool));
                    let is_empty = content.equal(&text(""));
                    // One that need not be is not empty.
                    self.definitions.push(when.implies(&ite(&active, &is_empty.not(), &is_empty)));
                }
                let mut last = content.clone();
                if *most != Some(1) {
                    let earlier = self.fresh(Sort::Text);
                    last = self.fresh(Sort::Text);
                    let language = inner.language().repeat(least.saturating_sub(1), most.map(|most| most - 1));
                    let split = content.equal(&earlier.concat(&last)).and(&earlier.matches(&language));
                    self.definitions.push(active.implies(&split));
                }
                self.parse(inner, &last, rest, &active, groups);
            }
        }
    }

    /// The parts of a text up to an index; nothing for separators that may be empty or have groups.
    fn parts(&mut self, separator: &Pattern, subject: &Expr, content: &Term, index: usize) -> Option<Vec<Guarded>> {
        let [alternative] = separator.alternatives() else { return None };
        let language = alternative.node.language();
        let is_anchored = alternative.at_start || alternative.at_end;
        if is_anchored || separator.groups() > 1 || language.matches(&Text::default()) {
            return None;
        }
        let somewhere = separator.language();
        let same = self.findings.iter().filter(|it| it.pattern == *separator && it.subject == *subject);
        for finding in same {
            if let Terms::Parts(parts) = &*finding.terms
                && parts.len() > index
            {
                return Some(parts.clone());
            }
        }
        let (mut parts, mut exists, mut rest) = (Vec::new(), boolean(true), content.clone());
        for _ in 0..=index.max(2) {
            let is_cut = exists.and(&rest.matches(somewhere));
            let [first, between, after] = [Sort::Text; 3].map(|sort| self.fresh(sort));
            let cut = all([
                rest.equal(&joined(&[first.clone(), between.clone(), after.clone()])),
                between.matches(&language),
                without(alternative, &first),
                around(alternative, &first, &after),
            ]);
            self.definitions.push(is_cut.implies(&cut));
            parts.push((exists.clone(), ite(&is_cut, &first, &rest)));
            (exists, rest) = (is_cut, after);
        }
        self.note(separator, subject, content, Terms::Parts(parts.clone()));
        Some(parts)
    }
}

/// A text or `undefined`, where `guard` holds.
fn optional(guard: &Term, exists: &Term, content: &Term) -> Cases {
    let undefined = Cases { undefined: exists.not(), ..Cases::none() };
    Cases::text(exists.clone(), content.clone()).or(&undefined).when(guard)
}

fn joined(parts: &[Term]) -> Term {
    parts.iter().fold(text(""), |sum, part| sum.concat(part))
}

/// What is known of the text before and after a match that is the first one.
fn around(alternative: &Alternative, before: &Term, after: &Term) -> Term {
    let (first, last) = match &alternative.node {
        Node::Sequence(parts) => (parts.first().and_then(repeated), parts.last().and_then(repeated)),
        node => (repeated(node), repeated(node)),
    };
    let mut known = Vec::new();
    if let (Some((units, _)), false) = (first, alternative.at_start) {
        // It would have begun earlier.
        known.push(before.matches(&Regex::all().then(Regex::none_of(units)).optional()));
    }
    if let (Some((units, true)), false) = (last, alternative.at_end) {
        known.push(after.matches(&not_first(units)));
    }
    all(known)
}

/// Texts that do not begin with one of some units. Solvers like to be told what is there better than what is not.
fn not_first(units: &Ranges) -> Regex {
    Regex::none_of(units).then(Regex::all()).optional()
}

/// That nothing in a text matches.
fn without(alternative: &Alternative, content: &Term) -> Term {
    match (&alternative.node, repeated(&alternative.node)) {
        (Node::Unit(units), _) => content.matches(&Regex::none_of(units).star()),
        (Node::Repeat { least: 1, .. }, Some((units, _))) => content.matches(&Regex::none_of(units).star()),
        _ => content.matches(&alternative.language()).not(),
    }
}

/// The units that a node takes any number of, and whether it takes as many as there are.
fn repeated(node: &Node) -> Option<(&Ranges, bool)> {
    match node {
        Node::Group(_, inner) => repeated(inner),
        Node::Repeat { inner, most: None, is_greedy, .. } => match &**inner {
            Node::Unit(ranges) => Some((ranges, *is_greedy)),
            _ => None,
        },
        _ => None,
    }
}
