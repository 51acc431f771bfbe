//! Which fragments are values: siblings that are answered alike, and for which something else speaks as well. Siblings
//! that are answered alike by chance (two lists of records) stay constants: an operation too many is easily merged by a
//! reader, two that were merged wrongly are not easily seen.

use std::collections::{BTreeMap, HashSet};

use super::trie::{Leaf, Node, Segment};
use super::words::{is_route, is_version, looks_like_data};
use crate::schema::Shape;

/// More different siblings than this are values.
const MOST_ROUTES: usize = 256;
/// Answers with fewer fields (`{"ok": true}`) say nothing about what was asked.
const DISTINCTIVE_FIELDS: usize = 3;
/// As many siblings with the same fields are values even if they are lists.
const MANY_SIBLINGS: usize = 4;

/// Siblings with the same fields at the same paths.
struct Class<'a> {
    names: Vec<&'a String>,
    profile: Profile<'a>,
}

/// What is answered below a node, by path and method.
type Profile<'a> = BTreeMap<(Vec<Segment>, &'a str), &'a Leaf>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    /// Some answers are alike and distinctive, and none differ.
    Strong,
    /// They have paths in common that say nothing.
    Weak,
    /// They have no paths in common: `users/ann` and `users/ben/posts`.
    Unrelated,
    /// They are answered differently.
    None,
}

/// Turns constants into values, from the leaves to the root.
pub(super) fn generalize(node: &mut Node, known: &HashSet<String>) {
    node.children.values_mut().for_each(|child| generalize(child, known));
    while let Some(values) = values(node, known) {
        let mut joined = node.children.remove(&Segment::Value).unwrap_or_default();
        for name in values {
            if let Some(child) = node.children.remove(&Segment::Constant(name)) {
                joined.absorb(child);
            }
        }
        // What the children have below them meets here for the first time.
        generalize(&mut joined, known);
        node.children.insert(Segment::Value, joined);
    }
}

/// Constant children that are values after all.
fn values(node: &Node, known: &HashSet<String>) -> Option<Vec<String>> {
    let classes = classes(node);
    let candidates: usize = classes.iter().map(|class| class.names.len()).sum();
    if candidates > MOST_ROUTES {
        return Some(classes.iter().flat_map(|class| class.names.iter().map(|name| (*name).clone())).collect());
    }
    let existing = node.children.get(&Segment::Value).map(profile);
    for seed in 0..classes.len() {
        let mut group: Vec<&Class<'_>> = Vec::new();
        let mut likeness = Likeness::Weak;
        for class in classes[seed..].iter() {
            let to_group = group.iter().map(|member| compare(&member.profile, &class.profile));
            let to_existing = existing.iter().map(|existing| compare(existing, &class.profile));
            let all: Vec<Likeness> = to_group.chain(to_existing).collect();
            let known_names = || class.names.iter().all(|name| known.contains(name.as_str()));
            if all.contains(&Likeness::None) || (all.contains(&Likeness::Unrelated) && !known_names()) {
                continue;
            }
            if all.contains(&Likeness::Strong) || (class.names.len() > 1 && is_distinctive(&class.profile)) {
                likeness = Likeness::Strong;
            }
            group.push(class);
        }
        let names: Vec<&String> = group.iter().flat_map(|class| class.names.iter().copied()).collect();
        let siblings = names.len() + usize::from(existing.is_some());
        if siblings >= 2 && !names.is_empty() && is_convincing(&group, &names, likeness, existing.is_some(), known) {
            return Some(names.into_iter().cloned().collect());
        }
    }
    None
}

fn is_convincing(
    group: &[&Class<'_>],
    names: &[&String],
    likeness: Likeness,
    existing: bool,
    known: &HashSet<String>,
) -> bool {
    let half = |count: usize| count * 2 >= names.len();
    let echoed = half(names.iter().filter(|name| known.contains(name.as_str())).count());
    let data = half(names.iter().filter(|name| looks_like_data(name)).count());
    let same_fields = group.len() == 1 && !existing;
    let lists = group.iter().any(|class| class.profile.values().any(|leaf| is_list(&leaf.shape)));
    match likeness {
        Likeness::Strong => echoed || data || (same_fields && (!lists || names.len() >= MANY_SIBLINGS)),
        Likeness::Weak => names.iter().all(|name| known.contains(name.as_str()) || looks_like_data(name)),
        Likeness::Unrelated | Likeness::None => false,
    }
}

/// Classes of constant children, the largest first.
fn classes(node: &Node) -> Vec<Class<'_>> {
    let mut classes: BTreeMap<String, Class<'_>> = BTreeMap::new();
    for (segment, child) in &node.children {
        let Segment::Constant(name) = segment else { continue };
        if is_route(name) || is_version(name) {
            continue;
        }
        let profile = profile(child);
        let key = profile
            .iter()
            .map(|(key, leaf)| format!("{key:?} {:?} {}", leaf.media, skeleton(&leaf.shape, 0)))
            .collect();
        classes.entry(key).or_insert_with(|| Class { names: Vec::new(), profile }).names.push(name);
    }
    let mut classes: Vec<Class<'_>> = classes.into_values().collect();
    classes.sort_by_key(|class| (std::cmp::Reverse(class.names.len()), class.names[0]));
    classes
}

fn profile(node: &Node) -> Profile<'_> {
    let mut profile = BTreeMap::new();
    node.visit(&mut Vec::new(), &mut |segments, method, leaf| {
        profile.insert((segments.to_vec(), method), leaf);
    });
    profile
}

/// Names below this depth do not tell siblings apart.
const SKELETON_DEPTH: usize = 3;

/// The names of all fields, down to a depth.
fn skeleton(shape: &Shape, depth: usize) -> String {
    if depth == SKELETON_DEPTH {
        return String::new();
    }
    let fields = shape.object.iter().flat_map(|object| &object.fields);
    let names: Vec<String> =
        fields.map(|(name, field)| format!("{name}{}", skeleton(&field.shape, depth + 1))).collect();
    let items = shape.array.as_ref().map(|array| skeleton(&array.items, depth + 1));
    format!("{{{}}}{}", names.join(","), items.unwrap_or_default())
}

/// True for a list of records, bare or in a field.
fn is_list(shape: &Shape) -> bool {
    let of_records = |shape: &Shape| shape.array.as_ref().is_some_and(|array| array.items.object.is_some());
    of_records(shape)
        || shape.object.iter().flat_map(|object| object.fields.values()).any(|field| of_records(&field.shape))
}

fn is_distinctive(profile: &Profile<'_>) -> bool {
    profile.values().any(|leaf| leaf.shape.weight() >= DISTINCTIVE_FIELDS)
}

fn compare(a: &Profile<'_>, b: &Profile<'_>) -> Likeness {
    let mut likeness = Likeness::Unrelated;
    for (key, mine) in a {
        let Some(theirs) = b.get(key) else { continue };
        if !mine.shape.is_like(&theirs.shape) {
            return Likeness::None;
        }
        let distinctive = mine.shape.weight().min(theirs.shape.weight()) >= DISTINCTIVE_FIELDS;
        if distinctive {
            likeness = Likeness::Strong;
        } else if likeness == Likeness::Unrelated {
            likeness = Likeness::Weak;
        }
    }
    likeness
}
