//! Whether two RELAX NG schemas allow the same. Inclusion of grammars is not decided: instances of one are compared with the
//! other, so that a change that few instances show can be missed.

use colobus_random::Random;

use super::schema::Side;
use crate::language::{Alternative, Datatype};
use crate::relaxng::Grammar;
use crate::schema::{Preference, Schemas};

/// Instances that are compared.
const ATTEMPTS: u64 = 200;
/// Longer ones are not shown.
const LONGEST: usize = 200;

/// The grammar of a datatype that has one, and the definition in it.
pub(super) fn grammar<'a>((datatype, schemas): (&'a Datatype, &'a Schemas)) -> Option<(&'a Grammar, Option<&'a str>)> {
    datatype.0.iter().find_map(|alternative| match alternative {
        Alternative::Rng { file, definition } => Some((schemas.grammars.get(file)?, definition.as_deref())),
        _ => None,
    })
}

/// Tells of an instance that one side may send now and the other does not know.
pub(super) fn compare(
    old: (&Datatype, &Schemas),
    new: (&Datatype, &Schemas),
    side: Side,
    place: &str,
    tell: &mut impl FnMut(String, bool),
) {
    let (Some(old), Some(new)) = (grammar(old), grammar(new)) else { return };
    // Servers follow the new schema and clients the old one.
    let ((sent, definition), known, how) = match side {
        Side::Server => (new, old, "is possible now"),
        Side::Client => (old, new, "is not taken any more"),
    };
    if let Some(text) = unknown((sent, definition), known) {
        let shown: String = text.chars().take(LONGEST).collect();
        tell(format!("{place}: {shown} {how}"), true);
    } else if unknown(known, (sent, definition)).is_some() {
        tell(format!("{place}: the RELAX NG schema has changed; no instance shows that it breaks clients"), false);
    }
}

/// The shortest of the instances of one grammar that the other does not accept.
fn unknown(of: (&Grammar, Option<&str>), by: (&Grammar, Option<&str>)) -> Option<String> {
    let instances = (0..ATTEMPTS).filter_map(|seed| {
        let preference = if seed % 2 == 0 { Preference::Random } else { Preference::Boundary };
        of.0.instance(of.1, &mut Random::new(seed), preference, &[])
    });
    instances.filter(|text| !by.0.accepts(by.1, text)).min_by_key(String::len)
}
