//! Recursive structures: an object that contains objects like itself becomes one schema that refers to itself.

use std::collections::BTreeSet;

use super::shape::{ObjectShape, Shape};

/// Folds objects into those around them that they are like, from the outside in.
pub(super) fn fold(shape: &mut Shape) {
    if shape.object.is_some() {
        while let Some((inner, levels)) = shape.object.as_mut().and_then(|object| take_similar(object)) {
            debug_assert!(levels > 0);
            if let Some(object) = shape.object.as_mut() {
                object.join(*inner);
            }
        }
    }
    if let Some(object) = shape.object.as_mut() {
        object.fields.values_mut().for_each(|field| fold(&mut field.shape));
        fold(&mut object.others);
    }
    if let Some(array) = shape.array.as_mut() {
        fold(&mut array.items);
    }
}

/// The first object below this one that is like it, taken out of its place.
fn take_similar(outer: &mut ObjectShape) -> Option<(Box<ObjectShape>, usize)> {
    let names: BTreeSet<String> = outer.fields.keys().cloned().collect();
    if names.len() < 2 {
        return None;
    }
    let below = outer.fields.values_mut().map(|field| &mut field.shape).chain([&mut outer.others]);
    below.into_iter().find_map(|shape| take_below(shape, &names, 0))
}

fn take_below(shape: &mut Shape, names: &BTreeSet<String>, levels: usize) -> Option<(Box<ObjectShape>, usize)> {
    if shape.object.as_ref().is_some_and(|object| is_similar(object, names)) {
        shape.same_as = Some(levels);
        return shape.object.take().map(|object| (object, levels + 1));
    }
    if let Some(found) = shape.array.as_mut().and_then(|array| take_below(&mut array.items, names, levels)) {
        return Some(found);
    }
    let object = shape.object.as_mut()?;
    let below = object.fields.values_mut().map(|field| &mut field.shape).chain([&mut object.others]);
    below.into_iter().find_map(|shape| take_below(shape, names, levels + 1))
}

/// At least seven in ten of all names in common, and at least two.
fn is_similar(object: &ObjectShape, names: &BTreeSet<String>) -> bool {
    let common = object.fields.keys().filter(|name| names.contains(*name)).count();
    let all = object.fields.len() + names.len() - common;
    common >= 2 && common * 10 >= all * 7
}
