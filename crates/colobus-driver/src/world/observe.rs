//! What a client shows, as an [`Observation`].

use colobus_browser::{LookOptions, Shown, Trouble, TroubleKind};
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
        let (screenshot, Shown { dom, text, state, .. }) = (screenshot.transpose()?, shown);
        let state = application.state.as_ref().filter(|_| wanted.state).map(|_| state);
        let broken_invariants = match application.invariants.as_slice() {
            [] => None,
            invariants => Some(page.broken_invariants(invariants).await?),
        };
        let carets = match &application.remote_carets {
            Some(shown_by) => Some(Box::new(page.carets(shown_by, application.focus.as_deref()).await?)),
            None => None,
        };
        match page.navigation_error() {
            Some(elsewhere) => Err(elsewhere),
            None => {
                let errors = page.troubles().into_iter().filter_map(page_error).collect();
                Ok(Observation { screenshot, dom, text, state, broken_invariants, carets, errors })
            }
        }
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
