//! [`CausalOrder`]: which operations had happened before which others were generated.

use std::ops::ControlFlow;

use crate::operation::OpSet;

/// A causal partial order: strict, transitive, and total on the operations of each site.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CausalOrder {
    /// The site of each operation.
    pub owners: Vec<u8>,
    /// What happened before each operation.
    pub before: Vec<OpSet>,
}

impl CausalOrder {
    /// How many operations it orders.
    pub fn len(&self) -> usize {
        self.owners.len()
    }

    /// Whether it orders none.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// Whether `a` happened before `b`.
    pub fn precedes(&self, a: u8, b: u8) -> bool {
        self.before[usize::from(b)].contains(a)
    }

    /// Whether neither happened before the other.
    pub fn concurrent(&self, a: u8, b: u8) -> bool {
        a != b && !self.precedes(a, b) && !self.precedes(b, a)
    }

    /// No order but that of each site's own operations.
    pub fn unordered(owners: &[u8]) -> Self {
        let own = |id: usize| (0..id).filter(move |&earlier| owners[earlier] == owners[id]);
        let before = (0..owners.len()).map(|id| OpSet::of(own(id).map(|e| e as u8))).collect();
        CausalOrder { owners: owners.to_vec(), before }
    }

    /// The sequences in which all operations can be executed without breaking causality, in lexicographic order.
    pub fn linear_extensions(&self) -> Vec<Vec<u8>> {
        self.extensions(OpSet::first(self.len()), |_, _| true)
    }

    /// The sequences in which a site can execute all operations: its own ones exactly when their causes were there.
    pub fn traces_at(&self, site: u8) -> Vec<Vec<u8>> {
        self.extensions(OpSet::first(self.len()), |next, done| {
            let next = usize::from(next);
            self.owners[next] != site || self.before[next] == done
        })
    }

    /// Sequences of a causally closed set of operations.
    pub fn sequences_of(&self, set: OpSet) -> Vec<Vec<u8>> {
        self.extensions(set, |_, _| true)
    }

    fn extensions(&self, set: OpSet, may_follow: impl Fn(u8, OpSet) -> bool) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        self.extend(set, OpSet::default(), &mut Vec::new(), &may_follow, &mut found);
        found
    }

    fn extend(
        &self,
        set: OpSet,
        done: OpSet,
        trace: &mut Vec<u8>,
        may_follow: &dyn Fn(u8, OpSet) -> bool,
        found: &mut Vec<Vec<u8>>,
    ) {
        if done == set {
            found.push(trace.clone());
        }
        for next in set.without(done).iter() {
            if self.before[usize::from(next)].within(done) && may_follow(next, done) {
                trace.push(next);
                self.extend(set, done.with(next), trace, may_follow, found);
                trace.pop();
            }
        }
    }

    /// The same order with the sites renamed; `sites[old]` is the new name.
    fn renamed(&self, sites: &[u8], operations: &[usize]) -> Vec<OpSet> {
        let first: Vec<usize> = (0..operations.len()).map(|site| operations[..site].iter().sum()).collect();
        let new_id = |id: usize| {
            let old = usize::from(self.owners[id]);
            first[usize::from(sites[old])] + id - first[old]
        };
        let mut before = vec![OpSet::default(); self.len()];
        for id in 0..self.len() {
            before[new_id(id)] = OpSet::of(self.before[id].iter().map(|b| new_id(b.into()) as u8));
        }
        before
    }

    /// Whether no renaming of sites with equally many operations comes earlier: one such order stands for all of them.
    pub fn is_representative(&self, operations: &[usize]) -> bool {
        permutations(operations.len())
            .into_iter()
            .filter(|sites| (0..sites.len()).all(|old| operations[old] == operations[usize::from(sites[old])]))
            .all(|sites| self.before <= self.renamed(&sites, operations))
    }
}

/// Visit every causal order of the operations once; each is built by fitting one more operation into a smaller order.
pub fn visit_orders<B>(owners: &[u8], visit: &mut impl FnMut(CausalOrder) -> ControlFlow<B>) -> ControlFlow<B> {
    fit_next(owners, CausalOrder { owners: Vec::new(), before: Vec::new() }, visit)
}

fn fit_next<B>(
    owners: &[u8],
    order: CausalOrder,
    visit: &mut impl FnMut(CausalOrder) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let next = order.len();
    if next == owners.len() {
        return visit(order);
    }
    let own_past = OpSet::of((0..next).filter(|&id| owners[id] == owners[next]).map(|id| id as u8));
    let subsets = || (0..1u16 << next).map(|bits| OpSet(bits as u8));
    for past in subsets().filter(|&past| own_past.within(past) && order.is_past(past)) {
        for future in subsets().filter(|&future| !future.meets(past) && order.can_follow(past, future)) {
            let mut larger = order.clone();
            larger.owners.push(owners[next]);
            larger.before.push(past);
            for id in future.iter() {
                larger.before[usize::from(id)] = larger.before[usize::from(id)].with(next as u8);
            }
            fit_next(owners, larger, visit)?;
        }
    }
    ControlFlow::Continue(())
}

impl CausalOrder {
    /// Whether a set holds the causes of all its members.
    pub fn is_past(&self, set: OpSet) -> bool {
        set.iter().all(|id| self.before[usize::from(id)].within(set))
    }

    /// Whether an operation between `past` and `future` leaves the order transitive.
    fn can_follow(&self, past: OpSet, future: OpSet) -> bool {
        (0..self.len() as u8).all(|id| {
            let before = self.before[usize::from(id)];
            if future.contains(id) { past.within(before) } else { !before.meets(future) }
        })
    }
}

/// All permutations of `0..count` in lexicographic order.
pub fn permutations(count: usize) -> Vec<Vec<u8>> {
    let free: Vec<u8> = (0..count as u8).collect();
    CausalOrder { before: vec![OpSet::default(); count], owners: free }.linear_extensions()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::Setting;

    fn orders(operations: &[usize]) -> Vec<CausalOrder> {
        let mut orders = Vec::new();
        let _ = visit_orders::<()>(&Setting::new(operations.to_vec()).unwrap().owners(), &mut |order| {
            orders.push(order);
            ControlFlow::Continue(())
        });
        orders
    }

    #[test]
    fn counts_are_those_of_labelled_partial_orders() {
        assert_eq!(orders(&[1, 1]).len(), 3);
        assert_eq!(orders(&[1, 1, 1]).len(), 19);
        assert_eq!(orders(&[1, 1, 1, 1]).len(), 219);
        assert_eq!(orders(&[1, 1, 1, 1, 1]).len(), 4231);
        assert_eq!(orders(&[2, 1, 1]).len(), 66);
        assert_eq!(orders(&[3]).len(), 1);
    }

    #[test]
    fn sixteen_orders_of_four_operations_are_left_with_site_symmetry() {
        let operations = [1, 1, 1, 1];
        let left = orders(&operations).into_iter().filter(|o| o.is_representative(&operations));
        assert_eq!(left.count(), 16);
    }

    #[test]
    fn a_site_executes_its_own_operation_when_its_causes_and_nothing_else_were_there() {
        // o0 -> o1, o2 free; sites 0, 1, 2.
        let order = CausalOrder { owners: vec![0, 1, 2], before: vec![OpSet(0), OpSet(1), OpSet(0)] };
        assert_eq!(order.traces_at(0), [[0, 1, 2], [0, 2, 1]]);
        assert_eq!(order.traces_at(1), [[0, 1, 2]]);
        assert_eq!(order.traces_at(2), [[2, 0, 1]]);
        assert_eq!(order.traces_at(3).len(), 3, "a site that only listens can see any order");
    }
}
