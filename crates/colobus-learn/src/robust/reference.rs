//! Values that come back: parameters that the answer repeats (`! echo`) and parameters whose values come from other answers
//! (`! reference`).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::operation::Draft;
use super::sample::{Content, Sample};
use crate::language::{Alternative, Cardinality, Datatype, Description, Echo, Operation, Reference, Router};
use crate::schema::Schemas;
use crate::schema::format::is_token;
use crate::secret::Secrets;

const DEEPEST: usize = 6;
/// Places that one value is looked for at: a `1` is everywhere and says nothing.
const MOST_PLACES: usize = 64;

/// Values of each parameter, with the sample they come from.
type Values = BTreeMap<String, Vec<(usize, String)>>;

/// Where a value was seen: the file of the answer and a pointer.
type Place = (String, String);

pub(super) fn add(operations: &mut [Operation], drafts: &[Draft], samples: &[Sample], secrets: &Secrets) {
    let values: Vec<Values> =
        operations.iter().zip(drafts).map(|(operation, draft)| values(operation, draft, samples)).collect();
    let wanted: HashSet<&str> =
        values.iter().flat_map(BTreeMap::values).flatten().map(|(_, value)| value.as_str()).collect();
    let mut places: HashMap<&str, BTreeSet<Place>> = HashMap::new();
    for (operation, draft) in operations.iter().zip(drafts) {
        for number in &draft.samples {
            let (Some(file), Content::Json { value, .. }) =
                (file_of(operation, samples[*number].status), &samples[*number].answer)
            else {
                continue;
            };
            scan(value, &mut String::new(), 0, secrets, &mut |pointer, text| {
                if let Some(known) = wanted.get(text) {
                    let found = places.entry(known).or_default();
                    if found.len() < MOST_PLACES {
                        found.insert((file.clone(), pointer.to_string()));
                    }
                }
            });
        }
    }
    for (operation, values) in operations.iter_mut().zip(&values) {
        let own = file_of(operation, 200);
        for (name, seen) in values {
            operation.extensions.echoes.extend(echo(name, seen, samples, secrets));
            operation.extensions.references.extend(source(name, seen, &places, own.as_deref()));
        }
    }
}

/// The schema file of successful JSON answers with this status.
fn file_of(operation: &Operation, status: u16) -> Option<String> {
    let answers = operation.extensions.answers.iter();
    let mut of_status = answers.filter(|answer| answer.status == status && (200..300).contains(&status));
    of_status.find_map(|answer| match answer.datatype.0.as_slice() {
        [Alternative::Json(file)] => Some(file.clone()),
        _ => None,
    })
}

fn values(operation: &Operation, draft: &Draft, samples: &[Sample]) -> Values {
    let description = Description { operations: vec![operation.clone()], ..Description::default() };
    let router = Router::new(&description);
    let free: Vec<&String> = operation
        .parameters
        .iter()
        .filter(|parameter| parameter.datatype == Datatype::any() && parameter.cardinality != Cardinality::Many)
        .map(|parameter| &parameter.name)
        .collect();
    let mut values = Values::new();
    for number in &draft.samples {
        let request = &samples[*number].request;
        let Some(found) = router.select(&description, &Schemas::default(), request) else { continue };
        let query = request.parameters.iter().filter(|(name, _)| free.contains(&name)).cloned();
        for (name, value) in found.values.into_iter().chain(query) {
            if !Secrets::is_secret_name(&name) && !value.is_empty() {
                values.entry(name).or_default().push((*number, value));
            }
        }
    }
    values
}

/// The first place at which every answer repeats the parameter.
fn echo(name: &str, seen: &[(usize, String)], samples: &[Sample], secrets: &Secrets) -> Option<Echo> {
    let mut common: Option<BTreeSet<String>> = None;
    let mut distinct: BTreeSet<&String> = BTreeSet::new();
    for (number, wanted) in seen {
        let Content::Json { value, .. } = &samples[*number].answer else { continue };
        if !samples[*number].succeeded() {
            continue;
        }
        distinct.insert(wanted);
        let mut here = BTreeSet::new();
        scan(value, &mut String::new(), 0, secrets, &mut |pointer, text| {
            if text == wanted && !pointer.contains("/*") {
                here.insert(pointer.to_string());
            }
        });
        common = Some(match common {
            Some(before) => before.intersection(&here).cloned().collect(),
            None => here,
        });
    }
    let pointers = common.filter(|_| distinct.len() >= 2)?;
    let pointer = pointers.into_iter().min_by_key(|pointer| (pointer.matches('/').count(), pointer.clone()))?;
    Some(Echo { parameter: name.to_string(), pointer })
}

/// The place in answers of other operations that most values come from: at least two, and at least six in ten.
fn source(
    name: &str,
    seen: &[(usize, String)],
    places: &HashMap<&str, BTreeSet<Place>>,
    own: Option<&str>,
) -> Option<Reference> {
    let distinct: BTreeSet<&String> = seen.iter().map(|(_, value)| value).collect();
    let mut votes: BTreeMap<&Place, usize> = BTreeMap::new();
    for value in &distinct {
        for place in places.get(value.as_str()).into_iter().flatten() {
            *votes.entry(place).or_default() += 1;
        }
    }
    let elsewhere = votes.into_iter().filter(|((file, _), _)| Some(file.as_str()) != own);
    let rank = |((file, pointer), count): &(&Place, usize)| {
        (
            std::cmp::Reverse(*count),
            !pointer.to_ascii_lowercase().contains(&name.to_ascii_lowercase()) && !pointer.ends_with("/id"),
            pointer.len(),
            file.clone(),
        )
    };
    let ((file, pointer), count) = elsewhere.min_by_key(rank)?;
    let enough = count >= 2 && count * 10 >= distinct.len() * 6;
    enough.then(|| Reference { parameter: name.to_string(), file: file.clone(), pointer: pointer.clone() })
}

/// Tells every text and number of a value with its pointer; `*` stands for elements of lists.
fn scan(value: &Value, pointer: &mut String, depth: usize, secrets: &Secrets, tell: &mut impl FnMut(&str, &str)) {
    if depth > DEEPEST {
        return;
    }
    let length = pointer.len();
    match value {
        Value::String(text) => tell(pointer, text),
        Value::Number(number) => tell(pointer, &number.to_string()),
        Value::Array(items) => {
            pointer.push_str("/*");
            items.iter().for_each(|item| scan(item, pointer, depth + 1, secrets, tell));
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                if !is_token(name) && !secrets.hides(name) && !Secrets::is_secret_name(name) {
                    pointer.push('/');
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                    scan(value, pointer, depth + 1, secrets, tell);
                    pointer.truncate(length);
                }
            }
        }
        _ => {}
    }
    pointer.truncate(length);
}
