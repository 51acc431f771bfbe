//! [`Differences`]: what differs between two final states.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::dom::normalised;
use crate::model::{FinalState, Place, Request};

/// What differs. Empty: the states are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Differences {
    /// Lines of the normalised document that only the parent has, and only the child.
    pub lines: (Vec<String>, Vec<String>),
    /// The pictures differ although the documents are equal.
    pub screenshot: bool,
    /// Exceptions that are not thrown any more, and new ones.
    pub exceptions: (Vec<String>, Vec<String>),
    /// Requests that are not sent any more, and new ones.
    pub requests: (Vec<Request>, Vec<Request>),
    /// Invariants that hold now, and those that do not hold any more.
    #[serde(default)]
    pub invariants: (Vec<String>, Vec<String>),
    /// Places whose last value differs.
    pub values: Vec<Place>,
}

/// In what way a state is worse, or at least another one that users or servers see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Harm {
    Page,
    Exceptions,
    Requests,
    /// An invariant or another assertion of the user's own does not hold.
    Assertion,
}

impl Differences {
    pub fn between(parent: &FinalState, child: &FinalState) -> Differences {
        let (before, after) = (normalised(&parent.dom), normalised(&child.dom));
        let screenshots = parent.screenshot.zip(child.screenshot);
        Differences {
            lines: lines(&before, &after),
            // Documents that differ only in what is normalised away look the same: the picture counts if they are equal.
            screenshot: screenshots.is_some_and(|(before, after)| before != after) && parent.dom == child.dom,
            exceptions: apart(&parent.exceptions, &child.exceptions, |text: &String| text.clone()),
            requests: requests(parent, child),
            invariants: apart(&parent.broken_invariants, &child.broken_invariants, |name: &String| name.clone()),
            values: values(parent, child),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.harms().is_empty() && self.values.is_empty()
    }

    pub fn harms(&self) -> Vec<Harm> {
        let page = !self.lines.0.is_empty() || !self.lines.1.is_empty() || self.screenshot;
        let exceptions = !self.exceptions.0.is_empty() || !self.exceptions.1.is_empty();
        let requests = !self.requests.0.is_empty() || !self.requests.1.is_empty();
        let invariants = !self.invariants.0.is_empty() || !self.invariants.1.is_empty();
        let all = [
            (page, Harm::Page),
            (exceptions, Harm::Exceptions),
            (requests, Harm::Requests),
            (invariants, Harm::Assertion),
        ];
        all.into_iter().filter(|(differs, _)| *differs).map(|(_, harm)| harm).collect()
    }

    /// Whether `other` shows one of these harms by the same thing: a line, an exception, a request or an invariant that
    /// differs in both. Two differences of one kind may have nothing to do with each other.
    pub fn shares(&self, other: &Differences, harms: &[Harm]) -> bool {
        harms.iter().any(|harm| match harm {
            Harm::Page if is_reordered(&self.lines) || is_reordered(&other.lines) => self.lines == other.lines,
            Harm::Page => overlap(&self.lines, &other.lines) || (self.screenshot && other.screenshot),
            Harm::Exceptions => overlap(&self.exceptions, &other.exceptions),
            Harm::Requests => overlap(&self.requests, &other.requests),
            Harm::Assertion => overlap(&self.invariants, &other.invariants),
        })
    }
}

/// Whether something is gone in both, or new in both.
fn overlap<T: PartialEq>(one: &(Vec<T>, Vec<T>), other: &(Vec<T>, Vec<T>)) -> bool {
    let common = |one: &[T], other: &[T]| one.iter().any(|item| other.contains(item));
    common(&one.0, &other.0) || common(&one.1, &other.1)
}

/// Whether the lines are all lines of both documents, because these differ in order or number only.
fn is_reordered((gone, new): &(Vec<String>, Vec<String>)) -> bool {
    gone.iter().any(|line| new.contains(line))
}

fn apart<T: Ord + Copy, O>(
    before: impl IntoIterator<Item = T>,
    after: impl IntoIterator<Item = T>,
    own: impl Fn(T) -> O,
) -> (Vec<O>, Vec<O>) {
    let (before, after): (BTreeSet<T>, BTreeSet<T>) = (before.into_iter().collect(), after.into_iter().collect());
    let only = |a: &BTreeSet<T>, b: &BTreeSet<T>| a.difference(b).map(|item| own(*item)).collect();
    (only(&before, &after), only(&after, &before))
}

fn lines(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let (gone, new) = apart(before.lines(), after.lines(), str::to_string);
    if gone.is_empty() && new.is_empty() && before != after {
        // The same lines in another order or number.
        let all = |text: &str| text.lines().map(str::to_string).collect();
        return (all(before), all(after));
    }
    (gone, new)
}

/// Requests that only read are compared as a set, because polling repeats them; the others also by how often they are sent.
fn requests(parent: &FinalState, child: &FinalState) -> (Vec<Request>, Vec<Request>) {
    let only_reads = |request: &Request| matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS");
    let more = |a: &FinalState, b: &FinalState| {
        let is_more = |(request, times): &(&Request, &u32)| match b.requests.get(*request) {
            None => true,
            Some(others) => !only_reads(request) && *times > others,
        };
        a.requests.iter().filter(is_more).map(|(request, _)| request.clone()).collect()
    };
    (more(parent, child), more(child, parent))
}

fn values(parent: &FinalState, child: &FinalState) -> Vec<Place> {
    let places: BTreeSet<&Place> = parent.values.keys().chain(child.values.keys()).collect();
    places.into_iter().filter(|place| parent.values.get(place) != child.values.get(place)).cloned().collect()
}
