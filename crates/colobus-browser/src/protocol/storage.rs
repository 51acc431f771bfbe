//! What pages keep in the browser.

use serde::Serialize;

use super::{Done, commands, messages};

commands! {
    GetCookies<'a> = "Storage.getCookies" { browser_context_id: &'a str } -> Cookies;
    SetCookies<'a> = "Storage.setCookies" { browser_context_id: &'a str, cookies: Vec<CookieParameter<'a>> } -> Done;
    ClearDataForOrigin<'a> = "Storage.clearDataForOrigin" {
        origin: &'a str,
        /// Separated by commas.
        storage_types: &'static str,
    } -> Done;
}

/// A cookie as it is set; one without `expires` lasts as long as the session.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CookieParameter<'a> {
    pub name: &'a str,
    pub value: &'a str,
    pub domain: &'a str,
    pub path: &'a str,
    pub secure: bool,
    pub http_only: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_site: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<f64>,
}

messages! {
    Cookies { cookies: Vec<Cookie> }
    Cookie {
        name: String,
        value: String,
        domain: String,
        path: String,
        /// In seconds since 1970; negative if the cookie lasts as long as the session.
        expires: f64,
        http_only: bool,
        secure: bool,
        same_site: Option<String>,
    }
}
