//! [`AtEnd`]: a renderer that is silent until the run is over, and then writes one text.

use std::io::Write;
use std::path::Path;

use colobus_model::{Report, RunEvent};

use crate::{Renderer, ReportError};

/// The text of a report, whose folder this is.
pub(crate) type AtEndText = fn(&Report, &Path) -> Result<String, ReportError>;

pub(crate) struct AtEnd {
    out: Box<dyn Write + Send>,
    /// The text of a report and the folder it is in.
    text: AtEndText,
}

impl AtEnd {
    pub fn new(out: Box<dyn Write + Send>, text: AtEndText) -> AtEnd {
        AtEnd { out, text }
    }
}

impl Renderer for AtEnd {
    fn event(&mut self, event: &RunEvent) {
        if let RunEvent::Finished { report, output } = event {
            // A report that is no text fails as a file, too, and that error is told.
            let Ok(text) = (self.text)(report, output) else { return };
            // A reader that went away has seen enough.
            let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        }
    }
}
