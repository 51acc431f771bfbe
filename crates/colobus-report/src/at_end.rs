//! [`AtEnd`]: a renderer that is silent until the run is over, and then writes one text.

use std::io::Write;
use std::path::Path;

use colobus_model::{Report, RunEvent};

use crate::Renderer;

pub(crate) struct AtEnd {
    out: Box<dyn Write + Send>,
    /// The text of a report and the folder it is in.
    text: fn(&Report, &Path) -> String,
}

impl AtEnd {
    pub fn new(out: Box<dyn Write + Send>, text: fn(&Report, &Path) -> String) -> AtEnd {
        AtEnd { out, text }
    }
}

impl Renderer for AtEnd {
    fn event(&mut self, event: &RunEvent) {
        if let RunEvent::Finished { report, output } = event {
            let text = (self.text)(report, output);
            // A reader that went away has seen enough.
            let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        }
    }
}
