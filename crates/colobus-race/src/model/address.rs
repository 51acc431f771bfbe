//! Addresses that mean the same request although session parameters, cache busters or generated ids differ.

use std::collections::{BTreeMap, BTreeSet};

/// How two addresses are the same request, the most exact way first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddressMatch {
    Exact,
    /// The same but for the values of these parameters.
    Parameters(BTreeSet<String>),
    /// The same but for generated ids in the path, and for the values of these parameters.
    Ids(BTreeSet<String>),
    /// The same path; the query differs in parameters that look meaningful.
    PathOnly,
}

/// Names of parameters whose values change from execution to execution.
const VOLATILE: [&str; 18] = [
    "_",
    "t",
    "ts",
    "cb",
    "cachebust",
    "cachebuster",
    "nocache",
    "rand",
    "random",
    "r",
    "sid",
    "session",
    "sessionid",
    "jsessionid",
    "phpsessid",
    "csrf",
    "csrf_token",
    "nonce",
];

/// How the two are the same request; `None` if they are different ones.
pub fn compare_addresses(a: &str, b: &str) -> Option<AddressMatch> {
    if a == b {
        return Some(AddressMatch::Exact);
    }
    let (path_a, query_a) = parts(a);
    let (path_b, query_b) = parts(b);
    let same_path = path_a == path_b;
    if !same_path && without_ids(path_a) != without_ids(path_b) {
        return None;
    }
    match (differing(&query_a, &query_b), same_path) {
        (Some(parameters), true) => Some(AddressMatch::Parameters(parameters)),
        (Some(parameters), false) => Some(AddressMatch::Ids(parameters)),
        (None, true) => Some(AddressMatch::PathOnly),
        (None, false) => None,
    }
}

/// The last part of the path, with the query: what a person calls a picture or a script.
pub fn last_part(address: &str) -> &str {
    let path_end = address.find(['?', '#']).unwrap_or(address.len());
    let start = address[..path_end].trim_end_matches('/').rfind('/').map_or(0, |slash| slash + 1);
    &address[start..]
}

type Query<'a> = BTreeMap<&'a str, Vec<&'a str>>;

fn parts(address: &str) -> (&str, Query<'_>) {
    let address = address.split('#').next().unwrap_or_default();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    // Servers write session ids into the path as well: `/cart;jsessionid=1A2B`.
    let (path, matrix) = path.split_once(';').unwrap_or((path, ""));
    let mut parameters = Query::new();
    for pair in query.split('&').chain(matrix.split(';')).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        parameters.entry(name).or_default().push(value);
    }
    (path, parameters)
}

/// The parameters that differ, if all of them may.
fn differing(a: &Query, b: &Query) -> Option<BTreeSet<String>> {
    let names: BTreeSet<&str> = a.keys().chain(b.keys()).copied().collect();
    let differing: Vec<&str> = names.into_iter().filter(|name| a.get(name) != b.get(name)).collect();
    let may_differ = |name: &&str| {
        let values = || a.get(*name).into_iter().chain(b.get(*name)).flatten();
        VOLATILE.contains(&name.to_ascii_lowercase().as_str())
            || is_generated(name)
            || (a.contains_key(*name) && b.contains_key(*name) && values().all(|value| is_generated(value)))
    };
    differing.iter().all(may_differ).then(|| differing.iter().map(ToString::to_string).collect())
}

fn without_ids(path: &str) -> Vec<&str> {
    path.split(['/', '.', '-']).map(|part| if is_generated(part) { "*" } else { part }).collect()
}

/// Whether a machine made it: a moment in milliseconds, a hash or another long number or hexadecimal text.
fn is_generated(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let all_hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    (text.len() >= 8 && digits == text.len()) || (text.len() >= 8 && digits >= 2 && all_hexadecimal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_changes_by_itself_is_not_a_difference() {
        let compare = compare_addresses;
        assert_eq!(compare("/a?q=1", "/a?q=1"), Some(AddressMatch::Exact));
        assert_eq!(compare("/a?q=1&_=17", "/a?q=1&_=18"), Some(AddressMatch::Parameters(set(&["_"]))));
        assert_eq!(compare("/a?1700000000001", "/a?1700000000002").map(|m| m < AddressMatch::PathOnly), Some(true));
        assert_eq!(
            compare("/a;jsessionid=1A", "/a;jsessionid=2B"),
            Some(AddressMatch::Parameters(set(&["jsessionid"])))
        );
        assert_eq!(compare("/doc/8f14e45fceea", "/doc/c9f0f895fb98"), Some(AddressMatch::Ids(set(&[]))));
        assert_eq!(compare("/s?q=a", "/s?q=ab"), Some(AddressMatch::PathOnly));
        assert_eq!(compare("/doc/1", "/doc/2"), None);
        assert_eq!(compare("/a", "/b"), None);
    }

    #[test]
    fn the_last_part_is_what_a_person_calls_it() {
        assert_eq!(last_part("http://localhost/pictures/image3.png?v=2"), "image3.png?v=2");
        assert_eq!(last_part("image3.png"), "image3.png");
        assert_eq!(last_part("/list/?next=/a/b"), "list/?next=/a/b");
        assert_eq!(last_part(""), "");
    }
}
