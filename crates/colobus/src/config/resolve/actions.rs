//! What users do: names are unique, steps can be performed.

use std::collections::BTreeMap;

use colobus_model::{Action, Step, Target, Viewport};
use colobus_record::variables_in;

use super::Resolver;
use crate::config::file::{self, Checks};
use crate::config::nearest::did_you_mean;
use crate::config::neutral::followed_by;

impl Resolver<'_> {
    /// All actions: those that the file has, followed by those that lead back to where they begin.
    pub(super) fn actions(&mut self, written: &[file::Action], checks: &Checks, viewport: Viewport) -> Vec<Action> {
        self.check(written, viewport);
        let mut actions: Vec<Action> = written.iter().map(plain).collect();
        for (index, action) in written.iter().enumerate() {
            let Some(name) = &action.inverse else { continue };
            match written.iter().find(|other| other.name == *name) {
                Some(inverse) => actions.push(followed_by(&plain(action), &plain(inverse))),
                None => {
                    let names = written.iter().map(|action| action.name.as_str());
                    let advice = did_you_mean(name, names).unwrap_or_else(|| "name an action of this file".to_string());
                    self.wrong(&format!("action.{index}.inverse"), format!("there is no action `{name}`"), advice);
                }
            }
        }
        let built_in = checks.neutral.iter().map(|steps| steps.action(viewport));
        let known = |name: &str| written.iter().any(|action| action.name == name);
        actions.extend(built_in.filter(|action| !known(&action.name)));
        actions
    }

    fn check(&mut self, actions: &[file::Action], viewport: Viewport) {
        if actions.is_empty() {
            self.wrong("", "there are no actions", "add what users do: [[action]] with a name and steps");
        }
        let mut seen = BTreeMap::new();
        for (index, action) in actions.iter().enumerate() {
            let path = format!("action.{index}");
            let name = format!("{path}.name");
            if action.name.trim().is_empty() || action.name.contains(char::is_control) {
                self.wrong(&name, "this is not a name", "a name is one line of text");
            } else if let Some(first) = seen.insert(&action.name, index + 1) {
                let message = format!("two actions are called `{}`", action.name);
                self.wrong(&name, message, format!("action {first} has this name already"));
            }
            if action.steps.is_empty() {
                let message = format!("the action `{}` has no steps", action.name);
                self.wrong(&format!("{path}.steps"), message, "add one, such as { type = \"a\" }");
            }
            for (step_index, step) in action.steps.iter().enumerate() {
                let path = format!("{path}.steps.{step_index}");
                self.step(&path, step, viewport);
                self.no_secret(&path, step);
            }
        }
    }

    /// What an action types is shown and written down.
    fn no_secret(&mut self, path: &str, step: &Step) {
        let text = step.inserted_text().unwrap_or_default();
        if let [variable, ..] = variables_in(&text)[..] {
            let message = format!("`{variable}` is not typed by actions: what they type ends up in results");
            self.wrong(path, message, "secrets are for the steps of [[client]]");
        }
    }

    pub(super) fn step(&mut self, path: &str, step: &Step, viewport: Viewport) {
        let inside = |key: &str| format!("{path}.{key}");
        match step {
            Step::Type(text) => self.some_text(&inside("type"), text),
            Step::Paste(text) => self.some_text(&inside("paste"), text),
            Step::Click(target) => self.target(&inside("click"), target, viewport),
            Step::DoubleClick(target) => self.target(&inside("double_click"), target, viewport),
            Step::Drag { from, to } => {
                self.target(&inside("drag.from"), from, viewport);
                self.target(&inside("drag.to"), to, viewport);
            }
            Step::Evaluate(script) => self.not_blank(&inside("evaluate"), Some(script)),
            Step::WaitFor(selector) => self.locator(&inside("wait_for"), selector),
            Step::Resize(size) if size.width == 0 || size.height == 0 => {
                self.wrong(&inside("resize"), "a window of this size shows nothing", "both sides are at least 1");
            }
            Step::Press(_) | Step::Select(_) | Step::Resize(_) => {}
        }
    }

    fn some_text(&mut self, path: &str, text: &str) {
        if text.is_empty() {
            self.wrong(path, "this step does nothing", "give it a text");
        }
    }

    fn target(&mut self, path: &str, target: &Target, viewport: Viewport) {
        match target {
            Target::Selector(locator) => self.locator(path, locator),
            Target::Inside(place) => self.locator(&format!("{path}.on"), &place.on),
            Target::Point(point) if point.x >= viewport.width || point.y >= viewport.height => {
                let size = format!("the viewport is {} x {}", viewport.width, viewport.height);
                self.wrong(path, "this point lies outside the page", size);
            }
            Target::Point(_) => {}
        }
    }
}

fn plain(action: &file::Action) -> Action {
    let file::Action { name, steps, deletes, neutral, inverse: _ } = action;
    Action { deletes: *deletes, neutral: *neutral, ..Action::new(name, steps.clone()) }
}
