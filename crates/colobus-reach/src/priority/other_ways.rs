//! Of the ways from one anchor, all but the shortest come later.

use std::collections::BTreeSet;

use super::Priority;
use crate::search::{Extension, Partial};
use crate::summary::Summary;

/// Connectors only navigate: usually any way will do.
pub struct OtherWays;

impl Priority for OtherWays {
    fn name(&self) -> &'static str {
        "other ways"
    }

    fn penalties(&self, _: &Partial, extensions: &[Extension], _: &[Summary]) -> Vec<i64> {
        let mut seen = BTreeSet::new();
        extensions.iter().map(|extension| i64::from(!seen.insert(&extension.anchor))).collect()
    }
}
