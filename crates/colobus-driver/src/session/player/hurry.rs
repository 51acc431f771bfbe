//! Lines that come before the page is ready: what the line before asks for is kept back until they have been performed. If
//! the page lacks their element until then, it gets one answer after the other, so that they come as early as can be.

use colobus_record::{Event, Timing};

use super::{Performed, Player};

impl Player<'_> {
    /// If the next line of the same tab is a hurried one, nothing that this line asks for arrives before it.
    pub(super) async fn hold_for_the_next(&mut self, index: usize) -> Performed {
        let Some(timing) = self.hurry_after(index) else { return Ok(()) };
        if let Event::Open(_) = self.recording.lines[index].event {
            self.tab_to_open(self.recording.lines[index].who).await?;
        }
        let tab = self.tab(self.recording.lines[index].who).await?;
        if !tab.page.is_holding() {
            tab.page.hold_requests(timing == Timing::Earliest).await?;
        }
        Ok(())
    }

    /// Ends what [`Player::hold_for_the_next`] began, unless one more line hurries.
    pub(super) async fn let_through(&mut self, index: usize, failed: bool) -> Performed {
        let line = &self.recording.lines[index];
        let is_over = failed || line.event.is_by_user() && self.hurry_after(index).is_none();
        let tab = self.windows.shared.tabs().into_iter().find(|tab| tab.who == line.who && tab.page.is_holding());
        match tab.filter(|tab| is_over && !tab.page.is_closed()) {
            Some(tab) => Ok(tab.page.let_all_through().await?),
            None => Ok(()),
        }
    }

    /// How much the user's next line hurries, if it is in the same tab and does.
    fn hurry_after(&self, index: usize) -> Option<Timing> {
        let (line, rest) = self.recording.lines[index..].split_first()?;
        let next = rest.iter().find(|line| line.event.is_by_user())?;
        (line.event.is_by_user() && next.is_hurried() && next.who == line.who).then_some(next.timing)
    }
}
