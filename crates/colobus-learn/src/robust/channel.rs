//! Sockets and event streams: messages by direction and by the field that tells them apart.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::words::is_operation_name;
use crate::exchange::{Body, Direction, Exchange};
use crate::language::{Cardinality, Channel, ChannelKind, Condition, Datatype, Fragment, MessagePattern, Parameter};
use crate::request::Request;
use crate::schema::format::is_value;
use crate::schema::{Schemas, Shape, schema_of};
use crate::secret::Secrets;
use crate::url::Address;

/// Fields that tell messages apart, the usual ones first.
const DISCRIMINATORS: [&str; 8] = ["type", "event", "kind", "action", "op", "method", "command", "msg_type"];

/// A message with the name of its event, if it has one.
type Heard = (Direction, Option<String>, Value);

/// The path of a channel, the requests that opened it, and all messages.
type Collected = (Vec<Fragment>, Vec<Request>, Vec<Heard>);

pub(super) fn learn(exchanges: &[Exchange], base: &str, secrets: &Secrets, schemas: &mut Schemas) -> Vec<Channel> {
    let mut channels: BTreeMap<(ChannelKind, String), Collected> = BTreeMap::new();
    for exchange in exchanges {
        let origin = Address::parse(&exchange.url).origin.replacen("ws", "http", 1);
        let Some((kind, heard)) = heard(exchange).filter(|_| origin == base) else { continue };
        let request = Request::of(exchange);
        let path: Vec<Fragment> = request.path.iter().map(|fragment| fragment_of(fragment, secrets)).collect();
        let key = path.iter().map(ToString::to_string).collect::<Vec<_>>().join("/");
        let entry = channels.entry((kind, key)).or_insert_with(|| (path, Vec::new(), Vec::new()));
        entry.1.push(request);
        entry.2.extend(heard);
    }
    let number = |at: usize| if at == 0 { String::new() } else { (at + 1).to_string() };
    channels
        .into_iter()
        .enumerate()
        .map(|(at, ((kind, _), (path, requests, heard)))| {
            let name = format!("{}{}", if kind == ChannelKind::Socket { "socket" } else { "events" }, number(at));
            Channel {
                kind,
                path,
                parameters: parameters(&requests),
                messages: messages(&name, heard, secrets, schemas),
            }
        })
        .collect()
}

fn fragment_of(fragment: &str, secrets: &Secrets) -> Fragment {
    if is_value(fragment) || secrets.forbids_constant(fragment) {
        Fragment::Value { name: None, datatype: Datatype::any() }
    } else {
        Fragment::Constant(fragment.to_string())
    }
}

fn parameters(requests: &[Request]) -> Vec<Parameter> {
    let names: BTreeSet<&String> =
        requests.iter().flat_map(|request| &request.parameters).map(|(name, _)| name).collect();
    let parameter = |name: &String| {
        let everywhere =
            requests.iter().all(|request| request.parameters.iter().filter(|(found, _)| found == name).count() == 1);
        let cardinality = if everywhere { Cardinality::One } else { Cardinality::Many };
        Parameter { name: name.clone(), cardinality, datatype: Datatype::any() }
    };
    names.into_iter().map(parameter).collect()
}

/// The messages of a socket or an event stream; `None` if the exchange is neither.
fn heard(exchange: &Exchange) -> Option<(ChannelKind, Vec<Heard>)> {
    if !exchange.messages.is_empty() {
        let message = |message: &crate::Message| (message.direction, None, value_of(&message.text));
        return Some((ChannelKind::Socket, exchange.messages.iter().map(message).collect()));
    }
    let body = exchange.response_body.as_ref().filter(|body| Body::media_type(body) == "text/event-stream")?;
    Some((ChannelKind::Events, events(&String::from_utf8_lossy(&body.content))))
}

fn value_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_string()))
}

/// The events of a stream: blocks of `event:` and `data:` lines.
fn events(stream: &str) -> Vec<Heard> {
    let block = |block: &str| {
        let field = |name: &str| {
            let lines = block.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            let values: Vec<&str> = lines.map(|value| value.strip_prefix(' ').unwrap_or(value)).collect();
            (!values.is_empty()).then(|| values.join("\n"))
        };
        Some((Direction::Receive, field("event"), value_of(&field("data")?)))
    };
    stream.replace("\r\n", "\n").split("\n\n").filter_map(block).collect()
}

fn messages(name: &str, heard: Vec<Heard>, secrets: &Secrets, schemas: &mut Schemas) -> Vec<MessagePattern> {
    let mut shapes: BTreeMap<(Direction, Option<(String, String)>), Shape> = BTreeMap::new();
    for (direction, event, value) in heard {
        let discriminator = event.map(|event| ("event".to_string(), event)).or_else(|| discriminator(&value));
        let discriminator = discriminator.filter(|(_, value)| !secrets.forbids_constant(value));
        shapes.entry((direction, discriminator)).or_default().join(Shape::of(&value, secrets));
    }
    shapes
        .into_iter()
        .map(|((direction, discriminator), shape)| {
            let way = if direction == Direction::Send { "send" } else { "receive" };
            let suffix = discriminator
                .as_ref()
                .map_or(String::new(), |(_, value)| format!("_{}", value.replace(['/', '.', ':'], "_")));
            let file = format!("{name}_{way}{suffix}.json");
            schemas.json.insert(file.clone(), schema_of(&shape));
            let discriminator = discriminator.map(|(field, value)| Condition { field, value });
            MessagePattern { direction, discriminator, datatype: Datatype::json(&file) }
        })
        .collect()
}

fn discriminator(value: &Value) -> Option<(String, String)> {
    DISCRIMINATORS.iter().find_map(|field| {
        let text = value.get(field)?.as_str().filter(|text| is_operation_name(text))?;
        Some(((*field).to_string(), text.to_string()))
    })
}
