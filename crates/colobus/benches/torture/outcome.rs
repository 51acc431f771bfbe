//! [`Outcome`]: what went wrong in one trial. All counts are zero if nothing did.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// How much of the part this trial is: kills, inputs, minutes, interactions.
    pub amount: usize,
    /// Cases that were planned and not judged, findings that are missing.
    pub lost: usize,
    /// Cases that were run again although their result was known.
    pub doubled: usize,
    /// Findings that are none, verdicts that are wrong, panics.
    pub wrong: usize,
    /// Runs that did not end.
    pub hung: usize,
    /// Processes that were still there.
    pub left_behind: usize,
    /// What was done, in a few words.
    pub note: String,
}

impl Outcome {
    pub fn is_right(&self) -> bool {
        self.lost + self.doubled + self.wrong + self.hung + self.left_behind == 0
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { lost, doubled, wrong, hung, left_behind, note, .. } = self;
        match self.is_right() {
            true => write!(f, "right: {note}"),
            false => write!(
                f,
                "WRONG: {lost} lost, {doubled} doubled, {wrong} false, {hung} hung, {left_behind} left behind: {note}"
            ),
        }
    }
}
