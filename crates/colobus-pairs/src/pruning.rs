//! [`Distinct`]: the states of phase 1 that differ in anything that can be seen: pixels, DOM, document or caret. Equal ones
//! need not be explored twice, as long as an application has no secrets: what was undone, or is about to be sent, may lead
//! to different futures all the same.

use colobus_compare::{CompareError, changed};
use colobus_model::{Aspect, Observation, Rectangle};

/// States, no two of them alike.
#[derive(Default)]
pub struct Distinct {
    known: Vec<Observation>,
}

impl Distinct {
    /// True, and keeps it, if no state before was like this one.
    pub fn is_new(&mut self, state: &Observation, ignored: &[Rectangle]) -> Result<bool, CompareError> {
        for known in &self.known {
            if alike(known, state, ignored)? {
                return Ok(false);
            }
        }
        self.known.push(state.clone());
        Ok(true)
    }
}

fn alike(one: &Observation, other: &Observation, ignored: &[Rectangle]) -> Result<bool, CompareError> {
    let equal =
        (&one.dom, &one.text, &one.state, &one.carets) == (&other.dom, &other.text, &other.state, &other.carets);
    Ok(equal && changed(one, other, Aspect::Pixels, ignored)?.is_empty())
}
