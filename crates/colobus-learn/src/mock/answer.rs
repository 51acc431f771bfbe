//! Answers made up from datatypes, and parameters that answers repeat.

use serde_json::{Value, json};

use super::{Options, Reply, schema_file};
use crate::language::{Alternative, Datatype, Match};
use crate::request::Request;
use crate::schema::{Generator, Schemas, valid};
use colobus_random::Random;

/// An answer of this type. The description was checked: a schema that has no instance does not get here.
pub(super) fn make_up(
    status: u16,
    content_type: Option<String>,
    datatype: &Datatype,
    schemas: &Schemas,
    random: &mut Random,
    options: &Options,
) -> Reply {
    match random.pick(&datatype.0) {
        None | Some(Alternative::Void) => Reply::empty(if status == 200 { 204 } else { status }),
        Some(Alternative::Constant(text)) => text_reply(status, content_type, text.clone()),
        Some(Alternative::Any) => {
            let text = filler(content_type.as_deref().unwrap_or_default(), random);
            text_reply(status, content_type, text)
        }
        Some(Alternative::Rng { file, definition }) => {
            let grammar = schemas.grammars.get(file);
            let mut random = Random::new(random.number());
            let instance = grammar.and_then(|grammar| {
                grammar.instance(definition.as_deref(), &mut random, options.preference, &options.constants)
            });
            let text = instance.unwrap_or_default();
            let xml = text.starts_with('<').then(|| "application/xml".to_string());
            text_reply(status, content_type.or(xml), text)
        }
        Some(Alternative::Json(file)) => {
            let mut generator =
                Generator::new(Random::new(random.number()), options.preference).with_constants(&options.constants);
            let instance = schemas.node(file).and_then(|node| generator.instance(node).ok()).unwrap_or(Value::Null);
            let body = instance.to_string().into_bytes();
            let content_type = content_type.or_else(|| Some("application/json".to_string()));
            Reply { status, content_type, body, delay_ms: 0, operation: None }
        }
    }
}

fn text_reply(status: u16, content_type: Option<String>, text: String) -> Reply {
    let content_type = content_type.or_else(|| Some("text/plain; charset=utf-8".to_string()));
    Reply { status, content_type, body: text.into_bytes(), delay_ms: 0, operation: None }
}

/// Content of a type that no schema describes.
fn filler(content_type: &str, random: &mut Random) -> String {
    let number = random.below(1000);
    match content_type {
        "text/html" => format!("<!doctype html><title>Mock</title><p>Mock {number}</p>"),
        media if media.ends_with("xml") => format!("<mock>{number}</mock>"),
        _ => format!("mock {number}"),
    }
}

/// Puts parameters into the answer at the places where the server repeats them, if the answer stays valid.
pub(super) fn repeat_parameters(
    reply: &mut Reply,
    request: &Request,
    found: &Match<'_>,
    datatype: &Datatype,
    schemas: &Schemas,
) {
    let echoes = &found.operation.extensions.echoes;
    let Some(node) = schema_file(datatype).and_then(|file| schemas.node(file)).filter(|_| !echoes.is_empty()) else {
        return;
    };
    let Some(mut value) = reply.value() else { return };
    for echo in echoes {
        let from_path = found.values.iter().find(|(name, _)| *name == echo.parameter).map(|(_, value)| value);
        let from_query = || request.parameters.iter().find(|(name, _)| *name == echo.parameter).map(|(_, value)| value);
        let Some(text) = from_path.or_else(from_query) else { continue };
        for candidate in
            [serde_json::from_str::<Value>(text).ok().filter(Value::is_number), Some(json!(text))].into_iter().flatten()
        {
            let mut changed = value.clone();
            let Some(place) = changed.pointer_mut(&echo.pointer) else { continue };
            *place = candidate;
            if valid(node, &changed) {
                value = changed;
                break;
            }
        }
    }
    reply.body = value.to_string().into_bytes();
}
