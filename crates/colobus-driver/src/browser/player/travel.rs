//! Where tabs go.

use colobus_record::Who;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::{Performed, Player, Stop};
use crate::browser::windows::Tab;
use colobus_world::WorldError;

impl Player<'_> {
    pub(super) async fn open(&mut self, who: Who, url: &str) -> Performed {
        self.tab_to_open(who).await?;
        let tab = self.tab(who).await?;
        match tab.navigate(url).await {
            Err(WorldError::CannotRun(problem)) => Err(Stop::Impossible(problem)),
            other => Ok(other?),
        }
    }

    /// An address may be opened in a tab of its own.
    pub(super) async fn tab_to_open(&mut self, who: Who) -> Performed {
        let shared = &self.windows.shared;
        if !shared.tabs().iter().any(|tab| tab.who == who) {
            shared.new_tab(who.client).await?;
        }
        Ok(())
    }

    /// The page opens it; an empty one may stay so.
    pub(super) async fn popup(&mut self, who: Who) -> Performed {
        let tab = self.tab(who).await?;
        let there = self
            .windows
            .shared
            .until(|_| (tab.is_closed() || tab.document().is_some() && tab.is_loaded()).then_some(()));
        let _ = timeout(self.options.patience, there).await;
        Ok(())
    }

    /// The page goes by itself; it is enough to wait.
    pub(super) async fn arrive(&mut self, who: Who) -> Performed {
        let tab = self.tab(who).await?;
        let there = self.windows.shared.until(|_| (tab.is_closed() || tab.has_arrived()).then_some(()));
        timeout(self.options.patience, there)
            .await
            .map_err(|_| Stop::Impossible(format!("{} did not finish loading", tab.url())))
    }

    pub(super) async fn reload(&mut self, who: Who) -> Performed {
        let tab = self.tab(who).await?;
        let before = tab.document();
        tab.call("Page.reload", json!({})).await?;
        Ok(tab.loaded(before).await?)
    }

    /// Back or forward. A page may come back as it was left, or within the same document: then nothing is loaded.
    pub(super) async fn travel(&mut self, who: Who, by: i64) -> Performed {
        let tab = self.tab(who).await?;
        let (history, current) = self.history(&tab).await?;
        let index = current + by;
        let entry = usize::try_from(index).ok().and_then(|index| history["entries"].get(index));
        let Some(entry) = entry else {
            return Err(Stop::Impossible("the history of the tab does not go that far".to_string()));
        };
        let before = tab.movement_of_address();
        tab.call("Page.navigateToHistoryEntry", json!({ "entryId": entry["id"] })).await?;
        let there = self
            .windows
            .shared
            .until(|_| (tab.movement_of_address() != before && tab.is_as_loaded_as_it_gets()).then_some(()));
        timeout(self.options.patience, there)
            .await
            .map_err(|_| Stop::Impossible("the page does not go back or forward".to_string()))
    }

    /// The list of visited addresses and the place in it. The page knows where it is before the list does.
    async fn history(&self, tab: &Tab) -> Performed<(Value, i64)> {
        let deadline = Instant::now() + self.options.patience;
        loop {
            let history = tab.call("Page.getNavigationHistory", json!({})).await?;
            let current = history["currentIndex"].as_i64().unwrap_or_default();
            let entry = usize::try_from(current).ok().and_then(|current| history["entries"].get(current));
            let is_there = entry.is_some_and(|entry| entry["url"] == tab.url().as_str());
            if is_there || Instant::now() >= deadline {
                return Ok((history, current));
            }
        }
    }

    pub(super) async fn close(&mut self, who: Who) -> Performed {
        let Ok(tab) = self.tab(who).await else { return Ok(()) };
        self.windows
            .shared
            .browser
            .call("Target.closeTarget", json!({ "targetId": tab.target }))
            .await
            .map_err(|error| tab.explain(error))?;
        let closed = self.windows.shared.until(|_| tab.is_closed().then_some(()));
        timeout(self.options.patience, closed).await.map_err(|_| Stop::Impossible("the tab does not close".to_string()))
    }

    /// It was answered when it opened.
    pub(super) async fn dialog(&mut self, who: Who) -> Performed {
        let tab = self.tab(who).await?;
        let count = self.dialogs.entry(who).or_default();
        *count += 1;
        let wanted = *count;
        let answered = self.windows.shared.until(|_| (tab.answered() >= wanted).then_some(()));
        timeout(self.options.patience, answered).await.map_err(|_| Stop::Impossible("no dialog was opened".to_string()))
    }
}
