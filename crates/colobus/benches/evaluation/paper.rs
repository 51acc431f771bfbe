//! What Billes, Moller and Pradel published about Firepad 1.4.0 ("Systematic black-box analysis of collaborative web
//! applications", 2017).

pub struct Published {
    pub equivalence_classes: Option<usize>,
    pub potential_conflicts: Option<usize>,
    pub inconsistencies: Option<usize>,
    /// Hours and minutes.
    pub phase1: Option<&'static str>,
    pub phase2: Option<&'static str>,
}

pub static SMALL_3: Published = Published {
    equivalence_classes: Some(5),
    potential_conflicts: Some(6),
    inconsistencies: Some(1),
    phase1: Some("13 min"),
    phase2: Some("4 min"),
};

pub static LARGE_1: Published = Published {
    equivalence_classes: Some(1),
    potential_conflicts: Some(1),
    inconsistencies: Some(0),
    phase1: None,
    phase2: None,
};

pub static LARGE_2: Published = Published {
    equivalence_classes: Some(3),
    potential_conflicts: Some(21),
    inconsistencies: Some(5),
    phase1: Some("9 min"),
    phase2: Some("12 min"),
};

pub static LARGE_3: Published = Published {
    equivalence_classes: Some(19),
    potential_conflicts: Some(190),
    inconsistencies: Some(32),
    phase1: Some("2 h 2 min"),
    phase2: Some("2 h 20 min"),
};

/// Stopped after a day, like every experiment of that size.
pub static FIFTEEN_3: Published = Published {
    equivalence_classes: None,
    potential_conflicts: None,
    inconsistencies: None,
    phase1: Some("more than 24 h in all"),
    phase2: None,
};
