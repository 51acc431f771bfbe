//! What is left out of comparisons. [`apart_from_edited`]: what discovery may propose for it; [`with_ignored`]: places that each user
//! sees differently by design, written into the configuration that discovery wrote.

use colobus_model::PersonalPlace;
use toml::{Table, Value};

/// The text of a configuration that [`super::discover`] wrote, with these places in its `ignore`, and the entries that are new. `None`
/// if there are none.
pub fn with_ignored(text: &str, places: &[PersonalPlace]) -> Option<(String, String)> {
    let application = text.split("\n[").find(|table| table.starts_with("app]\n"))?;
    let known = application.lines().find(|line| line.starts_with("ignore = "));
    let mut entries = known.map(entries).unwrap_or_default();
    let mut new = Vec::new();
    for entry in places.iter().filter_map(|place| place.ignore.as_deref()).flat_map(self::entries) {
        if !entries.contains(&entry) {
            entries.push(entry.clone());
            new.push(entry);
        }
    }
    if new.is_empty() {
        return None;
    }
    let line = format!("ignore = {}", Value::Array(entries));
    let changed = match known {
        Some(known) => text.replacen(known, &line, 1),
        None => text.replacen("\n[app]\n", &format!("\n[app]\n{line}\n"), 1),
    };
    Some((changed, Value::Array(new).to_string()))
}

/// The selectors that may be ignored, and those that `hides` says hide what users edit. Most often there is none of these, and one
/// question is enough.
pub fn apart_from_edited(
    selectors: Vec<String>,
    hides: &mut dyn FnMut(&[String]) -> anyhow::Result<bool>,
) -> anyhow::Result<(Vec<String>, Vec<String>)> {
    if selectors.is_empty() || !hides(&selectors)? {
        return Ok((selectors, Vec::new()));
    }
    let (mut kept, mut edited) = (Vec::new(), Vec::new());
    for selector in selectors {
        if hides(std::slice::from_ref(&selector))? { edited.push(selector) } else { kept.push(selector) }
    }
    Ok((kept, edited))
}

/// What a line `ignore = [...]` lists.
fn entries(line: &str) -> Vec<Value> {
    let table: Table = line.parse().unwrap_or_default();
    table.get("ignore").and_then(Value::as_array).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Configuration;
    use std::path::Path;

    const REST: &str = "\n[search]\ndepth = 2\n\n[[action]]\nname = \"a\"\nsteps = [{ type = \"a\" }]\n";

    fn place(ignore: &str) -> PersonalPlace {
        PersonalPlace { place: String::new(), ignore: Some(ignore.to_string()), cases: 1 }
    }

    fn ignored(application: &str, places: &[PersonalPlace]) -> Option<(usize, String)> {
        let text =
            format!("# Hello [app]\n\n[app]\nurl = \"http://127.0.0.1:1/\"\nreset = \"reload\"\n{application}{REST}");
        let (changed, new) = with_ignored(&text, places)?;
        let read = Configuration::parse(&changed, "colobus.toml", Path::new("."))
            .unwrap_or_else(|error| panic!("{error}\n{changed}"));
        assert!(changed.ends_with(REST) && changed.starts_with("# Hello"), "{changed}");
        Some((read.application.ignore.len(), new))
    }

    #[test]
    fn what_users_edit_is_never_ignored() {
        let mut asked = 0;
        let mut hides = |ignore: &[String]| {
            asked += 1;
            Ok(ignore.iter().any(|selector| selector == "#a1"))
        };
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let (kept, edited) = apart_from_edited(names(&["#a1", ".peer"]), &mut hides).unwrap();
        assert_eq!((kept, edited), (names(&[".peer"]), names(&["#a1"])));
        let (kept, edited) = apart_from_edited(names(&["#clock", ".peer"]), &mut hides).unwrap();
        assert_eq!((kept, edited), (names(&["#clock", ".peer"]), vec![]));
        assert!(apart_from_edited(vec![], &mut hides).is_ok());
        assert_eq!(asked, 3 + 1);
    }

    #[test]
    fn places_are_added_to_what_is_ignored_already() {
        let (own, area) = (place("ignore = [\".own\"]"), place("ignore = [{ x = 1, y = 2, width = 3, height = 4 }]"));
        assert_eq!(ignored("", std::slice::from_ref(&own)), Some((1, "[\".own\"]".into())));
        assert_eq!(ignored("ignore = [\"#you\"]\n", &[own.clone(), area]).map(|(count, _)| count), Some(3));
        assert_eq!(ignored("ignore = [\".own\"]\n", &[own]), None, "it is there");
        assert_eq!(ignored("", &[]), None);
        let messages = PersonalPlace { place: "#messages".into(), ignore: None, cases: 1 };
        assert_eq!(ignored("", &[messages]), None, "what users write stands there");
    }
}
