//! [`OwedFrame`]: settling may leave the last frame of the pages to the look that follows, because a screenshot draws one. The look
//! counts only if nothing happened in the pages meanwhile. Everything else that is asked of the pages, carets apart, is asked after they
//! were drawn.

use super::movement::Movement;

/// A look that has to be repeated costs as much as four frames that were saved.
const COST_OF_A_SECOND_LOOK: u8 = 4;
/// So many second looks in a row end the attempts.
const CREDIT: u8 = 4 * COST_OF_A_SECOND_LOOK;

pub struct OwedFrame {
    /// What had moved when everything but the frame had settled.
    since: Option<Vec<Movement>>,
    /// Falls with every look that has to be repeated: in a page in which every frame brings something, nothing is gained.
    credit: u8,
}

impl Default for OwedFrame {
    fn default() -> OwedFrame {
        OwedFrame { since: None, credit: CREDIT }
    }
}

impl OwedFrame {
    /// Whether it is worth trying.
    pub fn pays(&self) -> bool {
        self.credit >= COST_OF_A_SECOND_LOOK
    }

    pub fn owe(&mut self, since: Option<Vec<Movement>>) {
        self.since = since;
    }

    pub fn since(&self) -> Option<&[Movement]> {
        self.since.as_deref()
    }

    /// A look has drawn the pages; whether nothing happened meanwhile.
    pub fn looked(&mut self, nothing_happened: bool) {
        if nothing_happened {
            self.since = None;
            self.credit = (self.credit + 1).min(CREDIT);
        } else {
            self.credit = self.credit.saturating_sub(COST_OF_A_SECOND_LOOK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_in_which_every_frame_brings_something_are_drawn_before_they_are_looked_at() {
        let mut frame = OwedFrame::default();
        for _ in 0..4 {
            assert!(frame.pays());
            frame.looked(false);
        }
        assert!(!frame.pays());
    }

    #[test]
    fn a_second_look_now_and_then_does_no_harm() {
        let mut frame = OwedFrame::default();
        for look in 0..100 {
            assert!(frame.pays());
            frame.looked(look % 5 != 0);
        }
    }

    #[test]
    fn what_happened_while_pages_were_looked_at_leaves_the_frame_owed() {
        let mut frame = OwedFrame::default();
        frame.owe(Some(Vec::new()));
        frame.looked(false);
        assert!(frame.since().is_some());
        frame.looked(true);
        assert!(frame.since().is_none());
    }
}
