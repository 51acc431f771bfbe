//! [`Agreement`]: how well groups of things agree with the classes that they truly belong to.

use std::collections::BTreeMap;

/// Counts of pairs (group, class), of groups and of classes.
pub struct Agreement {
    together: BTreeMap<(String, String), usize>,
    groups: BTreeMap<String, usize>,
    classes: BTreeMap<String, usize>,
    all: usize,
}

impl Agreement {
    /// Of things, each with its group and its class.
    pub fn of(things: impl IntoIterator<Item = (String, String)>) -> Agreement {
        let (mut together, mut groups, mut classes) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut all = 0;
        for (group, class) in things {
            *groups.entry(group.clone()).or_default() += 1;
            *classes.entry(class.clone()).or_default() += 1;
            *together.entry((group, class)).or_default() += 1;
            all += 1;
        }
        Agreement { together, groups, classes, all }
    }

    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The share of things that belong to the class that most of their group belong to.
    pub fn purity(&self) -> f64 {
        let mut most: BTreeMap<&str, usize> = BTreeMap::new();
        for ((group, _), count) in &self.together {
            let known = most.entry(group).or_default();
            *known = (*known).max(*count);
        }
        self.share(most.values().sum())
    }

    /// The share of things that are in the group that most of their class are in.
    pub fn completeness(&self) -> f64 {
        let mut most: BTreeMap<&str, usize> = BTreeMap::new();
        for ((_, class), count) in &self.together {
            let known = most.entry(class).or_default();
            *known = (*known).max(*count);
        }
        self.share(most.values().sum())
    }

    /// The adjusted Rand index: 1 if groups and classes are the same, 0 if they agree as often as by chance.
    pub fn index(&self) -> f64 {
        let pairs = |count: usize| count as f64 * (count as f64 - 1.0) / 2.0;
        let sum = |counts: &mut dyn Iterator<Item = &usize>| counts.map(|count| pairs(*count)).sum::<f64>();
        let together = sum(&mut self.together.values());
        let (groups, classes) = (sum(&mut self.groups.values()), sum(&mut self.classes.values()));
        let by_chance = if self.all > 1 { groups * classes / pairs(self.all) } else { 0.0 };
        let most = (groups + classes) / 2.0;
        // One group and one class, or each thing by itself in both.
        if (most - by_chance).abs() < f64::EPSILON { 1.0 } else { (together - by_chance) / (most - by_chance) }
    }

    fn share(&self, count: usize) -> f64 {
        if self.all == 0 { 1.0 } else { count as f64 / self.all as f64 }
    }
}
