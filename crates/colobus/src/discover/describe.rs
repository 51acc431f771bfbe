//! Writes down what was found out, as a `colobus.toml` that explains itself.

use std::fmt::Write;

use colobus_model::{Action, Aspect};
use colobus_world::Survey;
use toml::Value;

use super::propose::main_editable;
use crate::config::{NeutralSteps, write};

pub const WIDTH: u32 = 800;
pub const HEIGHT: u32 = 600;

/// With so few actions users who do the same at the same time cost little, and a page with one action has no other pair.
const FEW_ACTIONS: usize = 4;

/// A configuration in the making.
#[derive(Clone)]
pub struct Description {
    pub url: String,
    pub reload: bool,
    pub title: String,
    pub focus: Option<String>,
    pub caret: Option<&'static str>,
    pub ignore: Vec<String>,
    pub judge: Aspect,
    /// Whether users write in forms and submit them.
    pub has_forms: bool,
    /// What was tried and led back to where it began.
    pub neutral: Vec<NeutralSteps>,
    pub actions: Vec<Action>,
    /// What was tried and changed nothing.
    pub without_effect: Vec<Action>,
}

impl Description {
    pub fn of(url: &str, survey: &Survey) -> Description {
        let editable = main_editable(survey);
        let known = ["codemirror5", "codemirror6"];
        Description {
            url: url.to_string(),
            reload: !url.contains("{doc}"),
            title: survey.title.clone(),
            focus: editable.map(|editable| editable.selector.clone()),
            caret: editable.and_then(|editable| known.into_iter().find(|kind| editable.kind == *kind)),
            ignore: Vec::new(),
            judge: Aspect::Pixels,
            has_forms: false,
            neutral: Vec::new(),
            actions: Vec::new(),
            without_effect: Vec::new(),
        }
    }

    /// Enough to open the page.
    pub fn without_actions(&self) -> String {
        format!("{}\n[[action]]\nname = \"nothing\"\nsteps = [{{ type = \"a\" }}]\n", self.application())
    }

    pub fn to_toml(&self) -> String {
        let mut text = String::from(
            "# Written by `colobus check` from what it saw and tried. Edit it: what users really do, what is not a part of the\n\
             # document (`ignore`), how to read your own document (`state`). docs/configuration.md explains every key.\n\n",
        );
        text.push_str(&self.application());
        if self.judge == Aspect::Dom {
            text.push_str(
                "\n# Most actions move most of the page: its DOM tells better than pixels what an action changes.\n",
            );
            text.push_str("[judge]\neffect = \"dom\"\nequivalence = \"dom\"\nconvergence = [\"dom\"]\n");
        }
        text.push_str("\n[search]\ndepth = 2\n");
        if self.has_forms || self.actions.len() <= FEW_ACTIONS {
            let why = if self.has_forms {
                "Users who submit the same at once are the most likely to lose something."
            } else {
                "There is little to do here: two users do the same at once, too."
            };
            let _ = writeln!(text, "# {why}\nsame = true");
        }
        if let Ok(names) = Value::try_from(&self.neutral)
            && !self.neutral.is_empty()
        {
            text.push_str("\n# These change nothing when they are tried alone. Without the #, that is checked beside every action.\n");
            let _ = writeln!(text, "# [checks]\n# neutral = {names}");
        }
        for action in &self.actions {
            let _ = write!(text, "\n{}", write::action(action));
        }
        if !self.without_effect.is_empty() {
            let or = if self.has_forms { ", reached no other user" } else { "" };
            let _ = writeln!(text, "\n# These changed nothing on a page with one word{or}, or did not apply:");
            for action in &self.without_effect {
                write::action(action).lines().for_each(|line| _ = writeln!(text, "# {line}"));
            }
        }
        text
    }

    fn application(&self) -> String {
        let mut text = format!("[app]\nurl = {}\n", write::text(&self.url));
        if self.reload {
            text.push_str(
                "# Loading the page again gives an empty document. Better: `{doc}` in the URL, where it names one.\n",
            );
            text.push_str("reset = \"reload\"\n");
        }
        if !self.title.trim().is_empty() {
            let _ = writeln!(text, "title = {}", write::text(self.title.trim()));
        }
        if let Some(focus) = &self.focus {
            let _ = writeln!(text, "focus = {}", write::text(focus));
        }
        if let Some(caret) = self.caret {
            let _ = writeln!(text, "caret = {}", write::text(caret));
        }
        if !self.ignore.is_empty() {
            let selectors: Vec<String> = self.ignore.iter().map(|selector| write::text(selector)).collect();
            let _ =
                writeln!(text, "# These differ between users, or from visit to visit, without anybody doing anything.");
            let _ = writeln!(text, "ignore = [{}]", selectors.join(", "));
        }
        let _ = writeln!(text, "viewport = {{ width = {WIDTH}, height = {HEIGHT} }}");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Configuration;
    use colobus_model::Step;
    use std::path::Path;

    #[test]
    fn what_is_written_can_be_read() {
        let actions = super::super::propose::actions(&Survey::default(), &[]);
        assert!(actions.is_empty());
        let description = Description {
            ignore: vec!["#users".into(), "p[title=\"a 'b'\"]".into()],
            judge: Aspect::Dom,
            neutral: vec![NeutralSteps::UndoRedo, NeutralSteps::Resize],
            actions: vec![Action::new(
                "say \"hi\"",
                vec![Step::Type("{token}".into()), Step::Press("Enter".parse().unwrap())],
            )],
            without_effect: vec![Action::new("undo", vec![Step::Press("Control+z".parse().unwrap())])],
            ..Description::of("http://127.0.0.1:1/?doc={doc}", &Survey::default())
        };
        let text = description.to_toml();
        let read = Configuration::parse(&text, "colobus.toml", Path::new("."))
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.actions, description.actions);
        assert_eq!(read.application.ignore.len(), 2);
        assert_eq!(read.judge.convergence, [Aspect::Dom]);
        assert!(text.contains("# [checks]\n# neutral = [\"undo-redo\", \"resize\"]\n"), "{text}");
    }
}
