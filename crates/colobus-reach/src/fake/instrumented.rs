//! [`InstrumentedApp`]: the application as a page that can be crawled.

use super::program::{App, HandlerRun};
use crate::concolic::HandlerError;
use crate::crawl::{InstrumentedPage, Move, Offered, Visited};
use crate::summary::START;
use crate::symbolic::evaluate::Assignment;

/// Offers the events of the screen that is shown.
pub struct InstrumentedApp<'a> {
    /// The application.
    pub app: &'a App,
}

impl InstrumentedApp<'_> {
    fn visited(&self, trace: HandlerRun, before: &str) -> (Visited, String) {
        let screen = trace.screen.unwrap_or_else(|| before.to_owned());
        let offered = self.app.events.iter().filter(|event| event.screens.contains(&screen));
        let offers = offered.map(|event| Offered {
            event: event.name.as_str().into(),
            kind: "click".to_owned(),
            element: format!("#{}", event.name),
            is_followed: true,
            is_due: false,
        });
        (
            Visited { run: trace.run, handler: Some(App::line(1)), offers: offers.collect(), ..Visited::default() },
            screen,
        )
    }
}

impl InstrumentedPage for InstrumentedApp<'_> {
    fn open(&mut self) -> Result<Visited, HandlerError> {
        let trace = self.app.trace(START, &Assignment::new())?;
        Ok(self.visited(trace, START).0)
    }

    fn perform(&mut self, way: &[Move], last: &Move) -> Result<Visited, HandlerError> {
        let opened = self.app.trace(START, &Assignment::new())?;
        let (mut visited, mut screen) = self.visited(opened, START);
        for step in way.iter().chain([last]) {
            let trace = self.app.trace(&step.event, &step.before)?;
            (visited, screen) = self.visited(trace, &screen);
        }
        Ok(visited)
    }
}
