//! [`PageFailure`]: what a page did that no user wants. [`FailureIdentity`]: what two failures have in common that are one; the
//! only thing by which searches of one page tell failures from each other.

use std::fmt;

use colobus_model::{Difference, FailedCheck};
use serde::{Deserialize, Serialize};

use super::PageCheck;

/// What one page did. The worst comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageFailure {
    pub check: PageCheck,
    /// What the page or the browser says of it.
    pub text: String,
    /// Where in a script or in the page, if that is known.
    pub place: Option<String>,
}

/// Equal whenever the same thing goes wrong in the same place. Numbers in texts, hosts, and what follows the path of an address
/// differ from run to run, and do not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FailureIdentity {
    check: PageCheck,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

impl PageFailure {
    /// A failure whose place is not known.
    pub fn new(check: PageCheck, text: impl Into<String>) -> PageFailure {
        PageFailure { check, text: text.into(), place: None }
    }

    pub fn identity(&self) -> FailureIdentity {
        let text = without_numbers(&without_queries(&self.text));
        let place = self.place.as_deref().map(position);
        FailureIdentity { check: self.check, text, place }
    }

    /// As findings show it.
    pub fn failed_check(&self) -> FailedCheck {
        let difference = Difference { kind: self.check.kind(), summary: self.to_string() };
        FailedCheck { check: self.check.id(), difference }
    }
}

impl fmt::Display for PageFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match &self.place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

/// The name of the cause, which stays the same if an edit moves the lines of a script.
impl fmt::Display for FailureIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.check, self.text)?;
        match &self.place {
            Some(place) => write!(f, " at {}", without_numbers(place)),
            None => Ok(()),
        }
    }
}

/// A text with `#` for every number.
fn without_numbers(text: &str) -> String {
    let (mut shape, mut in_number) = (String::new(), false);
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if in_number => {}
            true => shape.push('#'),
            false => shape.push(c),
        }
        in_number = c.is_ascii_digit();
    }
    shape
}

/// Addresses without what follows their paths.
fn without_queries(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.contains("://") {
        true => word.split_once('?').map_or(word, |(path, _)| path),
        false => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A place in a script without the host that serves it: `/app.js:12:5` for `http://shop/app.js?v=3:12:5`.
fn position(place: &str) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = place.rsplitn(3, ':').collect();
    let (address, position) = match parts[..] {
        [column, line, address] if is_number(column) && is_number(line) => (address, format!(":{line}:{column}")),
        _ => (place, String::new()),
    };
    let address = without_queries(address);
    let path = address.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    format!("{}{position}", path.unwrap_or(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uncaught(text: &str, place: Option<&str>) -> PageFailure {
        PageFailure { place: place.map(str::to_string), ..PageFailure::new(PageCheck::Uncaught, text) }
    }

    #[test]
    fn numbers_hosts_and_queries_make_no_other_failure() {
        let failure = |number, port: &str, time: &str| {
            let text = format!("Error: {number} of 18 at http://127.0.0.1:{port}/a?time={time}");
            uncaught(&text, Some(&format!("http://127.0.0.1:{port}/app.js?v={time}:12:5")))
        };
        let identity = failure(17, "4000", "5:30").identity();
        assert_eq!(identity, failure(4, "81", "6").identity());
        let name = "uncaught: Error: # of # at http://#.#.#.#:#/a at /app.js:#:#";
        assert_eq!(identity.to_string(), name);
    }

    #[test]
    fn a_line_that_moved_is_the_same_cause() {
        let [one, other] = ["app.js:12:5", "app.js:13:5"].map(|place| uncaught("Error", Some(place)).identity());
        assert_ne!(one, other);
        assert_eq!(one.to_string(), other.to_string());
    }

    #[test]
    fn check_text_and_place_make_another_failure() {
        let failure = uncaught("Error: no", Some("app.js:1"));
        let logged = PageFailure { check: PageCheck::Console, ..failure.clone() };
        for other in [logged, uncaught("Error: yes", Some("app.js:1")), uncaught("Error: no", Some("form.js:1"))] {
            assert_ne!(failure.identity(), other.identity());
        }
        // A number sign that the page writes itself is no number.
        assert_ne!(uncaught("# #", None).identity(), uncaught("##", None).identity());
    }

    #[test]
    fn an_identity_is_read_as_it_was_written() {
        for identity in [uncaught("a 1", None).identity(), uncaught("b", Some("app.js:3:4")).identity()] {
            let text = serde_json::to_string(&identity).unwrap();
            assert_eq!(serde_json::from_str::<FailureIdentity>(&text).unwrap(), identity, "{text}");
        }
    }
}
