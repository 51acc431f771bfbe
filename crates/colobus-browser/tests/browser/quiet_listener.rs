//! A listener that answers dialogs as every page does by default, and wants to hear nothing.

use colobus_browser::{DialogAnswer, DialogOpening, Notice, PageListener};

pub struct Quiet;

impl PageListener for Quiet {
    fn dialog(&self, dialog: &DialogOpening) -> DialogAnswer {
        dialog.default_answer()
    }

    fn notice(&self, _: Notice) {}

    fn changed(&self) {}
}
