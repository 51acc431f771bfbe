//! [`Personal`]: what a page shows each user for themselves, by design: their own name, the carets of others, their messages on
//! the other side. Clients that differ in such places differ there when users take turns, too, and in the same way ([`labels`]).

use std::collections::BTreeSet;

use colobus_check::{Checks, Symptom};
use colobus_compare::dom::{part, parts};
use colobus_compare::pixels::changed_between;
use colobus_compare::places::{DomPlace, differing_places, differing_texts};
use colobus_model::{CheckId, LateJoin, Observation, PersonalPlace, Rectangle, Trace, toml_string};
use colobus_schedule::orders::at_leisure;
use colobus_world::{World, WorldError};

use super::certainly;
use super::labels::{Texts, TypedWords};
use crate::Failure;
use crate::execute::{Setup, follow};

/// Where the clients of an interaction differ when users take turns; nothing where they differ otherwise, too, or in something that
/// belongs to all of them: the document, a text that users edit, the value of a field.
pub(super) struct Personal {
    controls: Vec<Differences>,
}

impl Personal {
    pub fn nothing() -> Personal {
        Personal { controls: Vec::new() }
    }

    pub fn of(world: &mut dyn World, setup: &Setup, trace: &Trace, failure: &Failure) -> Result<Personal, WorldError> {
        let none = Ok(Personal::nothing());
        let differs = failure.checks().any(|check| compares_clients(check, setup.checks));
        if !differs || Differences::of(trace).is_none_or(|seen| seen.belongs_to_all()) {
            return none;
        }
        let mut controls = Vec::new();
        // Users who take turns wait until everything has arrived, and a while longer; and what is shown to each of them by design
        // does not depend on who comes first.
        for reversed in [false, true] {
            let order = at_leisure(&trace.interaction, reversed);
            let control = certainly(|| follow(world, setup, &trace.interaction, &order))?;
            let expected = Failure::judged(&control.judgement).and_then(|_| Differences::of(&control.trace));
            match expected {
                Some(expected) if !expected.belongs_to_all() => controls.push(expected),
                _ => return none,
            }
        }
        Ok(Personal { controls })
    }

    /// The failure without the checks that compare clients, if these differ only in what is personal; `None` if nothing is left of
    /// it.
    pub fn left_of(&self, failure: Failure, trace: &Trace, checks: Checks) -> Option<Failure> {
        let by_design = !self.controls.is_empty()
            && Differences::of(trace)
                .filter(|seen| !seen.belongs_to_all())
                .is_some_and(|seen| self.explains(&seen, trace));
        if !by_design {
            return Some(failure);
        }
        let reads_others = late_joiner_reads_what_others_read(trace);
        let reopened = |check: &CheckId| has_symptom(check, checks, |symptom| symptom == Symptom::ReopenedDiffers);
        failure.without(|check| compares_clients(check, checks) || (reads_others && reopened(check)))
    }

    /// Whether clients differ as they do when users take turns: in these places, and with these texts beside each other.
    fn explains(&self, seen: &Differences, trace: &Trace) -> bool {
        let controls: Vec<&Texts> = self.controls.iter().map(|control| &control.texts).collect();
        self.controls.iter().all(|control| seen.is_within(control))
            && seen.texts.are_labels_as_in(&controls, &TypedWords::of(trace))
    }

    /// The places in which the clients of an execution differ; `None` if one of them has no name: it could only be left out with the
    /// whole page.
    pub fn places(&self, trace: &Trace) -> Option<Vec<PersonalPlace>> {
        let typed = TypedWords::of(trace);
        let holds_what_users_write = |selector: &str| {
            let pages = trace.observations.iter().filter_map(|seen| seen.dom.as_deref());
            pages.flat_map(|dom| parts(dom, selector)).flatten().any(|line| typed.occur_in(line))
        };
        Differences::of(trace).filter(Differences::have_names).map(|seen| seen.places(&holds_what_users_write))
    }
}

fn compares_clients(check: &CheckId, checks: Checks) -> bool {
    has_symptom(check, checks, Symptom::is_between_clients)
}

fn has_symptom(check: &CheckId, checks: Checks, is_meant: impl Fn(Symptom) -> bool) -> bool {
    checks.find(check).is_some_and(|check| is_meant(check.symptom()))
}

/// Whether all that a late joiner reads is what one of the others reads in the same place: nothing is its own, so that it is
/// addressed as each of them is in the pages of the others.
fn late_joiner_reads_what_others_read(trace: &Trace) -> bool {
    let Some(LateJoin { late_joiner, reference }) = &trace.late_joiner else { return false };
    let Some(read) = late_joiner.text.as_ref().filter(|_| late_joiner.state.is_none()) else { return false };
    let others: Vec<&Vec<String>> =
        trace.observations.iter().chain([reference]).filter_map(|seen| seen.text.as_ref()).collect();
    others.iter().all(|other| other.len() == read.len())
        && read.iter().enumerate().all(|(at, passage)| others.iter().any(|other| other[at] == *passage))
}

/// Where the clients of an execution differ.
struct Differences {
    elements: BTreeSet<DomPlace>,
    texts: Texts,
    /// Where equal pages are drawn differently.
    area: Option<Rectangle>,
    shared: bool,
}

impl Differences {
    /// `None` if the pages were not observed.
    fn of(trace: &Trace) -> Option<Differences> {
        let (first, others) = trace.observations.split_first()?;
        let mut all = Differences { elements: BTreeSet::new(), texts: Texts::default(), area: None, shared: false };
        for (number, other) in others.iter().enumerate() {
            let (one, another) = (first.dom.as_deref()?, other.dom.as_deref()?);
            let elements = differing_places(one, another);
            all.texts.add(number, differing_texts(one, another));
            if elements.is_empty() {
                all.area = all.area.or(area(first, other, &trace.ignored_rectangles()));
            }
            all.elements.extend(elements);
            all.shared |= first.state != other.state || edited_text(trace, first) != edited_text(trace, other);
        }
        Some(all)
    }

    /// Documents and edited texts belong to all users.
    fn belongs_to_all(&self) -> bool {
        self.shared || self.elements.iter().any(|place| place.text && place.editable)
    }

    fn have_names(&self) -> bool {
        self.elements.iter().all(|place| place.selector.is_some())
    }

    fn is_within(&self, control: &Differences) -> bool {
        let area = match (self.area, control.area) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(seen), Some(control)) => contains(control, seen),
        };
        area && self.elements.is_subset(&control.elements)
    }

    fn places(&self, holds_what_users_write: &dyn Fn(&str) -> bool) -> Vec<PersonalPlace> {
        let selectors: BTreeSet<&str> = self.elements.iter().filter_map(|place| place.selector.as_deref()).collect();
        let element = |selector: &str| PersonalPlace {
            place: selector.to_string(),
            ignore: (!holds_what_users_write(selector)).then(|| format!("ignore = [{}]", toml_string(selector))),
            cases: 1,
        };
        let area = self.area.map(|Rectangle { x, y, width, height }| PersonalPlace {
            place: format!("{width}x{height} at ({x}, {y})"),
            ignore: Some(format!("ignore = [{{ x = {x}, y = {y}, width = {width}, height = {height} }}]")),
            cases: 1,
        });
        selectors.into_iter().map(element).chain(area).collect()
    }
}

/// What stands in the element that users write in.
fn edited_text(trace: &Trace, seen: &Observation) -> Option<String> {
    let lines = part(seen.dom.as_deref()?, trace.application.focus.as_deref()?)?;
    Some(colobus_compare::dom::visible_text(&lines.join("\n")))
}

fn area(one: &Observation, other: &Observation, ignored: &[Rectangle]) -> Option<Rectangle> {
    changed_between(one.screenshot.as_ref()?, other.screenshot.as_ref()?, ignored).ok()?.bounds()
}

fn contains(outer: Rectangle, inner: Rectangle) -> bool {
    outer.x <= inner.x
        && outer.y <= inner.y
        && inner.x + inner.width <= outer.x + outer.width
        && inner.y + inner.height <= outer.y + outer.height
}
