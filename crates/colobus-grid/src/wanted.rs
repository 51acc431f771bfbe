//! What is asked for when a session is opened: any browser with DevTools that the Grid has.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// What is asked of a Grid that has no nodes yet: it may start some.
const USUAL: &str = "chrome";

/// A session of this name with one of these browsers, the usual one first, started with these arguments.
pub(crate) fn capabilities(name: &str, browsers: &BTreeSet<String>, arguments: &[String]) -> Value {
    let mut browsers: Vec<&str> = browsers.iter().map(String::as_str).collect();
    if browsers.is_empty() {
        browsers.push(USUAL);
    }
    browsers.sort_by_key(|browser| *browser != USUAL);
    let alternative = |browser: &str| json!({ "browserName": browser, options_of(browser): { "args": arguments } });
    let alternatives: Vec<Value> = browsers.into_iter().map(alternative).collect();
    json!({ "capabilities": { "alwaysMatch": { "se:name": name }, "firstMatch": alternatives } })
}

/// Where its driver looks for arguments.
fn options_of(browser: &str) -> &'static str {
    match browser.to_ascii_lowercase().as_str() {
        "microsoftedge" | "msedge" => "ms:edgeOptions",
        _ => "goog:chromeOptions",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(browsers: &[&str]) -> Value {
        let browsers = browsers.iter().map(ToString::to_string).collect();
        capabilities("n", &browsers, &["--x".to_string()])["capabilities"].take()
    }

    #[test]
    fn any_browser_of_the_grid_will_do() {
        let chrome = json!({ "browserName": "chrome", "goog:chromeOptions": { "args": ["--x"] } });
        let edge = json!({ "browserName": "MicrosoftEdge", "ms:edgeOptions": { "args": ["--x"] } });
        for (grid, alternatives) in [
            (&[][..], vec![&chrome]),
            (&["chrome"], vec![&chrome]),
            (&["MicrosoftEdge"], vec![&edge]),
            (&["MicrosoftEdge", "chrome"], vec![&chrome, &edge]),
        ] {
            assert_eq!(asked(grid), json!({ "alwaysMatch": { "se:name": "n" }, "firstMatch": alternatives }));
        }
    }
}
