//! Data and script inside a page, so that neither can become anything else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// JSON that can stand in a script element: no `<` ends the element or opens a comment, no line separator or other
/// character means something to an HTML or JavaScript parser. It is still the same JSON.
pub(super) fn embedded_json(data: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(data)?;
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => safe.push_str(&format!("\\u{:04x}", c as u32)),
            c => safe.push(c),
        }
    }
    Ok(safe)
}

/// The content security policy: this script, inline styles, embedded pictures, nothing else and no network.
pub(super) fn policy(script: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{hash}'; \
         style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_in_the_data_can_end_the_script_element() {
        let hostile = "</script><!-- \u{2028}\u{2029} ]]> & \u{202e} 😀 \u{0}";
        let json = embedded_json(&hostile).unwrap();
        assert_eq!(json, "\"\\u003c/script\\u003e\\u003c!-- \\u2028\\u2029 ]]\\u003e \\u0026 \u{202e} 😀 \\u0000\"");
    }

    proptest! {
        #[test]
        fn it_is_still_the_same_json(text in any::<String>()) {
            let json = embedded_json(&text).unwrap();
            let is_free = !json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']);
            prop_assert!(is_free);
            prop_assert_eq!(serde_json::from_str::<String>(&json).ok(), Some(text));
        }
    }
}
