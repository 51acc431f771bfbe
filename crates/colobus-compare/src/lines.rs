//! [`LineSet`]: the lines of a text that a change touched. A canonical DOM and a document printed as JSON are both texts
//! with one thing a line, so that one notion of "touched" serves both.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Lines of the text before the change, counted from zero. An insertion touches the lines on both of its sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineSet {
    /// Sorted, disjoint, half-open.
    ranges: Vec<(usize, usize)>,
}

impl LineSet {
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub fn overlaps(&self, other: &LineSet) -> bool {
        self.ranges.iter().any(|a| other.ranges.iter().any(|b| a.0 < b.1 && b.0 < a.1))
    }

    pub fn ranges(&self) -> &[(usize, usize)] {
        &self.ranges
    }
}

/// The lines of `before` that differ in `after`.
pub fn changed_lines(before: &str, after: &str) -> LineSet {
    if before == after {
        return LineSet::default();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (start, end) = match op {
            DiffOp::Equal { .. } => continue,
            DiffOp::Delete { old_index, old_len, .. } | DiffOp::Replace { old_index, old_len, .. } => {
                (old_index, old_index + old_len)
            }
            DiffOp::Insert { old_index, .. } => (old_index.saturating_sub(1), old_index + 1),
        };
        match ranges.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => ranges.push((start, end)),
        }
    }
    LineSet { ranges }
}

/// A document as text, one thing a line. Objects are printed with sorted keys: their order carries no meaning.
pub fn document_lines(document: &Value) -> String {
    format!("{:#}", sorted(document))
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(fields) => {
            let mut entries: Vec<_> = fields.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(entries.into_iter().collect())
        }
        plain => plain.clone(),
    }
}
