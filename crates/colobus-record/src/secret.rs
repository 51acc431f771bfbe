//! Secrets: what stands in a recording for the value of a field that must not be written.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use colobus_model::{UrlParts, spelling};

use crate::{Element, Event, Recording};

const PREFIX: &str = "COLOBUS_SECRET_";

/// Whether a recording may ask for this environment variable.
pub fn is_variable(name: &str) -> bool {
    let belongs = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.strip_prefix(PREFIX).is_some_and(|rest| !rest.is_empty() && rest.chars().all(belongs))
}

/// The environment variables that stand in a text, each as `{COLOBUS_SECRET_PASSWORD}`.
pub fn variables_in(text: &str) -> Vec<&str> {
    let name = |rest: &'_ str| -> Option<usize> { rest.find('}').filter(|end| is_variable(&rest[..*end])) };
    text.match_indices('{').filter_map(|(at, _)| Some(&text[at + 1..][..name(&text[at + 1..])?])).collect()
}

/// The environment variable that is asked for at replay, named after the field.
pub fn variable_name(on: &Element) -> String {
    let target = on.target();
    let name = target.attribute("name").or(target.attribute("id")).or(on.hints.label.as_deref()).unwrap_or("FIELD");
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let name: String = name.chars().map(letter).take(40).collect();
    match name.trim_matches('_') {
        "" => format!("{PREFIX}FIELD"),
        name => format!("{PREFIX}{name}"),
    }
}

/// The variables that a replay asks for, each once, in the order of their first use.
pub fn variables(recording: &Recording) -> Vec<&str> {
    let mut variables = Vec::new();
    for line in &recording.lines {
        if let Event::Secret { variable, .. } = &line.event
            && !variables.contains(&variable.as_str())
        {
            variables.push(variable.as_str());
        }
    }
    variables
}

/// Shorter values are left where they are: they stand in many texts by chance, and are no secrets.
const SHORTEST: usize = 4;

/// A text in which every secret value is replaced by the variable that holds it, also where it is escaped: in a quoted text, in an
/// address.
pub fn without_secrets(text: &str, secrets: &[(String, String)]) -> String {
    let mut secrets: Vec<&(String, String)> = secrets.iter().filter(|(_, value)| value.len() >= SHORTEST).collect();
    secrets.sort_by_key(|(_, value)| Reverse(value.len()));
    let without = |text: Vec<u8>, (variable, value): &(String, String)| {
        spelling::replaced(&text, value, format!("${variable}").as_bytes())
    };
    let clean = secrets.into_iter().fold(text.as_bytes().to_vec(), without);
    String::from_utf8_lossy(&clean).into_owned()
}

/// An address in which the values of these parameters are left out.
pub fn without_values(url: &str, fields: &BTreeSet<String>) -> String {
    let parameter = |parameter: &str| match parameter.split_once('=') {
        Some((name, _)) if fields.contains(name) => format!("{name}="),
        _ => parameter.to_string(),
    };
    UrlParts::with_query(url, |query| query.split('&').map(parameter).collect::<Vec<_>>().join("&"))
}

#[cfg(test)]
mod tests {
    use super::{variables_in, without_secrets};

    #[test]
    fn variables_are_found_in_braces() {
        assert_eq!(
            variables_in("a {COLOBUS_SECRET_A} {{COLOBUS_SECRET_B2}} {token}"),
            ["COLOBUS_SECRET_A", "COLOBUS_SECRET_B2"]
        );
        for text in ["COLOBUS_SECRET_A", "{COLOBUS_SECRET_}", "{COLOBUS_SECRET_a}", "{PATH}", "{COLOBUS_SECRET_A", "{"]
        {
            assert_eq!(variables_in(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn secrets_are_replaced_however_they_are_written() {
        let secrets = [("COLOBUS_SECRET_A".to_string(), "a \"b\u{202e}/c".to_string())];
        for text in ["a \"b\u{202e}/c", "a \\\"b\\u202e/c", "a%20%22b%E2%80%AE%2Fc", "a+%22b%E2%80%AE%2Fc"] {
            assert_eq!(without_secrets(&format!("<{text}>"), &secrets), "<$COLOBUS_SECRET_A>");
        }
        let password = [("COLOBUS_SECRET_B".to_string(), "P@ss w0rd!~*'()".to_string())];
        for text in ["P%40ss%20w0rd!~*'()", "P%40ss+w0rd%21%7E*%27%28%29", "P%40ss%20w0rd%21~%2a%27%28%29"] {
            let line = format!("A arrive \"http://h/?password={text}&next=%2F\" +0");
            let clean = "A arrive \"http://h/?password=$COLOBUS_SECRET_B&next=%2F\" +0";
            assert_eq!(without_secrets(&line, &password), clean);
        }
        assert_eq!(without_secrets("viewport 8x6", &[("COLOBUS_SECRET_PIN".into(), "8".into())]), "viewport 8x6");
    }
}
