//! Addresses, new tabs and history of tabs.

use colobus_record::Who;
use tokio::time::timeout;

use super::{Performed, Player, Stop};

impl Player<'_> {
    pub(super) async fn open(&mut self, who: Who, url: &str) -> Performed {
        if !self.options.reach.includes(url) {
            return Err(Stop::Impossible(format!("{url} is not at {}", self.options.reach)));
        }
        self.tab_to_open(who).await?;
        let tab = self.front_tab(who).await?;
        Ok(tab.page.navigate(url).await?)
    }

    /// An address may be opened in a tab of its own.
    pub(super) async fn tab_to_open(&mut self, who: Who) -> Performed {
        let open_tabs = &self.windows.tabs;
        if !open_tabs.all().iter().any(|tab| tab.who == who) {
            open_tabs.new_tab(who.client).await?;
            open_tabs.tab(who, self.options.patience).await?.page.catch_up().await?;
        }
        Ok(())
    }

    /// The page opens it; an empty one may stay so.
    pub(super) async fn popup(&mut self, who: Who) -> Performed {
        let tab = self.front_tab(who).await?;
        let there = self
            .windows
            .tabs
            .until(|_| (tab.page.is_closed() || tab.page.document().is_some() && tab.page.is_loaded()).then_some(()));
        let _ = timeout(self.options.patience, there).await;
        Ok(())
    }

    /// The page goes by itself; it is enough to wait.
    pub(super) async fn arrive(&mut self, who: Who) -> Performed {
        let tab = self.front_tab(who).await?;
        let there = self.windows.tabs.until(|_| (tab.page.is_closed() || tab.page.has_arrived()).then_some(()));
        timeout(self.options.patience, there)
            .await
            .map_err(|_| Stop::Impossible(format!("{} did not finish loading", tab.page.url())))
    }

    pub(super) async fn reload(&mut self, who: Who) -> Performed {
        let tab = self.tab(who).await?;
        Ok(tab.page.reload().await?)
    }

    /// Back or forward.
    pub(super) async fn go_in_history(&mut self, who: Who, by: i64) -> Performed {
        let tab = self.tab(who).await?;
        let went = tab.page.go_in_history(by, self.options.patience).await?;
        went.map_err(|problem| Stop::Impossible(problem.to_string()))
    }

    pub(super) async fn close(&mut self, who: Who) -> Performed {
        let Ok(tab) = self.front_tab(who).await else { return Ok(()) };
        tab.page.close().await?;
        let closed = self.windows.tabs.until(|_| tab.page.is_closed().then_some(()));
        timeout(self.options.patience, closed).await.map_err(|_| Stop::Impossible("the tab does not close".to_string()))
    }

    /// It was answered when it opened.
    pub(super) async fn dialog(&mut self, who: Who) -> Performed {
        let tab = self.front_tab(who).await?;
        let count = self.dialogs.entry(who).or_default();
        *count += 1;
        let wanted = *count;
        let answered = self.windows.tabs.until(|_| (tab.page.dialogs_closed() >= wanted).then_some(()));
        timeout(self.options.patience, answered).await.map_err(|_| Stop::Impossible("no dialog was opened".to_string()))
    }
}
