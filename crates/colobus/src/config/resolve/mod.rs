//! From [`File`] to [`Configuration`]: every default filled in, every reference followed, every text checked. What is
//! wrong is collected, each at its place, so that a user sees all of it at once.

mod actions;
mod application;
mod logins;
mod race;
mod sets;

use std::path::Path;

use colobus_check::CHECKS;
use colobus_model::{Application, Aspect};
use colobus_run::Judge;

pub use race::RaceChoices;

use super::Configuration;
use super::file::{self, File};
use super::locator::check_locator;
use super::nearest::did_you_mean;
use super::problem::Problem;
use super::selector::{SelectorError, check_selector};
use super::source::Source;

/// The configuration that `file` means; `name` is what names it, `folder` where it lies.
pub fn resolve(file: File, name: &str, folder: &Path, source: &Source<'_>) -> Result<Configuration, Vec<Problem>> {
    let mut resolver = Resolver { folder, source, problems: Vec::new() };
    let judge = resolver.judge(&file.judge, file.app.state.is_some());
    let actions = resolver.actions(&file.action, &file.checks, file.app.viewport);
    let sets = resolver.sets(&file);
    let title = file.app.title.clone().unwrap_or_else(|| file.app.url.clone());
    resolver.checks_off(&file.checks.off);
    let race = resolver.race(file.race);
    let logins = resolver.logins(&file.client, &file.app);
    let application = resolver.application(
        file.app,
        file.settle,
        file.deterministic,
        file.invariant,
        file.sometimes,
        file.checks.caret.clone(),
    );
    match application {
        Some(application) if resolver.problems.is_empty() => {
            let (search, checks) = (file.search, file.checks);
            let checks_off = checks.off.clone();
            let application = Application { whole_words: checks.whole_words, checks_off, logins, ..application };
            let source = name.to_string();
            Ok(Configuration { source, title, application, actions, judge, search, checks, race, sets })
        }
        _ => Err(resolver.problems),
    }
}

struct Resolver<'a> {
    folder: &'a Path,
    source: &'a Source<'a>,
    problems: Vec<Problem>,
}

impl Resolver<'_> {
    /// Something is wrong with the value at `path`.
    fn wrong(&mut self, path: &str, message: impl Into<String>, label: impl Into<String>) {
        self.problems.push(Problem::new(self.source.span(path), message).label(label));
    }

    /// The value of `result`; its problem, if it has one, belongs to `path`.
    fn accept<T>(&mut self, path: &str, what: &str, result: Result<T, String>) -> Option<T> {
        result.map_err(|problem| self.wrong(path, format!("{what} cannot be used"), problem)).ok()
    }

    fn selector(&mut self, path: &str, selector: &str) {
        self.means_elements(path, check_selector(selector));
    }

    /// A selector, or what else finds an element.
    fn locator(&mut self, path: &str, locator: &str) {
        self.means_elements(path, check_locator(locator));
    }

    fn means_elements(&mut self, path: &str, checked: Result<(), SelectorError>) {
        if let Err(error) = checked {
            let span = self.source.span_inside(path, error.offset);
            self.problems.push(Problem::new(span, "this is not a CSS selector").label(error.message));
        }
    }

    /// A text that is there must say something.
    fn not_blank(&mut self, path: &str, text: Option<&str>) {
        if text.is_some_and(|text| text.trim().is_empty()) {
            self.wrong(path, "nothing is written here", "write something, or leave the key out");
        }
    }

    /// Only checks that there are can be switched off.
    fn checks_off(&mut self, names: &[String]) {
        let known: Vec<String> = CHECKS.iter().map(|check| check.id().to_string()).collect();
        for (index, name) in names.iter().enumerate().filter(|(_, name)| !known.contains(name)) {
            let advice = did_you_mean(name, known.iter().map(String::as_str));
            let advice = advice.unwrap_or_else(|| format!("there are: {}", known.join(", ")));
            self.wrong(&format!("checks.off.{index}"), format!("there is no check `{name}`"), advice);
        }
    }

    /// A user who says how the document is read wants it compared.
    fn judge(&mut self, judge: &file::Judge, has_state: bool) -> Judge {
        let usual = [Aspect::Pixels].into_iter().chain(has_state.then_some(Aspect::State));
        let convergence = judge.convergence.clone().unwrap_or_else(|| usual.collect());
        let judge = Judge { effect: judge.effect, equivalence: judge.equivalence, convergence };
        if judge.convergence.is_empty() {
            let advice = "choose from pixels, dom and state";
            self.wrong("judge.convergence", "clients that need not agree on anything cannot disagree", advice);
        }
        let mut judged = vec![("judge.effect".to_string(), judge.effect)];
        judged.push(("judge.equivalence".to_string(), judge.equivalence));
        let convergence = judge.convergence.iter().enumerate();
        judged.extend(convergence.map(|(index, aspect)| (format!("judge.convergence.{index}"), *aspect)));
        for (path, aspect) in judged {
            if aspect == Aspect::State && !has_state {
                let advice = "add `state` to [app], or judge on pixels or dom";
                self.wrong(&path, "nothing says how to read the application's state", advice);
            }
        }
        judge
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convergence(app: &str, judge: &str) -> Vec<Aspect> {
        let action = "[[action]]\nname = \"a\"\nsteps = [{ type = \"a\" }]\n";
        let text = format!("[app]\nurl = \"http://127.0.0.1:1/?doc={{doc}}\"\n{app}\n{judge}\n{action}");
        Configuration::parse(&text, "colobus.toml", Path::new(".")).unwrap().judge.convergence
    }

    #[test]
    fn a_document_that_can_be_read_is_compared_unless_the_user_says_otherwise() {
        let state = "state = \"doc.toJSON()\"";
        assert_eq!(convergence("", ""), [Aspect::Pixels]);
        assert_eq!(convergence(state, ""), [Aspect::Pixels, Aspect::State]);
        assert_eq!(convergence(state, "[judge]\neffect = \"dom\""), [Aspect::Pixels, Aspect::State]);
        assert_eq!(convergence(state, "[judge]\nconvergence = [\"pixels\"]"), [Aspect::Pixels]);
    }
}
