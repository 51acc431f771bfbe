//! An action at the end of a user's `colobus.toml`. What stands in the file stays as it is, byte for byte.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use colobus_model::{Action, Chord, KeyName, Step, Viewport};

use super::{Written, check_name};
use crate::commands::template;
use crate::config::{Configuration, FILE_NAME, write};

/// The file, known to take an action of this name.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    name: String,
    /// What a file begins with that is not there yet.
    template: String,
}

impl Destination {
    /// Fails where the action could not be added later: users should not record in vain.
    pub fn find(path: &Path, name: &str, url: &str) -> anyhow::Result<Destination> {
        check_name(name)?;
        let path = if path.is_dir() { path.join(FILE_NAME) } else { path.to_path_buf() };
        let destination = Destination { path, name: name.to_string(), template: template(Some(url))? };
        destination.addition(&write::action(&Action::new(name, vec![Step::Press(Chord::plain(KeyName::Enter))])))?;
        Ok(destination)
    }

    /// Writes the action, and says where.
    pub fn add(&self, action: &Written) -> anyhow::Result<String> {
        let shown = self.path.display();
        let (addition, configuration) = self.addition(&action.text)?;
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.path)
            .with_context(|| format!("cannot write {shown}"))?;
        file.write_all(addition.as_bytes()).with_context(|| format!("cannot write {shown}"))?;
        let mut said = format!("added `{}` to {shown}", self.name);
        if addition.starts_with(&self.template) {
            said.push_str(", which was made as by `colobus init`: see `url` and `reset` in it");
        }
        if let Some(set) = configuration.search.set {
            said.push_str(&format!(", which searches its set `{set}`: add it there, or ask for it with --action"));
        }
        let size = configuration.application.viewport;
        if let Some(Viewport { width, height }) = action.recorded_in.filter(|recorded_in| *recorded_in != size) {
            said.push_str(&format!(
                "\nnote: it names places in elements, in a window of {width} x {height}; pages of a search have {} x {} (`viewport`)",
                size.width, size.height
            ));
        }
        Ok(said)
    }

    /// What has to be written behind the text of the file. The whole is known to be a configuration with one action more.
    fn addition(&self, action: &str) -> anyhow::Result<(String, Configuration)> {
        let shown = self.path.display().to_string();
        let (before, missing) = match fs::read_to_string(&self.path) {
            Ok(text) => (text, ""),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), self.template.as_str()),
            Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
        };
        let parse = |text: &str| Configuration::parse(text, &shown, Path::new("."));
        let begun = format!("{before}{missing}");
        let known = parse(&begun)?;
        if known.actions.iter().any(|action| action.name == self.name) {
            bail!(
                "{shown} has an action `{}` already\n  choose another name, or take that action out of the file",
                self.name
            );
        }
        let addition = format!("{missing}{}", behind(&begun, action));
        let configuration = parse(&format!("{before}{addition}"))
            .with_context(|| format!("{shown} cannot be added to: does it have its actions as `action = [`?"))?;
        Ok((addition, configuration))
    }
}

/// The action with an empty line before it, and line ends as the text has them.
fn behind(text: &str, action: &str) -> String {
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let addition = format!("{gap}{action}");
    if text.contains("\r\n") { addition.replace('\n', "\r\n") } else { addition }
}
