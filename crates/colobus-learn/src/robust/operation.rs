//! [`Draft`]: an operation with its samples; patterns, answers and schemas are written from these.

use std::collections::{BTreeMap, BTreeSet};

use super::dispatch::Part;
use super::sample::{Content, Sample};
use super::trie::Segment;
use super::words::singular;
use crate::language::{
    Alternative, Answer, Cardinality, Content as Described, Datatype, Fragment, Operation, Parameter,
};
use crate::schema::{Schemas, Shape, schema_of};

#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub operation: Operation,
    /// Numbers of samples, in order.
    pub samples: Vec<usize>,
    constants: Vec<(String, String)>,
}

impl Draft {
    pub(super) fn new(method: &str, segments: &[Segment], part: Part, samples: &[Sample]) -> Draft {
        let (path, rest) = path(segments);
        let mut operation = Operation { method: method.to_string(), path, ..Operation::default() };
        operation.extensions.rest = rest;
        operation.extensions.conditions = part.conditions;
        Draft { operation, samples: Vec::new(), constants: part.constants }.with_samples(part.samples, samples)
    }

    pub(super) fn with_samples(mut self, numbers: Vec<usize>, samples: &[Sample]) -> Draft {
        self.operation.parameters = parameters(&numbers, samples, &self.constants);
        self.samples = numbers;
        self
    }

    pub(super) fn path_text(&self) -> String {
        self.operation.path.iter().map(ToString::to_string).collect::<Vec<_>>().join("/")
    }
}

/// Fragments with names: a value is called after the collection before it.
fn path(segments: &[Segment]) -> (Vec<Fragment>, Option<String>) {
    let mut taken = BTreeSet::new();
    let mut rest = None;
    let mut before = "";
    let mut path = Vec::new();
    for segment in segments {
        let stem = match segment {
            Segment::Constant(text) => {
                before = text;
                path.push(Fragment::Constant(text.clone()));
                continue;
            }
            Segment::Value => singular(before),
            Segment::Rest => "path".to_string(),
        };
        let name = std::iter::once(stem.clone())
            .chain((2..).map(|number| format!("{stem}_{number}")))
            .find(|name| !taken.contains(name));
        let name = name.unwrap_or(stem);
        taken.insert(name.clone());
        if *segment == Segment::Rest {
            rest = Some(name.clone());
        }
        path.push(Fragment::wildcard(&name));
    }
    (path, rest)
}

/// Every parameter that a sample has: optional if others lack it, repeated if one repeats it.
fn parameters(numbers: &[usize], samples: &[Sample], constants: &[(String, String)]) -> Vec<Parameter> {
    let mut counts: BTreeMap<&String, (usize, usize)> = BTreeMap::new();
    for number in numbers {
        let mut of_one: BTreeMap<&String, usize> = BTreeMap::new();
        samples[*number].request.parameters.iter().for_each(|(name, _)| *of_one.entry(name).or_default() += 1);
        for (name, count) in of_one {
            let (requests, most) = counts.entry(name).or_default();
            *requests += 1;
            *most = (*most).max(count);
        }
    }
    let parameter = |(name, (requests, most)): (&String, (usize, usize))| {
        let constant = constants.iter().find(|(found, _)| found == name).map(|(_, value)| Datatype::constant(value));
        let cardinality = match () {
            () if constant.is_some() => Cardinality::One,
            () if most > 1 => Cardinality::Many,
            () if requests < numbers.len() => Cardinality::Optional,
            () => Cardinality::One,
        };
        Parameter { name: name.clone(), cardinality, datatype: constant.unwrap_or_else(Datatype::any) }
    };
    counts.into_iter().map(parameter).collect()
}

/// The whole operation, with schemas for its answers and bodies.
pub(super) fn finish(draft: &Draft, name: &str, samples: &[Sample], schemas: &mut Schemas) -> Operation {
    let mut operation = draft.operation.clone();
    let own = || draft.samples.iter().map(|number| &samples[*number]);
    operation.extensions.answers = answers(own(), name, schemas);
    operation.response = response(&operation.extensions.answers);
    operation.extensions.bodies = bodies(own(), name, schemas);
    operation.extensions.auth = auth(own());
    operation
}

fn answers<'a>(samples: impl Iterator<Item = &'a Sample> + Clone, name: &str, schemas: &mut Schemas) -> Vec<Answer> {
    let mut shapes: BTreeMap<u16, Shape> = BTreeMap::new();
    let mut kinds: BTreeSet<(u16, Option<String>, bool)> = BTreeSet::new();
    for sample in samples {
        let (media, json) = match &sample.answer {
            Content::Void => (None, false),
            Content::Other { media } => (Some(media.clone()), false),
            Content::Json { media, shape, .. } => {
                shapes.entry(sample.status).or_default().join(shape.clone());
                (Some(media.clone()), true)
            }
        };
        kinds.insert((sample.status, media, json));
    }
    let first_success = shapes.keys().copied().find(|status| (200..300).contains(status));
    let file = |status: u16| {
        if Some(status) == first_success { format!("{name}.json") } else { format!("{name}_{status}.json") }
    };
    for (status, shape) in &shapes {
        schemas.json.insert(file(*status), schema_of(shape));
    }
    let answer = |(status, content_type, json): (u16, Option<String>, bool)| {
        let datatype = match (&content_type, json) {
            (None, _) => Datatype::void(),
            (Some(_), true) => Datatype::json(&file(status)),
            (Some(_), false) => Datatype::any(),
        };
        Answer { status, content_type, datatype }
    };
    kinds.into_iter().map(answer).collect()
}

/// The plain response: what successful answers consist of; all answers if none was successful.
fn response(answers: &[Answer]) -> Datatype {
    let successful = answers.iter().any(|answer| (200..300).contains(&answer.status));
    let counted = answers.iter().filter(|answer| !successful || (200..300).contains(&answer.status));
    let alternatives: BTreeSet<Alternative> = counted.flat_map(|answer| answer.datatype.0.clone()).collect();
    // Schemas first, as people write it.
    let mut alternatives: Vec<Alternative> = alternatives.into_iter().collect();
    alternatives.sort_by_key(|alternative| !matches!(alternative, Alternative::Json(_)));
    Datatype(alternatives)
}

fn bodies<'a>(samples: impl Iterator<Item = &'a Sample>, name: &str, schemas: &mut Schemas) -> Vec<Described> {
    let mut shape = Shape::default();
    let mut types: BTreeSet<(String, bool)> = BTreeSet::new();
    for sample in samples {
        let Some(content_type) = sample.body_type.clone().filter(|content_type| !content_type.is_empty()) else {
            continue;
        };
        types.insert((content_type, sample.body.is_some()));
        if let Some(body) = &sample.body {
            shape.join(body.clone());
        }
    }
    let file = format!("{name}_body.json");
    if types.iter().any(|(_, json)| *json) {
        schemas.json.insert(file.clone(), schema_of(&shape));
    }
    let body = |(content_type, json): (String, bool)| Described {
        content_type,
        datatype: if json { Datatype::json(&file) } else { Datatype::any() },
    };
    types.into_iter().map(body).collect()
}

/// Schemes that every successful request used.
fn auth<'a>(samples: impl Iterator<Item = &'a Sample>) -> Vec<String> {
    let schemes: BTreeSet<Option<String>> =
        samples.filter(|sample| sample.succeeded()).map(|sample| sample.auth.clone()).collect();
    if schemes.contains(&None) { Vec::new() } else { schemes.into_iter().flatten().collect() }
}
