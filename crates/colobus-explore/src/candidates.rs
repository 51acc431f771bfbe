//! [`candidates`]: what a page offers, as actions with values: clicks and keys as they are, fields with several values, and
//! forms that are filled before they are sent.

use std::collections::BTreeMap;

use colobus_model::{Key, Modifiers};
use colobus_record::{Button, Element, Event, Line, Mouse, Point, Who};
use colobus_world::{Offer, OfferKind};

use crate::action::{Part, place};
use crate::{Action, Coverage, Values};

/// Elements that differ in their position only, such as the rows of a list: more are not tried.
const MOST_ALIKE: usize = 3;
/// Ways to fill a form before it is sent.
const FILLED_FORMS: usize = 3;
/// Entries of a list that are chosen.
const MOST_CHOICES: usize = 4;
/// Larger forms are not filled as a whole.
const MOST_FIELDS: usize = 12;

const USER: Who = Who { client: 0, tab: 1 };

/// The actions that the offers of a page amount to.
pub fn candidates(offers: &[Offer], values: &mut Values, ran: &Coverage) -> Vec<Action> {
    let offers = representative(offers);
    let mut actions = Vec::new();
    for offer in &offers {
        match offer.kind {
            OfferKind::Click => {
                if offer.submits {
                    actions.extend(filled(offer, &offers, values, ran));
                }
                actions.push(single(offer, mouse_part(offer)));
            }
            OfferKind::DoubleClick | OfferKind::Menu => actions.push(single(offer, mouse_part(offer))),
            OfferKind::Drag | OfferKind::Carry => {
                actions.extend(drag_part(offer).map(|part| single(offer, part)));
            }
            OfferKind::Press => {
                actions.extend(entered(offer, &offers, values));
                actions.extend(values.keys().iter().filter_map(|key| Some(single(offer, key_part(offer, key)?))));
            }
            OfferKind::Fill => {
                let texts = values.of_field(offer, ran);
                actions.extend(texts.iter().map(|text| single(offer, field_part(offer, text))));
            }
            OfferKind::Set => {
                let text = values.fitting(&offer.input);
                actions.push(single(offer, field_part(offer, &text)));
            }
            OfferKind::Choose => {
                let others = offer.choices.iter().filter(|choice| **choice != offer.value).take(MOST_CHOICES);
                actions.extend(others.map(|choice| single(offer, field_part(offer, choice))));
            }
        }
    }
    actions
}

/// The action that an offer amounts to; whatever a field holds gives way to the value.
pub fn action(offer: &Offer, value: &str) -> Option<Action> {
    let part = match offer.kind {
        OfferKind::Click | OfferKind::DoubleClick | OfferKind::Menu => mouse_part(offer),
        OfferKind::Fill | OfferKind::Choose | OfferKind::Set => {
            // The field may have been filled since the page offered it.
            field_part(&Offer { value: " ".to_string(), ..offer.clone() }, value)
        }
        OfferKind::Drag | OfferKind::Carry => drag_part(offer)?,
        OfferKind::Press => key_part(offer, value)?,
    };
    Some(single(offer, part))
}

/// Offers of which no more than a few are alike: the first ones and the last one of each kind.
fn representative(offers: &[Offer]) -> Vec<Offer> {
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, offer) in offers.iter().enumerate() {
        alike.entry(likeness(offer)).or_default().push(index);
    }
    let mut kept: Vec<usize> = alike
        .into_values()
        .flat_map(|group| match group.as_slice() {
            [first @ .., last] if group.len() > MOST_ALIKE => {
                first[..MOST_ALIKE - 1].iter().copied().chain([*last]).collect()
            }
            few => few.to_vec(),
        })
        .collect();
    kept.sort_unstable();
    kept.into_iter().map(|index| offers[index].clone()).collect()
}

/// The path without positions and ids: rows of a list have the same one. Buttons of one bar differ by their names.
fn likeness(offer: &Offer) -> String {
    let steps = offer.element.hops.iter().flat_map(|hop| &hop.path.steps);
    let tags: Vec<&str> = steps.map(|step| step.tag.as_str()).collect();
    let depth = tags.len();
    // Siblings that are no rows are told apart by what they say.
    let is_row = offer.element.hops.iter().flat_map(|hop| &hop.path.steps).rev().take(3).any(|step| {
        matches!(step.tag.as_str(), "li" | "tr" | "td" | "option" | "article" | "dt" | "dd") && step.position.is_some()
    });
    let name = if is_row { "" } else { offer.name.as_str() };
    format!("{} {depth} {} {name}", offer.kind.name(), tags.join("/"))
}

fn single(offer: &Offer, part: Part) -> Action {
    Action { event: event_of(offer), label: part.label.clone(), parts: vec![part] }
}

/// The form with values in all its fields, then the click.
fn filled(button: &Offer, offers: &[Offer], values: &mut Values, ran: &Coverage) -> Vec<Action> {
    let is_field = |offer: &&Offer| {
        matches!(offer.kind, OfferKind::Fill | OfferKind::Set | OfferKind::Choose) && offer.form == button.form
    };
    let fields: Vec<&Offer> = offers.iter().filter(is_field).collect();
    if fields.is_empty() || fields.len() > MOST_FIELDS {
        return Vec::new();
    }
    let mut actions: Vec<Action> = Vec::new();
    for round in 0..FILLED_FORMS {
        let mut parts: Vec<Part> = Vec::new();
        for field in &fields {
            let value = match (field.kind, round) {
                (OfferKind::Choose, _) => match field.choices.get(round % field.choices.len().max(1)) {
                    Some(choice) if *choice != field.value => choice.clone(),
                    _ => continue,
                },
                (_, 0) => values.fitting(&field.input),
                _ => values.of_form_field(field, ran),
            };
            parts.push(field_part(field, &value));
        }
        let click = mouse_part(button);
        let said: Vec<&str> = parts.iter().chain([&click]).map(|part| part.label.as_str()).collect();
        let label = said.join(" and ");
        parts.push(click);
        if !actions.iter().any(|known| known.label == label) {
            actions.push(Action { event: event_of(button), label, parts });
        }
    }
    actions
}

/// A field that hears keys gets a value, then Enter.
fn entered(press: &Offer, offers: &[Offer], values: &mut Values) -> Option<Action> {
    let is_field = |offer: &&Offer| offer.kind == OfferKind::Fill && place(&offer.element) == place(&press.element);
    let field = offers.iter().find(is_field)?;
    // It is not left before the key.
    let field = Offer { hears_change: false, ..field.clone() };
    let parts = vec![field_part(&field, &values.fitting(&field.input)), key_part(press, "Enter")?];
    let label = format!("{} and press Enter", parts[0].label);
    Some(Action { event: event_of(press), label, parts })
}

fn event_of(offer: &Offer) -> String {
    format!("{} {}", offer.kind.name(), place(&offer.element))
}

fn line(event: Event) -> Line {
    Line::new(USER, event, 0)
}

fn mouse_part(offer: &Offer) -> Part {
    let at = middle(offer);
    let mouse = |button| Mouse { on: offer.element.clone(), at, button, held: Modifiers::default() };
    let (verb, event) = match offer.kind {
        OfferKind::DoubleClick => ("double click", Event::DoubleClick(mouse(Button::Left))),
        OfferKind::Menu => ("right click", Event::Click(mouse(Button::Right), 1)),
        _ => ("click", Event::Click(mouse(Button::Left), 1)),
    };
    Part { label: format!("{verb} {}", said(offer)), lines: vec![line(event)] }
}

/// The first bit of the way tells the page that something is being dragged.
const FIRST_BIT: Point = Point { x: 12.0, y: 8.0 };

fn drag_part(offer: &Offer) -> Option<Part> {
    let to = offer.to.as_ref()?;
    let mouse = |on: &Element, size| Mouse {
        on: on.clone(),
        at: middle_of(size),
        button: Button::Left,
        held: Modifiers::default(),
    };
    let (from, to) = (mouse(&offer.element, offer.size), mouse(&to.element, to.size));
    let via = vec![FIRST_BIT];
    let event = match offer.kind {
        OfferKind::Carry => Event::Carry { from, to, via },
        _ => Event::Drag { from, to, via },
    };
    Some(Part { label: format!("drag {}", said(offer)), lines: vec![line(event)] })
}

/// The key on the element, which gets the focus.
fn key_part(offer: &Offer, name: &str) -> Option<Part> {
    let event = Event::Type { on: offer.element.clone(), key: Key::named(name)?, held: Modifiers::default() };
    Some(Part { label: format!("press {name} in {}", said(offer)), lines: vec![line(event)] })
}

fn field_part(offer: &Offer, value: &str) -> Part {
    let on = || offer.element.clone();
    let lines = match offer.kind {
        OfferKind::Choose => {
            vec![line(Event::Choose { on: on(), at: middle(offer), values: vec![value.to_string()] })]
        }
        OfferKind::Set => vec![line(Event::Set { on: on(), value: value.to_string() })],
        _ => {
            let mut lines = Vec::new();
            if !offer.value.is_empty()
                && let Some(key) = Key::named("a")
            {
                lines.push(line(Event::Type { on: on(), key, held: Modifiers::from_bits(2) }));
            }
            match Key::named("Delete").filter(|_| value.is_empty()) {
                Some(key) => lines.push(line(Event::Type { on: on(), key, held: Modifiers::default() })),
                None => lines.push(line(Event::Insert { on: on(), text: value.to_string() })),
            }
            // A field tells that it has changed when it is left.
            if offer.hears_change
                && let Some(key) = Key::named("Tab")
            {
                lines.push(line(Event::Type { on: on(), key, held: Modifiers::default() }));
            }
            lines
        }
    };
    let verb = if offer.kind == OfferKind::Choose { "choose" } else { "enter" };
    Part { label: format!("{verb} {value:?} in {}", said(offer)), lines }
}

fn middle(offer: &Offer) -> Point {
    middle_of(offer.size)
}

fn middle_of(size: (f64, f64)) -> Point {
    let half = |side: f64| (side * 50.0).round() / 100.0;
    Point { x: half(size.0), y: half(size.1) }
}

fn said(offer: &Offer) -> String {
    match offer.name.as_str() {
        "" => offer.element.tag().to_string(),
        name => format!("\u{201c}{name}\u{201d}"),
    }
}
