//! What the browser itself writes to the console of a page.

use super::{Done, commands, messages};

commands! {
    Enable = "Log.enable" {} -> Done;
}

messages! {
    EntryAdded { entry: Entry }
    Entry {
        level: String,
        /// Where it comes from, such as `network`.
        source: String,
        text: String,
        url: Option<String>,
    }
}
