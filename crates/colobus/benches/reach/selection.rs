//! [`Selection`]: what the words of the command line ask for.

use anyhow::ensure;

use crate::part::Part;

/// Forgets the results of what is selected.
const AFRESH: &str = "afresh";
/// Runs nothing: the page is written from what is kept.
const NOTHING: &str = "nothing";

pub struct Selection {
    applications: Vec<String>,
    parts: Vec<Part>,
    pub is_afresh: bool,
}

impl Selection {
    pub fn read(words: &[String], known: &[String]) -> anyhow::Result<Selection> {
        let has = |wanted: &str| words.iter().any(|word| word == wanted);
        let part = |word: &String| Part::ALL.into_iter().find(|part| part.word() == word);
        let mut parts: Vec<Part> = words.iter().filter_map(part).collect();
        let mut applications: Vec<String> = words.iter().filter(|word| known.contains(word)).cloned().collect();
        for word in words.iter().filter(|word| part(word).is_none() && !known.contains(word)) {
            let all: Vec<&str> = Part::ALL.iter().map(|part| part.word()).chain([AFRESH, NOTHING]).collect();
            ensure!(
                [AFRESH, NOTHING].contains(&word.as_str()),
                "`{word}` is none of: {}, {}",
                known.join(", "),
                all.join(", ")
            );
        }
        if parts.is_empty() {
            parts = Part::ALL.to_vec();
        }
        if applications.is_empty() && !has(NOTHING) {
            applications = known.to_vec();
        }
        Ok(Selection { applications, parts, is_afresh: has(AFRESH) })
    }

    pub fn has(&self, application: &str, part: Part) -> bool {
        self.applications.iter().any(|it| it == application) && self.parts.contains(&part)
    }
}
