//! What the clients can do at the same time.

/// All ways to give each of `clients` clients one of `actions` actions; regardless of who gets which, unless clients are told
/// `apart`. Actions are distinct unless `same` allows equal ones. In lexicographic order.
pub fn combinations(actions: usize, clients: usize, same: bool, apart: bool) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..clients {
        all = all
            .into_iter()
            .flat_map(|tuple: Vec<usize>| {
                let from = tuple.last().filter(|_| !apart).map_or(0, |last| if same { *last } else { last + 1 });
                let taken = if same { Vec::new() } else { tuple.clone() };
                let free = (from..actions).filter(move |next| !taken.contains(next));
                free.map(move |next| [&tuple[..], &[next]].concat())
            })
            .collect();
    }
    all
}
