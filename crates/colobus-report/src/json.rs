//! `--reporter json`: the whole report on standard output once the run is over, as `report.json` has it.

use std::io::Write;

use colobus_trace::{Report, RunEvent};

use crate::Renderer;

pub struct JsonReport {
    out: Box<dyn Write + Send>,
}

impl JsonReport {
    pub fn new(out: Box<dyn Write + Send>) -> JsonReport {
        JsonReport { out }
    }
}

impl Renderer for JsonReport {
    fn event(&mut self, event: &RunEvent) {
        if let RunEvent::Finished { report, .. } = event {
            // A reader that went away has seen enough.
            let _ = self.out.write_all(report_json(report).as_bytes()).and_then(|()| self.out.flush());
        }
    }
}

pub(crate) fn report_json(report: &Report) -> String {
    // Plain data with string keys: serialisation has nothing to fail on.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
