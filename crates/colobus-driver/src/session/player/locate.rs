//! Where an element is: waited for, through frames and shadow roots.

use std::sync::Arc;

use colobus_browser::{MouseAction, Place, scripts};
use colobus_record::{Element, Event, Hints, Hop, Line, Point, Who, relax};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::{Performed, Player, Stop};
use crate::session::recorder::element;
use crate::session::tab::Tab;
use crate::settling::limits::{ELEMENT_WHILE_HELD_BACK, TO_SAY_SO};
use colobus_world::WorldError;

/// What an element has to be before something is done to it.
#[derive(Clone, Copy)]
pub enum Wants {
    Hit,
    Visible,
    There,
}

/// An element that was found: its document stays asked for it as the last one found.
pub struct Found {
    pub tab: Arc<Tab>,
    pub context: i64,
    /// The place in the tab's window, if one was asked for.
    pub place: Point,
    /// Where the window of its frame begins.
    pub corner: Point,
}

impl Found {
    /// Asks the page about the element.
    pub async fn ask(&self, function: &str, arguments: &[Value]) -> Performed<Value> {
        let source = scripts::call(&format!("player.{function}"), arguments);
        Ok(self.tab.page.value_in(Some(self.context), &source).await?)
    }

    /// A handle of the element.
    pub async fn handle(&self) -> Performed<String> {
        let found = scripts::call("player.found", &[]);
        let handle = self.tab.page.handle(Some(self.context), &found).await?;
        handle.ok_or_else(|| Stop::Impossible("the element is gone".to_string()))
    }
}

impl Player<'_> {
    /// Waits for an element, and for a place in it if one is given.
    pub(super) async fn locate(&mut self, who: Who, on: &Element, at: Option<Point>, wants: Wants) -> Performed<Found> {
        let tab = self.tab(who).await?;
        let deadline = Instant::now() + self.options.patience;
        loop {
            let limit = if tab.page.is_holding() {
                tab.page.document_arrived().await;
                if tab.page.holds_something() {
                    deadline.min(Instant::now() + ELEMENT_WHILE_HELD_BACK)
                } else {
                    deadline
                }
            } else {
                deadline
            };
            let problem = match self.attempt(&tab, on, at, wants, limit).await {
                Ok((found, given_up)) => return self.accept(on, found, given_up),
                Err(Stop::Impossible(problem)) => problem,
                Err(stop) => return Err(stop),
            };
            if tab.page.let_one_through().await {
                continue;
            }
            // A document that goes away takes the question with it: its successor is asked again.
            if Instant::now() >= deadline || tab.page.is_closed() {
                return Err(Stop::Impossible(format!("{}: {problem}", on.path())));
            }
            let mut changed = self.windows.tabs.changes.subscribe();
            let _ = timeout_at(deadline, changed.changed()).await;
        }
    }

    /// The element beside the one that this line clicks; nothing if there is none, or the line clicks nothing.
    pub fn neighbour(&mut self, index: usize) -> Result<Option<Element>, WorldError> {
        let recording = self.recording;
        let Some(Line { who, event: Event::Click(mouse, 1), .. }) = recording.lines.get(index) else { return Ok(None) };
        // Of elements in frames, only those beside them in the same frame are; they are left out.
        if mouse.on.by_document().len() > 1 {
            return Ok(None);
        }
        let windows = self.windows;
        let told = windows.wait(async {
            let found = self.locate(*who, &mouse.on, Some(mouse.at), Wants::Hit).await?;
            found.ask("neighbour", &[]).await
        });
        match told {
            Ok(told) => Ok(element(&told, &[])),
            Err(Stop::World(error)) => Err(error),
            Err(Stop::Impossible(_)) => Ok(None),
        }
    }

    fn accept(&mut self, on: &Element, found: Found, given_up: Vec<String>) -> Performed<Found> {
        if self.options.strict && !given_up.is_empty() {
            let given_up = given_up.join(", ");
            return Err(Stop::Impossible(format!("{}: found only without {given_up}", on.path())));
        }
        for what in given_up {
            if !self.given_up.contains(&what) {
                self.given_up.push(what);
            }
        }
        Ok(found)
    }

    async fn attempt(
        &self,
        tab: &Arc<Tab>,
        on: &Element,
        at: Option<Point>,
        wants: Wants,
        deadline: Instant,
    ) -> Performed<(Found, Vec<String>)> {
        let parts = on.by_document();
        let missing = || Stop::Impossible("its document is not there".to_string());
        let mut frame = tab.page.main_document().ok_or_else(missing)?;
        let mut given_up = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let context = frame.context().ok_or_else(missing)?;
            let last = index + 1 == parts.len();
            let (place, how) = if last { (at, wants) } else { (None, Wants::Visible) };
            let hints = last.then_some(&on.hints);
            let mut answer = ask(tab, context, part, hints, place, how, deadline).await?;
            while let Some([x, y]) = answer.hover {
                tab.page.mouse(MouseAction::move_to(frame.in_page(Place { x, y }))).await?;
                answer = ask(tab, context, part, hints, place, how, deadline).await?;
            }
            given_up.extend(answer.given_up);
            let there = match (answer.x.zip(answer.y), place) {
                (Some((x, y)), _) => Place { x, y },
                (None, Some(_)) if !matches!(how, Wants::There) => {
                    return Err(Stop::Impossible("the page does not say where it is".to_string()));
                }
                (None, _) => Place::default(),
            };
            let (place, corner) = (point(frame.in_page(there)), point(frame.in_page(Place::default())));
            let found = Found { tab: tab.clone(), context, place, corner };
            if last {
                return Ok((found, given_up));
            }
            frame = frame.inside(&found.handle().await?).await?.map_err(Stop::Impossible)?;
        }
        Err(Stop::Impossible("it has no path".to_string()))
    }
}

/// What `player.await` answers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Awaited {
    problem: Option<String>,
    /// Where the mouse may make it appear.
    hover: Option<[f64; 2]>,
    /// The place in the frame's window, if one was asked for.
    x: Option<f64>,
    y: Option<f64>,
    /// Parts of the path that had to be given up.
    #[serde(default)]
    given_up: Vec<String>,
}

async fn ask(
    tab: &Tab,
    context: i64,
    part: &[Hop],
    hints: Option<&Hints>,
    at: Option<Point>,
    wants: Wants,
    deadline: Instant,
) -> Performed<Awaited> {
    let hops: Vec<Value> = part.iter().map(|hop| relax::to_json(&relax::candidates(&hop.path))).collect();
    let wants = match wants {
        Wants::Hit => "hit",
        Wants::Visible => "visible",
        Wants::There => "there",
    };
    let hints = hints.map_or(
        json!({}),
        |hints| json!({ "role": hints.role, "label": hints.label, "text": hints.text, "at": hints.at.map(pair) }),
    );
    let limit = deadline.saturating_duration_since(Instant::now()).as_millis();
    let limit = u64::try_from(limit).unwrap_or_default();
    let arguments = [json!(hops), hints, json!(at.map(pair)), json!(wants), json!(limit)];
    let source = scripts::call("player.await", &arguments);
    let answer = tab.page.value_in(Some(context), &source);
    let answer = timeout_at(deadline + TO_SAY_SO, answer)
        .await
        .map_err(|_| WorldError::Interrupted("the page hangs".to_string()))??;
    let answer: Awaited = scripts::read("player.await", answer)?;
    match answer.problem {
        Some(problem) => Err(Stop::Impossible(problem)),
        None => Ok(answer),
    }
}

fn point(Place { x, y }: Place) -> Point {
    Point { x, y }
}

fn pair(point: Point) -> [f64; 2] {
    [point.x, point.y]
}
