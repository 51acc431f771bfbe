//! [`Frames`]: the frames of a page and the execution contexts of their documents; [`FramePath`] names one of them, and
//! [`Frame`] is one that was found. Frames of the same origin are part of the page: JavaScript, elements, text and what
//! they show are reached like those of the main frame.

use std::collections::HashMap;
use std::time::Duration;

use colobus_world::WorldError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::evaluate::evaluated;
use super::{Evaluated, Notice, Page, Place};
use crate::protocol::{dom, page, runtime};
use crate::scripts;

/// Contexts that are gone are forgotten beyond this number: what the recorder's script said last may still have to be read.
const MOST_CONTEXTS: usize = 200;
/// The page itself stops waiting for an element in time; the browser gets this much longer to say so.
const TO_ANSWER: Duration = Duration::from_secs(5);

#[derive(Default)]
pub(super) struct Frames {
    /// Execution contexts of page code: number and frame.
    contexts: Vec<(i64, String)>,
    parents: HashMap<String, String>,
}

impl Frames {
    pub fn attached(&mut self, attached: &page::FrameAttached) {
        self.place(&attached.frame_id, &attached.parent_frame_id);
    }

    pub fn place(&mut self, frame: &str, parent: &str) {
        self.parents.insert(frame.to_string(), parent.to_string());
    }

    pub fn context_created(&mut self, context: &runtime::ExecutionContext) {
        let Some(data) = context.aux_data.as_ref().filter(|data| data.is_default == Some(true)) else { return };
        self.contexts.extend(data.frame_id.clone().map(|frame| (context.id, frame)));
    }

    pub fn context_destroyed(&mut self, id: i64) {
        if self.contexts.len() > MOST_CONTEXTS {
            self.contexts.retain(|(known, _)| *known != id);
        }
    }

    /// The newest context of a frame.
    fn context(&self, frame: &str) -> Option<i64> {
        self.contexts.iter().rev().find(|(_, known)| known == frame).map(|(id, _)| *id)
    }

    /// The frame that a context belongs to, and those around it, innermost first, without the main frame.
    fn around(&self, context: i64, main: &str) -> Vec<String> {
        let mut frames = Vec::new();
        let mut frame = self.contexts.iter().rev().find(|(id, _)| *id == context).map(|(_, frame)| frame.clone());
        while let Some(current) = frame.filter(|frame| frame != main) {
            frame = self.parents.get(&current).cloned();
            frames.push(current);
        }
        frames
    }
}

/// The way to a frame: a selector of a frame's element in each document, from the outermost inwards. Empty for the main
/// frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FramePath(pub Vec<String>);

/// A frame that was found. It is valid as long as its document is there.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    page: &'a Page,
    /// The main frame's, whichever document it shows, if it is left out.
    context: Option<i64>,
    /// Where its window begins in the page's window.
    corner: Place,
}

impl Page {
    /// The execution context of a frame; of the main frame if none is given.
    pub fn context_of(&self, frame: Option<&str>) -> Option<i64> {
        let state = self.events.state();
        state.frames.context(frame.unwrap_or(state.documents.main()))
    }

    /// The frame that an execution context belongs to, and those around it, innermost first, without the main frame.
    pub fn frames_around(&self, context: i64) -> Vec<String> {
        let state = self.events.state();
        state.frames.around(context, state.documents.main())
    }

    /// A handle of the object that an expression yields; nothing if it yields none. What throws is an error.
    pub async fn handle(&self, context: Option<i64>, expression: &str) -> Result<Option<String>, WorldError> {
        let answer = self.call(runtime::Evaluate::handle(expression, context)).await?;
        let handle = answer.result.object_id.clone();
        match evaluated(answer) {
            Evaluated::Value(_) => Ok(handle),
            Evaluated::Threw(message) => Err(WorldError::Interrupted(message)),
        }
    }

    /// Calls a function on the element of a frame.
    pub async fn ask_frame_element(&self, frame: &str, function: &str) -> Result<Value, WorldError> {
        let owner = self.call(dom::GetFrameOwner { frame_id: frame }).await?;
        let node = self.call(dom::ResolveNode { backend_node_id: owner.backend_node_id }).await?;
        let missing = || WorldError::Interrupted("the element of a frame is gone".to_string());
        self.ask_element(&node.object.object_id.ok_or_else(missing)?, function).await
    }

    async fn ask_element(&self, element: &str, function: &str) -> Result<Value, WorldError> {
        let call =
            runtime::CallFunctionOn { object_id: element, function_declaration: function, return_by_value: true };
        Ok(self.call(call).await?.result.value.unwrap_or_default())
    }

    /// The main frame, whichever document it shows.
    pub fn main_frame(&self) -> Frame<'_> {
        Frame { page: self, context: None, corner: Place::default() }
    }

    /// The main frame with the document that it shows now; nothing if there is none.
    pub fn main_document(&self) -> Option<Frame<'_>> {
        Some(Frame { context: Some(self.context_of(None)?), ..self.main_frame() })
    }

    /// Finds a frame.
    pub async fn frame(&self, path: &FramePath) -> Result<Frame<'_>, WorldError> {
        let mut frame = self.main_frame();
        for selector in &path.0 {
            let element = format!("document.querySelector({})", json!(selector));
            let wrong = |problem: &str| WorldError::Interrupted(format!("frame `{selector}`: {problem}"));
            let handle = match self.handle(frame.context, &element).await {
                Err(WorldError::Interrupted(problem)) => return Err(wrong(&problem)),
                found => found?.ok_or_else(|| wrong("no element matches"))?,
            };
            frame = frame.inside(&handle).await?.map_err(|problem| wrong(&problem))?;
        }
        Ok(frame)
    }
}

/// How the elements of steps are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The page is at rest: a target is there or it is not. A step that waits for an element waits for up to this time.
    AtRest { wait: Duration },
    /// The page is moving: every element may take up to this time.
    Moving { wait: Duration },
    /// Nothing happens in the page until an event is released: every element is there now, or it is not. The question is not
    /// among what the page's own code touches.
    Held,
}

/// What `input.locate` answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Located {
    There {
        #[serde(flatten)]
        place: Place,
        #[serde(default)]
        others: usize,
    },
    Nowhere {
        problem: String,
    },
}

/// What `input.focus`, `input.appears` and `held.shown` answer.
#[derive(Deserialize)]
struct ProblemAnswer {
    problem: Option<String>,
}

impl<'a> Frame<'a> {
    /// The frame inside an element of this one, by a handle of the element; `Err` with the reason if there is none.
    pub async fn inside(&self, element: &str) -> Result<Result<Frame<'a>, String>, WorldError> {
        let page = self.page;
        let Some(frame) = page.call(dom::DescribeNode { object_id: element }).await?.node.frame_id else {
            return Ok(Err("the element is not a frame".to_string()));
        };
        let begin: Place = scripts::read("frameCorner", page.ask_element(element, scripts::OWN_CORNER).await?)?;
        let corner = self.in_page(begin);
        let context = page.context_of(Some(&frame));
        let found = context.map(|context| Frame { page, context: Some(context), corner });
        Ok(found.ok_or_else(|| "the document of the frame is not there".to_string()))
    }

    /// The execution context of its document; nothing for the main frame, whichever document it shows.
    pub fn context(&self) -> Option<i64> {
        self.context
    }

    /// A place in its window as a place in the page's window.
    pub fn in_page(&self, place: Place) -> Place {
        Place { x: self.corner.x + place.x, y: self.corner.y + place.y }
    }

    /// Runs JavaScript in the frame; a promise is awaited.
    pub async fn evaluate(&self, source: &str) -> Result<Evaluated, WorldError> {
        self.page.evaluate_in(self.context, source, self.page.limit()).await
    }

    /// Asks a function of Colobus in the frame's document.
    async fn ask<T: DeserializeOwned>(&self, function: &str, arguments: &[Value]) -> Result<T, WorldError> {
        let answer = self.page.value_in(self.context, &scripts::call(function, arguments)).await?;
        scripts::read(function, answer)
    }

    /// Where the first visible element is that matches, in the page's window; `Err` with the reason if it is nowhere.
    /// `at` is a place in the element; its middle if it is left out.
    pub async fn find(
        &self,
        locator: &str,
        at: Option<Place>,
        lookup: Lookup,
    ) -> Result<Result<Place, String>, WorldError> {
        let at = at.map_or(Value::Null, |Place { x, y }| json!({ "x": x, "y": y }));
        let located = match lookup {
            Lookup::AtRest { .. } => self.answer("input.locate", &[json!(locator), at], self.page.limit()).await?,
            Lookup::Moving { wait } => {
                let arguments = [json!(locator), at, json!(milliseconds(wait))];
                self.answer("input.located", &arguments, wait + TO_ANSWER).await?
            }
            Lookup::Held => self.answer("held.locate", &[json!(locator), at], self.page.limit()).await?,
        };
        Ok(located.and_then(|located| match located {
            Located::There { place, others } => {
                if others > 0 {
                    let notice = Notice::TookTheFirst { locator: locator.to_string() };
                    self.page.events.listener.notice(notice);
                }
                Ok(self.in_page(place))
            }
            Located::Nowhere { problem } => Err(problem),
        }))
    }

    /// Waits until an element is visible; `Err` with the reason if it is not.
    pub async fn wait_for(&self, locator: &str, lookup: Lookup) -> Result<Result<(), String>, WorldError> {
        let answer = match lookup {
            Lookup::AtRest { wait } | Lookup::Moving { wait } => {
                let arguments = [json!(locator), json!(milliseconds(wait))];
                self.answer("input.appears", &arguments, wait + TO_ANSWER).await?
            }
            Lookup::Held => self.answer("held.shown", &[json!(locator)], self.page.limit()).await?,
        };
        Ok(answer.and_then(|ProblemAnswer { problem }| problem.map_or(Ok(()), Err)))
    }

    /// What a function of Colobus answers about a locator; `Err` with the reason if the locator cannot be read.
    async fn answer<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: &[Value],
        limit: Duration,
    ) -> Result<Result<T, String>, WorldError> {
        match self.page.evaluate_in(self.context, &scripts::call(function, arguments), limit).await? {
            Evaluated::Threw(message) => Ok(Err(message)),
            Evaluated::Value(answer) => scripts::read(function, answer).map(Ok),
        }
    }

    /// Gives an element the focus; keys go to it then. `Err` with the reason if it cannot have it.
    pub async fn focus(&self, selector: &str) -> Result<Result<(), String>, WorldError> {
        let ProblemAnswer { problem } = self.ask("input.focus", &[json!(selector)]).await?;
        Ok(problem.map_or(Ok(()), Err))
    }

    /// Types a text into an element of the frame.
    pub async fn type_into(&self, selector: &str, text: &str) -> Result<Result<(), String>, WorldError> {
        match self.focus(selector).await? {
            Ok(()) => self.page.type_text(text).await.map(Ok),
            Err(problem) => Ok(Err(problem)),
        }
    }

    /// The document's canonical form, without the parts that these selectors match.
    pub async fn dom(&self, ignored: &[&str]) -> Result<String, WorldError> {
        self.ask("canonicalDom", &[json!(ignored)]).await
    }

    /// The passages of text that a user sees, without the parts that these selectors match.
    pub async fn text(&self, ignored: &[&str]) -> Result<Vec<String>, WorldError> {
        self.ask("visibleText", &[json!(ignored)]).await
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
