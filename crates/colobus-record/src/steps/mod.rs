//! What users did, as the steps of actions ([`colobus_model::Step`]): the words of configurations and searches. A recording
//! says more than steps can. What is left out is a [`Loss`], which says whether the rest still means the same. [`together`]
//! makes an interaction of a session of several users.

mod keys;
mod selector;
mod together;

use colobus_model::{Inside, Step, Target};
use serde_json::Value;

pub use together::{Together, TogetherError, together};

use crate::{Button, DialogKind, Element, Event, Key, Mouse, Point, Recording};
use selector::{css, pressed};

const CHOOSE: &str = include_str!("choose.js");
const SET: &str = include_str!("set.js");

/// How far the way of a drag may be from a straight line, in pixels, before it is worth a warning.
const STRAIGHT: f64 = 10.0;

/// A step, a line that none says, or both: a step that says less than its line.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub client: usize,
    /// The number of its first line, from one.
    pub line: usize,
    pub step: Option<Step>,
    /// What people call the element of a step that names it.
    pub about: Option<String>,
    pub loss: Option<Loss>,
}

/// What is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub why: &'static str,
    /// Whether what comes after it may go wrong, or mean something else.
    pub matters: bool,
}

impl Loss {
    fn grave(why: &'static str) -> Loss {
        Loss { why, matters: true }
    }

    fn harmless(why: &'static str) -> Loss {
        Loss { why, matters: false }
    }
}

/// The steps of all users, in the order in which they acted. Loading the page is no step.
pub fn steps(recording: &Recording) -> Vec<Entry> {
    let mut translation = Translation { entries: Vec::new(), clipboard: None, down: Vec::new() };
    for (index, line) in recording.lines.iter().enumerate() {
        let place = Place { client: line.who.client, line: index + 1 };
        if line.who.tab > 1 && line.event.is_by_user() {
            translation.lose(place, Loss::grave("steps stay in the first tab"));
        } else {
            translation.event(place, &line.event);
        }
    }
    translation.entries
}

#[derive(Clone, Copy)]
struct Place {
    client: usize,
    line: usize,
}

struct Translation {
    entries: Vec<Entry>,
    clipboard: Option<Clipboard>,
    /// Keys that write or act, while they are down, and whose they are.
    down: Vec<(usize, Key)>,
}

/// What the user is about to paste.
struct Clipboard {
    client: usize,
    text: String,
    formatted: bool,
}

impl Translation {
    fn event(&mut self, place: Place, event: &Event) {
        match event {
            Event::Open(_) | Event::Reload | Event::Back | Event::Forward => {
                if self.entries.iter().any(|entry| entry.client == place.client) {
                    self.lose(place, Loss::grave("steps stay on their page"));
                }
            }
            // What the page does because of a step, it will do again.
            Event::Arrive(_) | Event::Popup(_) => {}
            Event::Close => self.lose(place, Loss::harmless("clients stay during a search")),
            Event::Click(mouse, 1) => self.point(place, mouse, Step::Click),
            Event::Click(_, 2) => self.second_click(place),
            Event::DoubleClick(mouse) => self.point(place, mouse, Step::DoubleClick),
            Event::Click(..) => self.lose(place, Loss::grave("steps click at most twice in a row")),
            Event::Drag { from, to, via } | Event::Carry { from, to, via } => self.drag(place, from, to, via),
            Event::Press(..) | Event::Release(..) | Event::Move(_) | Event::Drop(_) | Event::Abandon => {
                self.lose(place, Loss::grave("steps click and drag, and do nothing by halves"));
            }
            Event::Type { key, held, .. } => self.key(place, key, *held, true),
            Event::Down { key, held, again, .. } => {
                self.key(place, key, *held, false);
                if !again && !key.is_modifier() {
                    self.down.push((place.client, key.clone()));
                }
            }
            Event::Up { key, .. } => {
                self.down.retain(|(client, held)| *client != place.client || held.code != key.code)
            }
            Event::Compose { commit, .. } => {
                self.new_text(place, commit);
                self.lose_a_part(place, Loss::harmless("what the input method showed on the way is left out"));
            }
            Event::Insert { text, .. } => self.text(place, text),
            Event::Clipboard { text, html } => {
                let (client, text, formatted) = (place.client, text.clone(), html.is_some());
                self.clipboard = Some(Clipboard { client, text, formatted });
            }
            Event::Paste { .. } => self.paste(place),
            Event::Secret { .. } => self.lose(place, Loss::grave("a secret is not written")),
            Event::Choose { on, values, .. } => self.script(place, on, CHOOSE, &Value::from(values.clone())),
            Event::Set { on, value } => self.script(place, on, SET, &Value::from(value.as_str())),
            Event::Files { .. } => self.lose(place, Loss::grave("steps choose no files")),
            Event::Scroll { .. } => self.lose(place, Loss::harmless("steps scroll to what they need by themselves")),
            Event::Dialog { kind, accept, .. } => {
                let asks = matches!(kind, DialogKind::Confirm | DialogKind::Prompt);
                if asks && *accept || *kind == DialogKind::BeforeUnload && !accept {
                    self.lose(
                        place,
                        Loss::grave("a search says no to what pages ask, and leaves a page when it wants to"),
                    );
                }
            }
        }
    }

    fn say(&mut self, place: Place, step: Step, about: Option<String>) {
        let Place { client, line } = place;
        self.entries.push(Entry { client, line, step: Some(step), about, loss: None });
    }

    fn lose(&mut self, place: Place, loss: Loss) {
        let Place { client, line } = place;
        self.entries.push(Entry { client, line, step: None, about: None, loss: Some(loss) });
    }

    /// The step that this line has become, if any, says less than the line.
    fn lose_a_part(&mut self, place: Place, loss: Loss) {
        match self.entries.last_mut().filter(|entry| entry.line == place.line) {
            Some(entry) => entry.loss = Some(loss),
            None => self.lose(place, loss),
        }
    }

    fn point(&mut self, place: Place, mouse: &Mouse, step: fn(Target) -> Step) {
        match self.target(place.client, mouse) {
            Ok(target) => self.say(place, step(target), name(&mouse.on)),
            Err(why) => self.lose(place, Loss::grave(why)),
        }
    }

    /// Two clicks that were not on quite the same spot.
    fn second_click(&mut self, place: Place) {
        let first = self.entries.last_mut().filter(|entry| entry.client == place.client);
        if let Some(step) = first.and_then(|entry| entry.step.as_mut())
            && let Step::Click(target) = step
        {
            *step = Step::DoubleClick(target.clone());
        } else {
            self.lose(place, Loss::grave("steps do nothing by halves, and this is the second click of two"));
        }
    }

    fn drag(&mut self, place: Place, from: &Mouse, to: &Mouse, via: &[Point]) {
        match (self.target(place.client, from), self.target(place.client, to)) {
            (Ok(start), Ok(end)) => {
                self.say(place, Step::Drag { from: start, to: end }, name(&from.on));
                if !is_straight(via) {
                    self.lose_a_part(place, Loss::harmless("the way of the mouse is left out: steps drag straight on"));
                }
            }
            (Err(why), _) | (_, Err(why)) => self.lose(place, Loss::grave(why)),
        }
    }

    fn target(&self, client: usize, mouse: &Mouse) -> Result<Target, &'static str> {
        if mouse.button != Button::Left {
            return Err("steps use the left button of the mouse");
        }
        if !mouse.held.is_none() || self.down.iter().any(|(whose, _)| *whose == client) {
            return Err("steps hold no key down while they use the mouse");
        }
        let whole = pressed(&mouse.on);
        let on = css(&whole)?;
        // Others' formats do not know where in the element it was.
        if is_one_place(&whole) || mouse.at == Point::default() {
            return Ok(Target::Selector(on));
        }
        match (pixel(mouse.at.x), pixel(mouse.at.y)) {
            (Some(x), Some(y)) => Ok(Target::Inside(Inside { on, x, y })),
            _ => Err("the mouse was outside of the element"),
        }
    }

    /// What trusted input cannot do.
    fn script(&mut self, place: Place, on: &Element, script: &str, value: &Value) {
        match css(on) {
            Ok(selector) => {
                let call = format!("({})({}, {value})", script.trim(), Value::from(selector));
                self.say(place, Step::Evaluate(call), name(on));
            }
            Err(why) => self.lose(place, Loss::grave(why)),
        }
    }
}

/// What does the same wherever it is clicked.
fn is_one_place(element: &Element) -> bool {
    let role = element.hints.role.as_deref().unwrap_or_default();
    let whole_role =
        matches!(role, "button" | "link" | "checkbox" | "radio" | "switch" | "tab" | "option" | "combobox");
    whole_role
        || role.starts_with("menuitem")
        || matches!(element.tag(), "button" | "a" | "summary" | "option" | "select")
}

/// How people would call it: `button “Bold”`.
fn name(element: &Element) -> Option<String> {
    let hints = &element.hints;
    let said = hints.label.as_deref().or(hints.text.as_deref()).filter(|said| !said.is_empty())?;
    let kind = hints.role.as_deref().unwrap_or(element.tag());
    Some(format!("{kind} “{said}”"))
}

fn pixel(value: f64) -> Option<u32> {
    // What lies on the edge is taken for inside; `as` cuts off what no screen has.
    (value > -1.0).then(|| value.round().max(0.0) as u32)
}

fn is_straight(via: &[Point]) -> bool {
    let Some(end) = via.last() else { return true };
    let length = end.x.hypot(end.y);
    let off = |by: &Point| if length < 1.0 { by.x.hypot(by.y) } else { (by.x * end.y - by.y * end.x).abs() / length };
    via.iter().all(|by| off(by) <= STRAIGHT)
}
