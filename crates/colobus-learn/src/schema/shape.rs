//! [`Shape`]: what is known about the values at one place. Joining shapes is commutative and associative, so the order of
//! samples does not matter. Produced from answers and bodies, consumed by the schema printer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::format::{Format, is_token};
use crate::secret::Secrets;

/// Examples kept at one place: the smallest ones, so that the choice does not depend on order.
const MOST_EXAMPLES: usize = 8;
const LONGEST_EXAMPLE: usize = 60;
/// More field names than this are data.
const MOST_FIELDS: usize = 400;

/// Everything seen at one place. An absent part has not been seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    pub null: bool,
    pub boolean: bool,
    pub number: Option<NumberShape>,
    pub string: Option<StringShape>,
    pub object: Option<Box<ObjectShape>>,
    pub array: Option<Box<ArrayShape>>,
    /// The same as the object this many objects further out; 0 is the nearest.
    pub same_as: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct NumberShape {
    pub integer: bool,
    pub examples: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StringShape {
    /// The format of all of them.
    pub format: Option<Format>,
    /// A password, token or the like: no value of it is kept.
    pub secret: bool,
    pub examples: BTreeSet<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectShape {
    pub count: usize,
    pub fields: BTreeMap<String, Field>,
    /// Values whose names are tokens or too many to be names.
    pub others: Shape,
    /// True if there are too many names.
    pub overflown: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    pub present: usize,
    pub shape: Shape,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArrayShape {
    /// Nothing is known about the elements of lists that were all empty.
    pub items: Shape,
    pub seen_empty: bool,
}

impl Shape {
    /// The shape of one value.
    pub fn of(value: &Value, secrets: &Secrets) -> Shape {
        Shape::inside(value, secrets, false)
    }

    fn inside(value: &Value, secrets: &Secrets, secret: bool) -> Shape {
        let mut shape = Shape::default();
        match value {
            Value::Null => shape.null = true,
            Value::Bool(_) => shape.boolean = true,
            Value::Number(number) => {
                let integer = number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|n| n.fract() == 0.0);
                let text = number.to_string();
                let examples = if secret || secrets.hides(&text) { BTreeSet::new() } else { BTreeSet::from([text]) };
                shape.number = Some(NumberShape { integer, examples });
            }
            Value::String(text) => {
                let kept =
                    !secret && text.chars().count() <= LONGEST_EXAMPLE && !is_token(text) && !secrets.hides(text);
                let examples = if kept { BTreeSet::from([text.clone()]) } else { BTreeSet::new() };
                let format = if secret { None } else { Format::of(text) };
                shape.string = Some(StringShape { format, secret, examples });
            }
            Value::Array(values) => {
                let mut items = Shape::default();
                values.iter().for_each(|value| items.join(Shape::inside(value, secrets, secret)));
                shape.array = Some(Box::new(ArrayShape { items, seen_empty: values.is_empty() }));
            }
            Value::Object(values) => {
                let mut object = ObjectShape { count: 1, ..ObjectShape::default() };
                for (name, value) in values {
                    let field = Shape::inside(value, secrets, secret || Secrets::is_secret_name(name));
                    if is_token(name) || secrets.hides(name) {
                        object.others.join(field);
                    } else {
                        object.fields.insert(name.clone(), Field { present: 1, shape: field });
                    }
                }
                object.fold_names();
                shape.object = Some(Box::new(object));
            }
        }
        shape
    }

    /// True if nothing was seen.
    pub fn is_empty(&self) -> bool {
        *self == Shape::default()
    }

    /// Adds what another shape knows.
    pub fn join(&mut self, other: Shape) {
        self.null |= other.null;
        self.boolean |= other.boolean;
        self.same_as = match (self.same_as, other.same_as) {
            (Some(mine), Some(theirs)) => Some(mine.max(theirs)),
            (mine, theirs) => mine.or(theirs),
        };
        join_options(&mut self.number, other.number, |mine, theirs| {
            mine.integer &= theirs.integer;
            mine.examples.extend(theirs.examples);
            shorten(&mut mine.examples);
        });
        join_options(&mut self.string, other.string, |mine, theirs| {
            mine.format = if mine.format == theirs.format { mine.format } else { None };
            mine.secret |= theirs.secret;
            mine.examples.extend(theirs.examples);
            shorten(&mut mine.examples);
        });
        join_options(&mut self.array, other.array, |mine, theirs| {
            mine.items.join(theirs.items);
            mine.seen_empty |= theirs.seen_empty;
        });
        join_options(&mut self.object, other.object, |mine, theirs| mine.join(*theirs));
    }

    /// How many different field names there are, at all depths.
    pub fn weight(&self) -> usize {
        let object = self.object.as_ref().map_or(0, |object| {
            object.fields.values().map(|field| 1 + field.shape.weight()).sum::<usize>() + object.others.weight()
        });
        object + self.array.as_ref().map_or(0, |array| array.items.weight())
    }

    /// True if two shapes may be of one kind. Null, absence and empty lists are evidence against nothing.
    pub fn is_like(&self, other: &Shape) -> bool {
        let kinds = |shape: &Shape| {
            [
                shape.boolean,
                shape.number.is_some(),
                shape.string.is_some(),
                shape.object.is_some(),
                shape.array.is_some(),
            ]
        };
        let (mine, theirs) = (kinds(self), kinds(other));
        if !mine.contains(&true) || !theirs.contains(&true) {
            return true;
        }
        let common = mine.iter().zip(theirs).any(|(mine, theirs)| *mine && theirs);
        let objects = match (&self.object, &other.object) {
            (Some(mine), Some(theirs)) => mine.is_like(theirs),
            _ => true,
        };
        let arrays = match (&self.array, &other.array) {
            (Some(mine), Some(theirs)) => mine.items.is_like(&theirs.items),
            _ => true,
        };
        common && objects && arrays
    }
}

fn join_options<T>(mine: &mut Option<T>, theirs: Option<T>, join: impl FnOnce(&mut T, T)) {
    match (mine.as_mut(), theirs) {
        (Some(mine), Some(theirs)) => join(mine, theirs),
        (None, Some(theirs)) => *mine = Some(theirs),
        (_, None) => {}
    }
}

fn shorten(examples: &mut BTreeSet<String>) {
    while examples.len() > MOST_EXAMPLES {
        examples.pop_last();
    }
}

impl ObjectShape {
    pub(super) fn join(&mut self, other: ObjectShape) {
        self.count += other.count;
        self.others.join(other.others);
        self.overflown |= other.overflown;
        for (name, field) in other.fields {
            let mine = self.fields.entry(name).or_default();
            mine.present += field.present;
            mine.shape.join(field.shape);
        }
        self.fold_names();
    }

    /// Beyond the limit every name counts as data.
    fn fold_names(&mut self) {
        self.overflown |= self.fields.len() > MOST_FIELDS;
        if self.overflown {
            for (_, field) in std::mem::take(&mut self.fields) {
                self.others.join(field.shape);
            }
        }
    }

    /// Half of all names in common, and no common field of another kind.
    fn is_like(&self, other: &ObjectShape) -> bool {
        let common: Vec<&String> = self.fields.keys().filter(|name| other.fields.contains_key(*name)).collect();
        let all = self.fields.len() + other.fields.len() - common.len();
        let kinds = common.iter().filter(|name| self.fields[**name].shape.is_like(&other.fields[**name].shape)).count();
        all == 0 || (common.len() * 2 >= all && kinds * 10 >= common.len() * 8)
    }

    /// True if the field was in every object.
    pub fn is_required(&self, field: &Field) -> bool {
        field.present == self.count
    }
}
