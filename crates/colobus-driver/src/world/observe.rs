//! What a client shows, as an [`Observation`].

use colobus_browser::{Trouble, TroubleKind};
use colobus_model::{Caret, ErrorKind, Observation, PageError, Png};
use serde_json::{Value, json};

use super::client::Client;
use colobus_world::{ObserveOptions, WorldError};

impl Client {
    pub async fn observe(&self, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        let (page, application) = (&self.page, &self.application);
        let ignored = application.ignored_selectors();
        let frame = page.main_frame().await?;
        let screenshot = async { if wanted.pixels { self.picture().await.map(Some) } else { Ok(None) } };
        let dom = async { if wanted.dom { frame.dom(&ignored).await.map(Some) } else { Ok(None) } };
        let text = async { if wanted.text { frame.text(&ignored).await.map(Some) } else { Ok(None) } };
        let aside = async {
            if wanted.text && !ignored.is_empty() { frame.text_aside(&ignored).await } else { Ok(Vec::new()) }
        };
        let state = async {
            match &application.state {
                Some(source) if wanted.state => self.state(source).await.map(Some),
                _ => Ok(None),
            }
        };
        let (screenshot, dom, text, aside, state) = tokio::try_join!(screenshot, dom, text, aside, state)?;
        let broken_invariants = match application.invariants.as_slice() {
            [] => None,
            invariants => Some(page.broken_invariants(invariants).await?),
        };
        let sometimes = self.sometimes().await?;
        let carets = match &application.remote_carets {
            Some(shown_by) => Some(Box::new(page.carets(shown_by, application.focus.as_deref()).await?)),
            None => None,
        };
        match page.navigation_error() {
            Some(elsewhere) => Err(elsewhere),
            None => {
                let errors = page.troubles().into_iter().filter_map(page_error).collect();
                Ok(Observation { screenshot, dom, text, aside, state, broken_invariants, sometimes, carets, errors })
            }
        }
    }

    /// The application's own document.
    async fn state(&self, source: &str) -> Result<Value, WorldError> {
        self.page.state(source).await?.map_err(|message| {
            self.script_errors.add(format!("`state`: {message}"));
            WorldError::Interrupted(format!("`state` of the configuration failed in the page: {message}"))
        })
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

    /// A picture without what belongs to this user alone, such as the mark of the field that has the focus.
    async fn picture(&self) -> Result<Png, WorldError> {
        self.page.ask("neutralLook", &[json!(true)]).await?;
        let picture = self.page.screenshot().await;
        self.page.ask("neutralLook", &[json!(false)]).await?;
        picture
    }

    /// `None` if there is no caret, or it cannot be read.
    pub async fn caret(&self) -> Result<Option<Caret>, WorldError> {
        self.page.caret(&self.application.caret, self.application.focus.as_deref()).await
    }

    pub async fn place_caret(&self, caret: &Caret) -> Result<(), WorldError> {
        self.page.place_caret(&self.application.caret, self.application.focus.as_deref(), caret).await
    }
}

/// Requests that fail are logged by the browser, too, which is what counts in a world.
fn page_error(trouble: Trouble) -> Option<PageError> {
    let Trouble { kind, text, place, during_concurrent } = trouble;
    let kind = match kind {
        TroubleKind::Uncaught => ErrorKind::Uncaught,
        TroubleKind::Console | TroubleKind::Logged => ErrorKind::Console,
        TroubleKind::Refused(status) => ErrorKind::Refused(status),
        TroubleKind::FailedRequest => return None,
    };
    Some(PageError { kind, text, place, during_concurrent })
}
