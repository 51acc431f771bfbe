//! [`Sharing`]: which places can conflict: more than one event touches them, and one of these writes. All others, which are most of
//! them, need no names.

use std::collections::HashMap;

use colobus_race::model::AccessKind;
use colobus_script::{Part, Place as LoggedPlace};

use super::accesses::NumberedAccesses;

#[derive(Default)]
pub struct Sharing {
    places: HashMap<u32, Use>,
    objects: HashMap<u64, ObjectUse>,
    /// The object that a property or all properties belong to.
    owners: HashMap<u32, (u64, bool)>,
}

#[derive(Clone, Copy)]
struct Use {
    first: usize,
    is_shared: bool,
    is_written: bool,
}

#[derive(Clone, Copy)]
struct ObjectUse {
    any: Use,
    whole: WholeUse,
}

/// Whether all properties of the object of a place are read or replaced at once.
#[derive(Clone, Copy, Default)]
pub struct WholeUse {
    pub is_read: bool,
    pub is_replaced: bool,
}

impl Use {
    fn new(event: usize) -> Use {
        Use { first: event, is_shared: false, is_written: false }
    }

    fn add(&mut self, event: usize, writes: bool) {
        self.is_shared |= self.first != event;
        self.is_written |= writes;
    }

    fn conflicts(self) -> bool {
        self.is_shared && self.is_written
    }
}

impl Sharing {
    pub fn of<'a>(events: &[NumberedAccesses], logged: impl Fn(u32) -> &'a LoggedPlace) -> Sharing {
        let mut sharing = Sharing::default();
        for (event, numbered) in events.iter().enumerate() {
            for access in &numbered.accesses {
                let writes = access.kind != AccessKind::Read;
                sharing.places.entry(access.place).or_insert_with(|| Use::new(event)).add(event, writes);
                let place = logged(access.place);
                let is_whole = place.kind() == "whole";
                if !is_whole && !matches!(place.kind(), "property" | "entry") {
                    continue;
                }
                let Some(Part::Number(object)) = place.0.get(1) else { continue };
                sharing.owners.insert(access.place, (*object, is_whole));
                let unused = || ObjectUse { any: Use::new(event), whole: WholeUse::default() };
                let object = sharing.objects.entry(*object).or_insert_with(unused);
                object.any.add(event, writes);
                object.whole.is_read |= is_whole && !writes;
                object.whole.is_replaced |= is_whole && writes;
            }
        }
        sharing
    }

    /// None if no two accesses to the place, or to all properties of its object, can conflict.
    pub fn of_place(&self, place: u32) -> Option<WholeUse> {
        let use_of_place = self.places.get(&place)?;
        let Some((object, is_whole)) = self.owners.get(&place) else {
            return use_of_place.conflicts().then(WholeUse::default);
        };
        let object = self.objects.get(object)?;
        let whole = if object.any.conflicts() { object.whole } else { WholeUse::default() };
        let with_whole = whole.is_replaced || (whole.is_read && use_of_place.is_written);
        let matters = if *is_whole { object.any.conflicts() } else { use_of_place.conflicts() || with_whole };
        matters.then_some(whole)
    }
}
