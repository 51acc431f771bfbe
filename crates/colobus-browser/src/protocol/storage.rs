//! What pages keep in the browser.

use super::{Done, commands, messages};

commands! {
    GetCookies<'a> = "Storage.getCookies" { browser_context_id: &'a str } -> Cookies;
    ClearDataForOrigin<'a> = "Storage.clearDataForOrigin" {
        origin: &'a str,
        /// Separated by commas.
        storage_types: &'static str,
    } -> Done;
}

messages! {
    Cookies { cookies: Vec<Cookie> }
    Cookie {}
}
