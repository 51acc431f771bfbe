//! [`ActionTree`]: all sequences of actions of one client up to a depth.

/// A node of the tree: the actions that lead to it, as indices into the list of actions.
pub type Sequence = Vec<usize>;

/// All sequences of up to `depth` of `actions` actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionTree {
    pub actions: usize,
    pub depth: usize,
}

impl ActionTree {
    /// Sequences of full length: actions^depth. Saturates.
    pub fn sequences(&self) -> usize {
        self.of_length(self.depth)
    }

    /// States in which actions are tried: sequences shorter than the depth. Saturates.
    pub fn source_states(&self) -> usize {
        (0..self.depth).fold(0, |sum, length| sum.saturating_add(self.of_length(length)))
    }

    /// Interactions of a search that tries `tuples` combinations of actions in every source state. Saturates.
    pub fn naive(&self, tuples: usize) -> usize {
        self.source_states().saturating_mul(tuples)
    }

    fn of_length(&self, length: usize) -> usize {
        (0..length).fold(1, |product: usize, _| product.saturating_mul(self.actions))
    }

    /// Sequences of full length, in lexicographic order.
    pub fn leaves(&self) -> impl Iterator<Item = Sequence> + use<> {
        let tree = *self;
        (0..tree.sequences()).map(move |number| tree.sequence(number, tree.depth))
    }

    /// Sequences shorter than the depth: shorter ones first, then in lexicographic order.
    pub fn sources(&self) -> impl Iterator<Item = Sequence> + use<> {
        let tree = *self;
        (0..tree.depth)
            .flat_map(move |length| (0..tree.of_length(length)).map(move |number| tree.sequence(number, length)))
    }

    fn sequence(&self, mut number: usize, length: usize) -> Sequence {
        let mut sequence = vec![0; length];
        for place in sequence.iter_mut().rev() {
            *place = number % self.actions;
            number /= self.actions;
        }
        sequence
    }

    /// From which length on the run of `leaf` is the first to see its prefixes: every node of the tree is observed in
    /// the run of the first leaf below it, and in no other.
    pub fn first_seen_from(&self, leaf: &[usize]) -> usize {
        leaf.iter().rposition(|action| *action != 0).map_or(0, |last| last + 1)
    }
}
