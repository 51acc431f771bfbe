//! [`StorageState`]: what a login leaves in a browser, in the format of Playwright's `storageState`. Read from a file or from a
//! session that has logged in; put into the sessions of clients. It is secret, and has no `Debug` that could print it.

use serde::Deserialize;

#[derive(Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(Clone))]
pub struct StorageState {
    #[serde(default)]
    pub cookies: Vec<StoredCookie>,
    #[serde(default)]
    pub origins: Vec<StoredOrigin>,
}

#[derive(PartialEq, Deserialize)]
#[cfg_attr(test, derive(Clone))]
#[serde(rename_all = "camelCase")]
pub struct StoredCookie {
    pub name: String,
    pub value: String,
    pub domain: String,
    pub path: String,
    /// In seconds since 1970; negative if the cookie lasts as long as the session.
    #[serde(default = "session")]
    pub expires: f64,
    #[serde(default)]
    pub http_only: bool,
    #[serde(default)]
    pub secure: bool,
    #[serde(default)]
    pub same_site: Option<String>,
}

/// The local storage of one origin.
#[derive(PartialEq, Deserialize)]
#[cfg_attr(test, derive(Clone))]
#[serde(rename_all = "camelCase")]
pub struct StoredOrigin {
    pub origin: String,
    #[serde(default)]
    pub local_storage: Vec<StoredItem>,
}

#[derive(PartialEq, Deserialize)]
#[cfg_attr(test, derive(Clone))]
pub struct StoredItem {
    pub name: String,
    pub value: String,
}

fn session() -> f64 {
    -1.0
}

/// Shorter values are settings rather than secrets.
const SHORTEST_SECRET: usize = 16;

impl StorageState {
    /// Reads the text of a file. The error says where it is no such file, and nothing of what is in it.
    pub fn parse(text: &str) -> Result<StorageState, String> {
        serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => {
                format!("it has not the form of Playwright's storageState (line {})", error.line())
            }
            _ => format!("it is not JSON (line {}, column {})", error.line(), error.column()),
        })
    }

    pub fn is_empty(&self) -> bool {
        self.cookies.is_empty() && self.origins.iter().all(|origin| origin.local_storage.is_empty())
    }

    /// Values that must not be written anywhere: of cookies, and texts in local storage.
    pub fn secrets(&self) -> Vec<String> {
        let mut secrets: Vec<String> = self.cookies.iter().map(|cookie| cookie.value.clone()).collect();
        for item in self.origins.iter().flat_map(|origin| &origin.local_storage) {
            match serde_json::from_str(&item.value) {
                Ok(value) => texts(&value, &mut secrets),
                Err(_) => secrets.push(item.value.clone()),
            }
        }
        secrets.retain(|secret| secret.len() >= SHORTEST_SECRET);
        secrets
    }
}

fn texts(value: &serde_json::Value, into: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => into.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| texts(item, into)),
        serde_json::Value::Object(fields) => fields.values().for_each(|field| texts(field, into)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN_BY_PLAYWRIGHT: &str = r#"{
      "cookies": [{ "name": "sid", "value": "0123456789abcdef", "domain": "127.0.0.1", "path": "/", "expires": -1,
                    "httpOnly": true, "secure": false, "sameSite": "Lax" }],
      "origins": [{ "origin": "http://127.0.0.1:1", "localStorage": [
        { "name": "theme", "value": "dark" },
        { "name": "user", "value": "{\"name\":\"alice\",\"token\":\"eyJhbGciOiJIUzI1NiJ9\"}" }] }]
    }"#;

    #[test]
    fn reads_what_playwright_writes() {
        let state = StorageState::parse(WRITTEN_BY_PLAYWRIGHT).unwrap();
        assert_eq!((state.cookies.len(), state.origins[0].local_storage.len()), (1, 2));
        assert!(state.cookies[0].http_only && !state.is_empty());
        assert!(StorageState::parse("{}").unwrap().is_empty());
    }

    #[test]
    fn long_values_are_secrets_also_inside_json() {
        let state = StorageState::parse(WRITTEN_BY_PLAYWRIGHT).unwrap();
        assert_eq!(state.secrets(), ["0123456789abcdef", "eyJhbGciOiJIUzI1NiJ9"]);
    }

    #[test]
    fn errors_quote_nothing() {
        for text in
            ["hunter2", "[\"hunter2\"]", "{\"cookies\": \"hunter2\"}", "{\"cookies\": [{\"name\": \"hunter2\"}]}"]
        {
            let error = StorageState::parse(text).err().unwrap();
            assert!(error.contains("line 1") && !error.contains("hunter2"), "{error}");
        }
    }
}
