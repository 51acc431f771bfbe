//! [`similarity`]: how alike two pages are, by the elements that they have in common.

use std::collections::HashMap;

/// From 0, nothing in common, to 1, the same elements. Order does not count: rows of a table may change places.
pub fn similarity(one: &[String], other: &[String]) -> f64 {
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let mut left = HashMap::<&str, usize>::new();
    for element in one {
        *left.entry(element).or_default() += 1;
    }
    let mut common = 0usize;
    for element in other {
        if let Some(count) = left.get_mut(element.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let share = 2.0 * common as f64 / (one.len() + other.len()) as f64;
    share
}
