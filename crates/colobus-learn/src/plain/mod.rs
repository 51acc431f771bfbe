//! The learning algorithm of the thesis (sections 6.2.2 and 10.4) to the letter. Produces a plain description whose
//! patterns are disjoint; [`robust`](crate::robust) is the one for real traffic.
//!
//! Where the thesis is open: the method is part of the signature (chapter 6), arrays stay arrays (chapter 6), splitting
//! one cluster into n pieces costs n - 1. Two things are not in the thesis: a parameter that occurs several times in one
//! request becomes `+` and leaves the signature, and values that are secret are never constants.

mod abstraction;
mod partition;

use std::collections::{BTreeMap, BTreeSet};

pub use abstraction::Abstraction;
pub use partition::{Cost, Partition, Sample, TooManyFeatures, cost};

use crate::exchange::Exchange;
use crate::language::{Cardinality, Datatype, Description, Fragment, Operation, Parameter};
use crate::learned::{Learned, file_names, origin_of_most};
use crate::request::Request;
use crate::schema::Schemas;
use crate::secret::Secrets;
use partition::best;

/// What requests must have in common to be one pattern.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Signature {
    method: String,
    fragments: usize,
    parameters: BTreeSet<String>,
}

/// Learns a plain description.
pub fn learn(exchanges: &[Exchange]) -> Result<Learned, TooManyFeatures> {
    let (base, kept) = origin_of_most(exchanges);
    let secrets = Secrets::of(exchanges);
    let requests: Vec<(Request, Abstraction)> =
        kept.iter().map(|exchange| (Request::of(exchange), Abstraction::of(exchange, &secrets))).collect();
    let repeated = repeated_names(&requests);

    let mut signatures: BTreeMap<Signature, Vec<Sample>> = BTreeMap::new();
    for (request, abstraction) in &requests {
        let many = repeated.get(&(request.method.clone(), request.path.len()));
        let is_single = |name: &String| many.is_none_or(|many| !many.contains(name));
        let single: BTreeMap<&String, &String> =
            request.parameters.iter().map(|(name, value)| (name, value)).filter(|(name, _)| is_single(name)).collect();
        let signature = Signature {
            method: request.method.clone(),
            fragments: request.path.len(),
            parameters: single.keys().map(|name| (*name).clone()).collect(),
        };
        let features = request.path.iter().chain(single.into_values()).cloned().collect();
        signatures.entry(signature).or_default().push(Sample { features, cluster: abstraction.clone() });
    }

    let mut found: Vec<(Operation, BTreeSet<Abstraction>)> = Vec::new();
    for (signature, samples) in &signatures {
        let forbidden = |feature: usize| {
            let name = feature.checked_sub(signature.fragments).and_then(|at| signature.parameters.iter().nth(at));
            name.is_some_and(|name| Secrets::is_secret_name(name))
                || samples.iter().any(|sample| secrets.forbids_constant(&sample.features[feature]))
        };
        let partition = best(samples, &forbidden).map_err(|count| TooManyFeatures {
            method: signature.method.clone(),
            fragments: signature.fragments,
            count,
        })?;
        let many = repeated.get(&(signature.method.clone(), signature.fragments));
        for (values, clusters) in partition.groups(samples) {
            found.push((operation(signature, &values, many), clusters));
        }
    }
    Ok(describe(base, found, exchanges.len() - kept.len()))
}

/// Names of parameters that some request repeats, by method and length of the path.
fn repeated_names(requests: &[(Request, Abstraction)]) -> BTreeMap<(String, usize), BTreeSet<String>> {
    let mut repeated: BTreeMap<(String, usize), BTreeSet<String>> = BTreeMap::new();
    for (request, _) in requests {
        let mut seen = BTreeSet::new();
        let twice = request.parameters.iter().filter(|(name, _)| !seen.insert(name));
        for (name, _) in twice {
            repeated.entry((request.method.clone(), request.path.len())).or_default().insert(name.clone());
        }
    }
    repeated
}

/// A pattern from the values of a group: `None` is a wildcard.
fn operation(signature: &Signature, values: &[Option<String>], many: Option<&BTreeSet<String>>) -> Operation {
    let datatype = |value: &Option<String>| value.as_ref().map_or_else(Datatype::any, |text| Datatype::constant(text));
    let path = values[..signature.fragments].iter().map(|value| match value {
        Some(text) => Fragment::Constant(text.clone()),
        None => Fragment::Value { name: None, datatype: Datatype::any() },
    });
    let single = signature.parameters.iter().zip(&values[signature.fragments..]).map(|(name, value)| Parameter {
        name: name.clone(),
        cardinality: Cardinality::One,
        datatype: datatype(value),
    });
    let repeated = many.into_iter().flatten().map(|name| Parameter {
        name: name.clone(),
        cardinality: Cardinality::Many,
        datatype: Datatype::any(),
    });
    Operation {
        method: signature.method.clone(),
        path: path.collect(),
        parameters: single.chain(repeated).collect(),
        ..Operation::default()
    }
}

fn describe(base: String, found: Vec<(Operation, BTreeSet<Abstraction>)>, elsewhere: usize) -> Learned {
    let names = file_names(found.iter().map(|(operation, _)| operation));
    let mut schemas = Schemas::default();
    let mut operations = Vec::new();
    for ((mut operation, clusters), name) in found.into_iter().zip(names) {
        let file = format!("{name}.json");
        operation.response = abstraction::datatype(&clusters, &file);
        if let Some(schema) = abstraction::schema(&clusters) {
            schemas.json.insert(file, schema);
        }
        operations.push(operation);
    }
    let mut learned =
        Learned { description: Description { base, operations, channels: Vec::new() }, schemas, ..Learned::default() };
    if elsewhere > 0 {
        learned.notes.push(format!("{elsewhere} exchanges with other servers, or without a body, were left out"));
    }
    learned
}
