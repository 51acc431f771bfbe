//! What a client shows, as an [`Observation`].

use colobus_browser::{LogEntry, LogKind, LookOptions, Shown};
use colobus_model::{Caret, ErrorKind, Observation, PageError};

use super::client::Client;
use colobus_world::{ObserveOptions, WorldError};

impl Client {
    pub async fn observe(&self, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        let (page, application) = (&self.page, &self.application);
        let options = LookOptions {
            ignored: &application.ignored_selectors(),
            dom: wanted.dom,
            text: wanted.text,
            state: application.state.as_deref().filter(|_| wanted.state),
            neutral: wanted.pixels,
        };
        let shown = page.look(&options).await?;
        let screenshot = if wanted.pixels { Some(page.screenshot().await) } else { None };
        if wanted.pixels {
            page.end_neutral_look();
        }
        let (screenshot, Shown { dom, text, aside, state, state_failed }) = (screenshot.transpose()?, shown);
        self.unless_threw("`state`", state_failed.map_or(Ok(()), Err))?;
        // A document that is nothing is one, too.
        let state = options.state.map(|_| state.unwrap_or_default());
        let broken_invariants = match application.invariants.as_slice() {
            [] => None,
            invariants => Some(page.broken_invariants(invariants).await?),
        };
        let sometimes = self.sometimes().await?;
        let carets = match &application.remote_carets {
            Some(shown_by) => {
                let carets = page.carets(shown_by, application.focus.as_deref()).await?;
                Some(Box::new(self.unless_threw("`caret` of [checks]", carets)?))
            }
            None => None,
        };
        match page.navigation_error() {
            Some(elsewhere) => Err(elsewhere),
            None => {
                let errors = page.log_entries().into_iter().filter_map(page_error).collect();
                Ok(Observation { screenshot, dom, text, aside, state, broken_invariants, sometimes, carets, errors })
            }
        }
    }

    /// The names of the `[[sometimes]]` properties that hold now.
    async fn sometimes(&self) -> Result<Vec<String>, WorldError> {
        let mut held = Vec::new();
        for property in &self.application.sometimes {
            match self.page.holds(&property.js).await? {
                Ok(()) => held.push(property.name.clone()),
                Err(None) => {}
                Err(Some(message)) => {
                    self.script_errors.add(format!("`{}` of [[sometimes]]: {message}", property.name))
                }
            }
        }
        Ok(held)
    }

    /// `None` if there is no caret, or it cannot be read.
    pub async fn caret(&self) -> Result<Option<Caret>, WorldError> {
        let read = self.page.caret(&self.application.caret, self.application.focus.as_deref()).await?;
        self.unless_threw("`caret.read`", read)
    }

    pub async fn place_caret(&self, caret: &Caret) -> Result<(), WorldError> {
        let placed = self.page.place_caret(&self.application.caret, self.application.focus.as_deref(), caret).await?;
        self.unless_threw("`caret.write`", placed)
    }

    /// A script of the configuration that throws is told by its name, and nothing can be said of the execution.
    fn unless_threw<T>(&self, script: &str, gave: Result<T, String>) -> Result<T, WorldError> {
        gave.map_err(|message| {
            self.script_errors.add(format!("{script}: {message}"));
            WorldError::Interrupted(format!("{script} of the configuration failed in the page: {message}"))
        })
    }
}

/// Requests that fail are logged by the browser, too, which is what counts in a world.
fn page_error(entry: LogEntry) -> Option<PageError> {
    let LogEntry { kind, text, place, during_concurrent } = entry;
    let kind = match kind {
        LogKind::Uncaught => ErrorKind::Uncaught,
        LogKind::Console | LogKind::Logged => ErrorKind::Console,
        LogKind::NoConnection => ErrorKind::NoConnection,
        LogKind::Refused(status) => ErrorKind::Refused(status),
        LogKind::FailedRequest { .. } => return None,
    };
    Some(PageError { kind, text, place, during_concurrent })
}
