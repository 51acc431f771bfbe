//! [`Frames`]: the frames of a page and the execution contexts of their documents; [`FramePath`] names one of them, and
//! [`Frame`] is one that was found. Frames of the same origin are part of the page: JavaScript, elements, text and what
//! they show are reached like those of the main frame.

use std::collections::HashMap;

use colobus_world::WorldError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::evaluate::evaluated;
use super::{Evaluated, Page, Place};
use crate::protocol::{dom, page, runtime};
use crate::scripts;

/// Contexts that are gone are forgotten beyond this number: what the recorder's script said last may still have to be read.
const MOST_CONTEXTS: usize = 200;

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

    /// The frame inside an element; nothing if it is not the element of a frame.
    pub async fn frame_in(&self, element: &str) -> Result<Option<String>, WorldError> {
        Ok(self.call(dom::DescribeNode { object_id: element }).await?.node.frame_id)
    }

    /// Calls a function on the element of a frame.
    pub async fn ask_frame_element(&self, frame: &str, function: &str) -> Result<Value, WorldError> {
        let owner = self.call(dom::GetFrameOwner { frame_id: frame }).await?;
        let node = self.call(dom::ResolveNode { backend_node_id: owner.backend_node_id }).await?;
        let missing = || WorldError::Interrupted("the element of a frame is gone".to_string());
        let object_id = node.object.object_id.ok_or_else(missing)?;
        let call =
            runtime::CallFunctionOn { object_id: &object_id, function_declaration: function, return_by_value: true };
        Ok(self.call(call).await?.result.value.unwrap_or_default())
    }

    /// Finds a frame.
    pub async fn frame(&self, path: &FramePath) -> Result<Frame<'_>, WorldError> {
        let absent = || WorldError::Interrupted("the document of a frame is not there".to_string());
        let mut context = None;
        let mut corner = Place { x: 0.0, y: 0.0 };
        for selector in &path.0 {
            let found = Frame { page: self, context, corner };
            let element = format!("document.querySelector({})", json!(selector));
            let wrong = |problem: &str| WorldError::Interrupted(format!("frame `{selector}`: {problem}"));
            let handle = match self.handle(context, &element).await {
                Err(WorldError::Interrupted(problem)) => return Err(wrong(&problem)),
                found => found?.ok_or_else(|| wrong("no element matches"))?,
            };
            let frame = self.frame_in(&handle).await?.ok_or_else(|| wrong("the element is not a frame"))?;
            let begin: Place = found.ask("input.frameCorner", &[json!(selector)]).await?;
            corner = Place { x: corner.x + begin.x, y: corner.y + begin.y };
            context = Some(self.context_of(Some(&frame)).ok_or_else(absent)?);
        }
        Ok(Frame { page: self, context, corner })
    }
}

/// What `input.locate` answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Located {
    There(Place),
    Nowhere { problem: String },
}

/// What `input.focus` answers.
#[derive(Deserialize)]
struct FocusAnswer {
    problem: Option<String>,
}

impl Frame<'_> {
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
    pub async fn find(&self, selector: &str, at: Option<Place>) -> Result<Result<Place, String>, WorldError> {
        let at = at.map_or(Value::Null, |Place { x, y }| json!({ "x": x, "y": y }));
        let locate = scripts::call("input.locate", &[json!(selector), at]);
        Ok(match self.evaluate(&locate).await? {
            Evaluated::Threw(message) => Err(message),
            Evaluated::Value(answer) => match scripts::read("input.locate", answer)? {
                Located::There(Place { x, y }) => Ok(Place { x: self.corner.x + x, y: self.corner.y + y }),
                Located::Nowhere { problem } => Err(problem),
            },
        })
    }

    /// Gives an element the focus; keys go to it then. `Err` with the reason if it cannot have it.
    pub async fn focus(&self, selector: &str) -> Result<Result<(), String>, WorldError> {
        let FocusAnswer { problem } = self.ask("input.focus", &[json!(selector)]).await?;
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
