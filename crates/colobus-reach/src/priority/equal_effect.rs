//! Of anchors with an equal effect, all but one come later.

use super::Priority;
use crate::search::anchors::Anchor;
use crate::search::{Extension, Partial};
use crate::summary::Summary;

/// The same constants and expressions for what the sequence depends on.
pub struct EqualEffect;

impl Priority for EqualEffect {
    fn name(&self) -> &'static str {
        "equal effect"
    }

    fn penalties(&self, partial: &Partial, extensions: &[Extension], summaries: &[Summary]) -> Vec<i64> {
        let wanted = partial.dependencies();
        let mut kept: Vec<&Anchor> = Vec::new();
        let mut penalties = Vec::new();
        for Extension { anchor, .. } in extensions {
            let effect = summaries[anchor.summary].effect(&wanted);
            let first = kept.iter().find(|known| summaries[known.summary].effect(&wanted) == effect);
            penalties.push(i64::from(first.is_some_and(|first| *first != anchor)));
            if first.is_none() {
                kept.push(anchor);
            }
        }
        penalties
    }
}
