//! [`Reach`]: the transitive closure of dependencies as one row of bits an event.

/// For each event the set of those before it. 4,000 events take 2 MB.
#[derive(Clone, Debug)]
pub struct Reach {
    words: usize,
    rows: Vec<u64>,
}

impl Reach {
    pub fn new(events: usize) -> Reach {
        let words = events.div_ceil(64);
        Reach { words, rows: vec![0; words * events] }
    }

    pub fn contains(&self, later: usize, earlier: usize) -> bool {
        self.rows[later * self.words + earlier / 64] >> (earlier % 64) & 1 == 1
    }

    /// The earlier event, and all before it, come before the later one.
    pub fn join(&mut self, later: usize, earlier: usize) {
        debug_assert!(earlier < later);
        let (before, from) = self.rows.split_at_mut(later * self.words);
        let source = &before[earlier * self.words..(earlier + 1) * self.words];
        from[..self.words].iter_mut().zip(source).for_each(|(target, word)| *target |= word);
        from[earlier / 64] |= 1 << (earlier % 64);
    }
}
