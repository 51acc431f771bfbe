//! [`Sets`]: names for sets of actions, each expanded to the actions that it holds.

use std::collections::{BTreeMap, BTreeSet};

/// The actions of every set, by the name of the set.
#[derive(Debug, Default)]
pub struct Sets(BTreeMap<String, BTreeSet<String>>);

/// A name in a set that cannot be followed.
#[derive(Debug, PartialEq, Eq)]
pub enum SetProblem {
    /// Neither an action nor a set.
    Unknown { set: String, index: usize, name: String },
    /// The set holds itself, perhaps through others.
    Circle { set: String, index: usize },
}

impl Sets {
    /// Expands `written`, whose lists name actions and other sets.
    pub fn expand(written: &BTreeMap<String, Vec<String>>, actions: &BTreeSet<&str>) -> Result<Sets, Vec<SetProblem>> {
        let mut problems = Vec::new();
        for (set, names) in written {
            for (index, name) in names.iter().enumerate() {
                if !actions.contains(name.as_str()) && !written.contains_key(name) {
                    problems.push(SetProblem::Unknown { set: set.clone(), index, name: name.clone() });
                } else if reaches(written, name, set) {
                    problems.push(SetProblem::Circle { set: set.clone(), index });
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Sets(written.keys().map(|set| (set.clone(), members(written, set))).collect()))
    }

    pub fn get(&self, name: &str) -> Option<&BTreeSet<String>> {
        self.0.get(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Whether following names from `from` leads to `to`.
fn reaches(written: &BTreeMap<String, Vec<String>>, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(name) = waiting.pop() {
        if name == to {
            return true;
        }
        if seen.insert(name) {
            waiting.extend(written.get(name).into_iter().flatten().map(String::as_str));
        }
    }
    false
}

/// All actions below a set; there are no circles.
fn members(written: &BTreeMap<String, Vec<String>>, set: &str) -> BTreeSet<String> {
    let names = written.get(set).into_iter().flatten();
    names
        .flat_map(|name| match written.contains_key(name) {
            true => members(written, name),
            false => BTreeSet::from([name.clone()]),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(written: &[(&str, &[&str])]) -> Result<Sets, Vec<SetProblem>> {
        let owned = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let written = written.iter().map(|(set, names)| (set.to_string(), owned(names))).collect();
        Sets::expand(&written, &BTreeSet::from(["a", "b", "c"]))
    }

    #[test]
    fn a_set_holds_actions_and_those_of_other_sets() {
        let sets = expand(&[("all", &["most", "c"]), ("most", &["a", "b"])]).unwrap();
        assert_eq!(sets.get("all").unwrap().iter().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(sets.get("most").unwrap().iter().collect::<Vec<_>>(), ["a", "b"]);
        assert!(sets.get("a").is_none());
    }

    #[test]
    fn unknown_names_and_circles_are_refused() {
        let unknown = SetProblem::Unknown { set: "x".into(), index: 1, name: "d".into() };
        assert_eq!(expand(&[("x", &["a", "d"])]).unwrap_err(), [unknown]);
        let circle = |set: &str, index| SetProblem::Circle { set: set.into(), index };
        assert_eq!(expand(&[("x", &["a", "y"]), ("y", &["x"])]).unwrap_err(), [circle("x", 1), circle("y", 0)]);
        assert_eq!(expand(&[("x", &["x"])]).unwrap_err(), [circle("x", 0)]);
    }
}
