//! The browser as a whole.

use super::{Done, commands, messages};

commands! {
    GetVersion = "Browser.getVersion" {} -> Version;
    SetDownloadBehavior<'a> = "Browser.setDownloadBehavior" {
        /// `deny` keeps files off the disk.
        behavior: &'static str,
        browser_context_id: &'a str,
    } -> Done;
}

messages! {
    Version {
        /// Name and version, such as `HeadlessChrome/156.0.1`.
        product: String,
    }
}
