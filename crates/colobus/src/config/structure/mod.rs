//! Compares a file with the schema of [`super::file::File`] and says everything that does not fit, each at its place:
//! unknown keys, missing keys, wrong types, values outside a choice or a range.
//!
//! serde would stop at the first of them and say of an untagged enum only that nothing matched. The schema knows all
//! keys and their meaning, so that one walk serves every table of the file.

mod wording;

use std::ops::Range;

use colobus_model::{Chord, ChordError};
use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::nearest::{did_you_mean, nearest};
use super::problem::Problem;
use wording::{expectation, found, list};

/// Everything in `tree` that is not as `schema` says.
pub fn compare(schema: &Value, tree: &Spanned<DeTable<'_>>) -> Vec<Problem> {
    let mut walk = Walk { schema, problems: Vec::new() };
    let alternatives = walk.alternatives(schema);
    let place = Named { name: "the file".to_string(), note: None, span: tree.span() };
    walk.table(&alternatives, tree.get_ref(), &place);
    walk.problems
}

struct Walk<'a> {
    schema: &'a Value,
    problems: Vec<Problem>,
}

/// What messages call a value, and where it is.
struct Named {
    name: String,
    /// What the schema says about it.
    note: Option<String>,
    span: Range<usize>,
}

impl Named {
    /// The value of a key, whose meaning stands in `schema`.
    fn key(key: &str, schema: &Value, span: Range<usize>) -> Named {
        let note = schema["description"].as_str().map(|text| format!("{key}: {}", text.replace('\n', " ")));
        Named { name: format!("`{key}`"), note, span }
    }

    fn item(&self, index: usize, span: Range<usize>) -> Named {
        Named { name: format!("item {} of {}", index + 1, self.name), note: self.note.clone(), span }
    }

    fn problem(&self, message: String) -> Problem {
        Problem { note: self.note.clone(), ..Problem::new(self.span.clone(), message) }
    }
}

impl<'a> Walk<'a> {
    fn value(&mut self, schema: &'a Value, value: &DeValue<'_>, place: &Named) {
        let alternatives = self.alternatives(schema);
        let fitting: Vec<&Value> = alternatives.iter().copied().filter(|a| kind(a) == kind_of(value)).collect();
        match value {
            _ if fitting.is_empty() => {
                let expected = expectation(&alternatives);
                let message = format!("{} must be {expected}, not {}", place.name, found(value));
                let mut problem = place.problem(message);
                if value.is_table() && alternatives.iter().any(|a| kind(a) == "array") {
                    problem = problem.label("one item needs brackets as well: [[header]] or [{ … }]");
                }
                self.problems.push(problem);
            }
            DeValue::String(text) => self.choice(&fitting, text, place),
            DeValue::Integer(number) => self.range(fitting[0], number, place),
            DeValue::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(&fitting[0]["items"], item.get_ref(), &place.item(index, item.span()));
                }
            }
            DeValue::Table(table) => self.table(&fitting, table, place),
            _ => {}
        }
    }

    fn table(&mut self, alternatives: &[&'a Value], table: &DeTable<'_>, place: &Named) {
        let known: Vec<(&'a str, &'a Value)> =
            alternatives.iter().flat_map(|a| properties(a)).map(|(k, v)| (k.as_str(), v)).collect();
        let names = || known.iter().map(|(name, _)| *name);
        let mut meant = Vec::new();
        for (key, value) in table {
            let property = known.iter().find(|(name, _)| *name == key.get_ref()).map(|(_, schema)| *schema);
            let free = alternatives.iter().map(|a| &a["additionalProperties"]).find(|a| a.is_object());
            match property.or(free) {
                Some(schema) => {
                    let inner = Named::key(key.get_ref(), schema, value.span());
                    self.value(schema, value.get_ref(), &inner);
                }
                None => {
                    meant.extend(nearest(key.get_ref(), names()));
                    let label = did_you_mean(key.get_ref(), names())
                        .unwrap_or_else(|| format!("{} knows {}", place.name, list(names(), "and")));
                    let problem = Problem::new(key.span(), format!("unknown key `{}`", key.get_ref()));
                    self.problems.push(problem.label(label));
                }
            }
        }
        let has = |name: &str| table.contains_key(name);
        let given: Vec<&str> = names().filter(|name| has(name)).collect();
        let fitting: Vec<&Value> = alternatives
            .iter()
            .copied()
            .filter(|a| given.iter().all(|name| a["properties"].get(name).is_some()))
            .collect();
        match fitting[..] {
            [] => {
                let message = format!("{} exclude each other: choose one", list(given, "and"));
                self.problems.push(place.problem(message));
            }
            [only] => {
                // A user who mistyped a key has not forgotten it.
                let missing: Vec<&str> = required(only).filter(|name| !has(name) && !meant.contains(name)).collect();
                if !missing.is_empty() {
                    self.problems.push(missing_keys(&missing, only, place));
                }
            }
            _ if table.is_empty() => {
                let label = format!("give one of {}", list(names(), "and"));
                self.problems.push(place.problem(format!("{} is empty", place.name)).label(label));
            }
            // An unknown key, which was reported, stands for the one that is missing.
            _ if given.len() < table.len() => {}
            // Of several that could be meant, the one that needs the least more.
            _ => {
                let missing = |a: &&'a Value| required(a).filter(|name| !has(name)).collect::<Vec<&str>>();
                let nearest = fitting.iter().min_by_key(|a| missing(a).len());
                if let Some((only, missing)) = nearest.map(|only| (only, missing(only))).filter(|(_, m)| !m.is_empty())
                {
                    self.problems.push(missing_keys(&missing, only, place));
                }
            }
        }
    }

    fn choice(&mut self, fitting: &[&Value], text: &str, place: &Named) {
        if fitting.iter().any(|a| a["format"] == Chord::FORMAT) {
            if let Err(error) = text.parse::<Chord>() {
                let problem = Problem::new(place.span.clone(), error.problem());
                self.problems.push(Problem { note: Some(ChordError::advice()), ..problem });
            }
            return;
        }
        let choices: Vec<&str> = fitting.iter().flat_map(|a| words(a)).collect();
        let anything = fitting.iter().any(|a| words(a).is_empty());
        if !anything && !choices.contains(&text) {
            let message = format!("`{text}` is nothing that {} can be", place.name);
            let label = did_you_mean(text, choices.iter().copied())
                .unwrap_or_else(|| format!("choose one of {}", list(choices, "and")));
            self.problems.push(place.problem(message).label(label));
        }
    }

    fn range(&mut self, schema: &Value, number: &DeInteger<'_>, place: &Named) {
        let value = i64::from_str_radix(number.as_str(), number.radix()).unwrap_or(i64::MAX);
        let limit = |name| schema[name].as_i64();
        let minimum = limit("minimum").unwrap_or(i64::MIN);
        let maximum = limit("maximum").unwrap_or(match schema["format"].as_str() {
            Some("uint32") => i64::from(u32::MAX),
            _ => i64::MAX - 1,
        });
        let message = if value < minimum {
            format!("{} must be at least {minimum}", place.name)
        } else if value > maximum {
            format!("{} must be at most {maximum}", place.name)
        } else {
            return;
        };
        self.problems.push(place.problem(message));
    }

    /// The schemas of which a value has to fit one, references and unions resolved.
    fn alternatives(&self, schema: &'a Value) -> Vec<&'a Value> {
        if let Some(reference) = schema["$ref"].as_str() {
            let target = self.schema.pointer(reference.trim_start_matches('#'));
            return target.map(|target| self.alternatives(target)).unwrap_or_default();
        }
        match schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) {
            Some(union) => union.iter().flat_map(|schema| self.alternatives(schema)).collect(),
            None => vec![schema],
        }
    }
}

fn missing_keys(missing: &[&str], schema: &Value, place: &Named) -> Problem {
    let message = format!("{} needs {}", place.name, list(missing.iter().copied(), "and"));
    let note = missing.first().and_then(|name| Named::key(name, &schema["properties"][name], 0..0).note);
    Problem { note, ..Problem::new(place.span.clone(), message) }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flat_map(Map::iter)
}

fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "string",
        DeValue::Integer(_) => "integer",
        DeValue::Float(_) => "number",
        DeValue::Boolean(_) => "boolean",
        DeValue::Datetime(_) => "datetime",
        DeValue::Array(_) => "array",
        DeValue::Table(_) => "object",
    }
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The texts that a schema allows; none if it allows all.
fn words(schema: &Value) -> Vec<&str> {
    let listed = schema["enum"].as_array().into_iter().flatten();
    listed.chain(schema.get("const")).filter_map(Value::as_str).collect()
}

fn kind(schema: &Value) -> &str {
    schema["type"].as_str().unwrap_or_default()
}
