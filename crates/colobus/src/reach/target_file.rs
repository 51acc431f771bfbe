//! [`TargetFile`]: the lines to reach, whether a user can get there, and how, as a person wrote them down. Becomes a
//! [`TargetLine`] each as soon as the code of the page is known.

use std::path::Path;

use anyhow::{Context, bail};
use colobus_driver::ReachBrowser;
use colobus_reach::line::Line;
use colobus_reach::observation::PARAMETER;
use colobus_reach::page::Step;
use colobus_reach::symbolic::value::Value;
use colobus_reach_run::TargetKind;
use serde::Deserialize;

/// A line to reach.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetLine {
    pub line: Line,
    pub kind: Option<TargetKind>,
    /// A way that a person knows.
    pub steps: Option<Vec<Step>>,
}

impl TargetLine {
    pub fn of(line: &Line) -> TargetLine {
        TargetLine { line: line.clone(), kind: None, steps: None }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetFile {
    target: Vec<Target>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    /// FILE:LINE, or a text that stands in one line only.
    line: String,
    kind: TargetKind,
    steps: Option<Vec<String>>,
}

impl TargetFile {
    pub fn read(path: &Path) -> anyhow::Result<TargetFile> {
        let text = std::fs::read_to_string(path).with_context(|| {
            format!("cannot read {}: a file of targets is a text file; see docs/reach.md", path.display())
        })?;
        toml::from_str(&text).with_context(|| format!("{} is not a file of targets; see docs/reach.md", path.display()))
    }

    /// Lines are named by number, or by a text that stands in one line of the page's code.
    pub fn lines(&self, page: &ReachBrowser) -> anyhow::Result<Vec<TargetLine>> {
        let line = |target: &Target| {
            let line = match target.line.parse::<Line>() {
                Ok(line) => line,
                Err(_) => line_with(&target.line, page)?,
            };
            let steps = target.steps.as_ref().map(|steps| steps.iter().map(|step| read_step(step)).collect());
            Ok(TargetLine { line, kind: Some(target.kind), steps })
        };
        self.target.iter().map(line).collect()
    }
}

fn line_with(text: &str, page: &ReachBrowser) -> anyhow::Result<Line> {
    let found: Vec<Line> = page
        .texts()
        .iter()
        .flat_map(|(file, source)| {
            let lines = (1..).zip(source.lines()).filter(|(_, line)| line.contains(text));
            lines.map(|(number, _)| Line { file: file.clone(), number })
        })
        .collect();
    match &found[..] {
        [one] => Ok(one.clone()),
        [] => bail!("no line of the page's code contains `{text}`"),
        _ => bail!("{} lines of the page's code contain `{text}`; name it by number", found.len()),
    }
}

/// `click Save`, or `enter Name: Ada` with a value.
fn read_step(written: &str) -> Step {
    let (event, value) = match written.split_once(": ") {
        Some((event, value)) => (event, Some((PARAMETER.into(), Value::text(value)))),
        None => (written, None),
    };
    Step { event: event.trim().into(), parameters: value.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_read_as_people_write_it() {
        assert_eq!(read_step("click Save").to_string(), "click Save");
        assert_eq!(read_step("enter Name: Ada: x").to_string(), "enter Name(\"Ada: x\")");
    }

    #[test]
    fn what_a_file_must_not_contain_is_refused() {
        for text in ["[[target]]\nline = \"x\"", "[[target]]\nline = \"x\"\nkind = \"easy\"", "target = 1"] {
            assert!(toml::from_str::<TargetFile>(text).is_err(), "{text}");
        }
    }
}
