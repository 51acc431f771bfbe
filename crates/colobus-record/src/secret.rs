//! Secrets: what stands in a recording for the value of a field that must not be written.

use std::collections::BTreeSet;

use crate::{Element, Event, Recording};

const PREFIX: &str = "COLOBUS_SECRET_";

/// Whether a recording may ask for this environment variable.
pub fn is_variable(name: &str) -> bool {
    let belongs = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.strip_prefix(PREFIX).is_some_and(|rest| !rest.is_empty() && rest.chars().all(belongs))
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

/// A text in which every secret value is replaced by the variable that holds it.
pub fn without_secrets(text: &str, secrets: &[(String, String)]) -> String {
    let mut longest_first: Vec<&(String, String)> = secrets.iter().filter(|(_, value)| !value.is_empty()).collect();
    longest_first.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
    longest_first.iter().fold(text.to_string(), |text, (variable, value)| text.replace(value, &format!("${variable}")))
}

/// An address in which the values of these parameters are left out.
pub fn without_values(url: &str, fields: &BTreeSet<String>) -> String {
    let Some((page, query)) = url.split_once('?').filter(|_| !fields.is_empty()) else { return url.to_string() };
    let (query, fragment) = query.split_once('#').map_or((query, None), |(query, fragment)| (query, Some(fragment)));
    let parameter = |parameter: &str| match parameter.split_once('=') {
        Some((name, _)) if fields.contains(name) => format!("{name}="),
        _ => parameter.to_string(),
    };
    let query: Vec<String> = query.split('&').map(parameter).collect();
    let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
    format!("{page}?{}{fragment}", query.join("&"))
}
