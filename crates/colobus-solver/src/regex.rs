//! [`Regex`]: a regular language over UTF-16 units. Built by [`Term`](crate::Term)s that ask for membership, printed as
//! SMT-LIB, and matched here by derivatives so that a model can be checked without a solver.

use std::sync::Arc;

use crate::text::Text;

/// A regular expression in the strict sense: no captures, no back references, no look around.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Regex {
    /// No text at all.
    Nothing,
    /// The empty text only.
    Empty,
    /// One unit out of an inclusive range.
    Range(u16, u16),
    /// One after the other.
    Concat(Arc<Regex>, Arc<Regex>),
    /// Either.
    Union(Arc<Regex>, Arc<Regex>),
    /// Any number of times.
    Star(Arc<Regex>),
}

impl Regex {
    /// Exactly this text.
    pub fn literal(text: &Text) -> Regex {
        Regex::sequence(text.0.iter().map(|&unit| Regex::Range(unit, unit)))
    }

    /// Any unit.
    pub fn any() -> Regex {
        Regex::Range(0, u16::MAX)
    }

    /// Any text.
    pub fn all() -> Regex {
        Regex::any().star()
    }

    /// One unit out of several ranges.
    pub fn one_of(ranges: &[(u16, u16)]) -> Regex {
        ranges.iter().fold(Regex::Nothing, |sum, &(low, high)| sum.or(Regex::Range(low, high)))
    }

    /// One unit that is in none of the ranges.
    pub fn none_of(ranges: &[(u16, u16)]) -> Regex {
        Regex::one_of(&complement(ranges))
    }

    /// All of them in order.
    pub fn sequence(parts: impl IntoIterator<Item = Regex>) -> Regex {
        let parts: Vec<Regex> = parts.into_iter().collect();
        parts.into_iter().rev().fold(Regex::Empty, |rest, part| part.then(rest))
    }

    /// This, then another.
    pub fn then(self, other: Regex) -> Regex {
        match (self, other) {
            (Regex::Nothing, _) | (_, Regex::Nothing) => Regex::Nothing,
            (Regex::Empty, rest) | (rest, Regex::Empty) => rest,
            (first, rest) => Regex::Concat(Arc::new(first), Arc::new(rest)),
        }
    }

    /// This or another.
    pub fn or(self, other: Regex) -> Regex {
        match (self, other) {
            (Regex::Nothing, rest) | (rest, Regex::Nothing) => rest,
            (a, b) if a == b => a,
            // Kept in order, right-leaning and without repetition, so that derivatives stay few.
            (Regex::Union(a, b), rest) => (*a).clone().or((*b).clone().or(rest)),
            (a, Regex::Union(b, c)) if a == *b => Regex::Union(b, c),
            (a, Regex::Union(b, c)) if a > *b => Regex::Union(b, Arc::new(a.or((*c).clone()))),
            (a, b) if !matches!(b, Regex::Union(..)) && a > b => Regex::Union(Arc::new(b), Arc::new(a)),
            (a, b) => Regex::Union(Arc::new(a), Arc::new(b)),
        }
    }

    /// Any number of repetitions.
    pub fn star(self) -> Regex {
        match self {
            Regex::Nothing | Regex::Empty => Regex::Empty,
            Regex::Star(inner) => Regex::Star(inner),
            inner => Regex::Star(Arc::new(inner)),
        }
    }

    /// One or more repetitions.
    pub fn plus(self) -> Regex {
        self.clone().then(self.star())
    }

    /// Once or not at all.
    pub fn optional(self) -> Regex {
        Regex::Empty.or(self)
    }

    /// From `least` to `most` repetitions, without an upper bound if there is no `most`.
    pub fn repeat(self, least: u32, most: Option<u32>) -> Regex {
        let required = Regex::sequence((0..least).map(|_| self.clone()));
        let rest = match most {
            None => self.star(),
            Some(most) => (least..most).fold(Regex::Empty, |rest, _| self.clone().then(rest).optional()),
        };
        required.then(rest)
    }

    /// Whether the whole text belongs to the language.
    pub fn matches(&self, text: &Text) -> bool {
        text.0.iter().fold(self.clone(), |left, &unit| left.derivative(unit)).accepts_empty()
    }

    fn accepts_empty(&self) -> bool {
        match self {
            Regex::Empty | Regex::Star(_) => true,
            Regex::Nothing | Regex::Range(..) => false,
            Regex::Concat(a, b) => a.accepts_empty() && b.accepts_empty(),
            Regex::Union(a, b) => a.accepts_empty() || b.accepts_empty(),
        }
    }

    /// What may follow after a first unit.
    fn derivative(&self, unit: u16) -> Regex {
        match self {
            Regex::Nothing | Regex::Empty => Regex::Nothing,
            Regex::Range(low, high) if (*low..=*high).contains(&unit) => Regex::Empty,
            Regex::Range(..) => Regex::Nothing,
            Regex::Union(a, b) => a.derivative(unit).or(b.derivative(unit)),
            Regex::Star(inner) => inner.derivative(unit).then(self.clone()),
            Regex::Concat(a, b) => {
                let first = a.derivative(unit).then((**b).clone());
                if a.accepts_empty() { first.or(b.derivative(unit)) } else { first }
            }
        }
    }

    /// The SMT-LIB term of sort RegLan.
    pub fn to_smt(&self) -> String {
        let one = |unit: u16| Text(vec![unit]).to_smt();
        match self {
            Regex::Nothing => "re.none".into(),
            Regex::Empty => "(str.to_re \"\")".into(),
            Regex::Range(low, high) if low == high => format!("(str.to_re {})", one(*low)),
            Regex::Range(low, high) => format!("(re.range {} {})", one(*low), one(*high)),
            Regex::Concat(a, b) => format!("(re.++ {} {})", a.to_smt(), b.to_smt()),
            Regex::Union(a, b) => format!("(re.union {} {})", a.to_smt(), b.to_smt()),
            Regex::Star(inner) => format!("(re.* {})", inner.to_smt()),
        }
    }
}

/// The units that are in none of the ranges.
pub fn complement(ranges: &[(u16, u16)]) -> Vec<(u16, u16)> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let (mut gaps, mut next) = (Vec::new(), 0u32);
    for (low, high) in sorted {
        if u32::from(low) > next {
            gaps.push((next as u16, low - 1));
        }
        next = next.max(u32::from(high) + 1);
    }
    if next <= u32::from(u16::MAX) {
        gaps.push((next as u16, u16::MAX));
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_decide_membership() {
        let digits = Regex::Range(0x30, 0x39).repeat(2, Some(3));
        let price = digits.then(Regex::literal(&".5".into()).optional());
        for (text, expected) in [("12", true), ("123.5", true), ("1", false), ("1234", false), ("12.", false)] {
            assert_eq!(price.matches(&text.into()), expected, "{text}");
        }
        assert!(Regex::all().matches(&"anything \u{1F600}".into()));
    }

    #[test]
    fn what_is_left_out_is_the_rest() {
        assert_eq!(complement(&[(0x30, 0x39), (0x35, 0x41)]), [(0, 0x2f), (0x42, 0xffff)]);
        assert_eq!(complement(&[(0, 0xffff)]), []);
    }
}
