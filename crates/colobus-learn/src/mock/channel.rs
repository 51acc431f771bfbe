//! [`Conversation`]: what a mock says on a WebSocket or in an event stream: messages like those that the server was seen to send.

use serde_json::Value;

use super::answer::make_up;
use super::{Mock, schema_file};
use crate::exchange::Direction;
use crate::language::{Channel, ChannelKind, MessagePattern, Operation, matches};
use crate::request::Request;
use crate::schema::valid;
use colobus_random::Random;

/// A channel that a client has opened.
pub struct Conversation<'a> {
    mock: &'a Mock,
    channel: &'a Channel,
    random: Random,
}

/// A message of the server. Events have names in streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub event: Option<String>,
    pub text: String,
}

impl Mock {
    /// The channel of this kind that a request opens, if the description has one.
    pub fn open_channel(&self, kind: ChannelKind, request: &Request) -> Option<Conversation<'_>> {
        let path = self.router.relative(&request.path)?.to_vec();
        let request = Request { path, method: "GET".to_string(), ..request.clone() };
        let is_opened = |channel: &&Channel| {
            let (path, parameters) = (channel.path.clone(), channel.parameters.clone());
            let pattern = Operation { method: "GET".to_string(), path, parameters, ..Operation::default() };
            channel.kind == kind && matches(&pattern, &request, &self.schemas)
        };
        let channel = self.description.channels.iter().find(is_opened)?;
        Some(Conversation { mock: self, channel, random: self.random_for(&request) })
    }
}

impl<'a> Conversation<'a> {
    pub fn kind(&self) -> ChannelKind {
        self.channel.kind
    }

    /// What the server says by itself: a message of every kind if clients say nothing, otherwise nothing.
    pub fn begin(&mut self) -> Vec<Said> {
        if self.channel.messages.iter().any(|message| message.direction == Direction::Send) {
            return Vec::new();
        }
        self.received().into_iter().map(|pattern| self.say(pattern, None)).collect()
    }

    /// The answer to a message: of the same kind if the server has that, otherwise of any. Fields of the same name repeat what the
    /// client sent, if the message stays valid.
    pub fn answer(&mut self, message: &str) -> Option<Said> {
        let asked: Value = serde_json::from_str(message).unwrap_or_default();
        let is_same = |pattern: &&MessagePattern| {
            pattern.discriminator.as_ref().is_some_and(|it| asked.get(&it.field).is_some_and(|kind| *kind == it.value))
        };
        let patterns = self.received();
        let same = patterns.iter().copied().find(is_same);
        let pattern = same.or_else(|| self.random.pick(&patterns).copied())?;
        Some(self.say(pattern, Some(&asked)))
    }

    fn received(&self) -> Vec<&'a MessagePattern> {
        let channel = self.channel;
        channel.messages.iter().filter(|message| message.direction == Direction::Receive).collect()
    }

    fn say(&mut self, pattern: &MessagePattern, asked: Option<&Value>) -> Said {
        let Mock { schemas, options, .. } = self.mock;
        let mut reply = make_up(200, None, &pattern.datatype, schemas, &mut self.random, options);
        let node = schema_file(&pattern.datatype).and_then(|file| schemas.node(file));
        if let (Some(mut value), Some(node)) = (reply.value(), node) {
            let kind = pattern.discriminator.as_ref().map(|it| (it.field.clone(), Value::from(it.value.clone())));
            let asked = asked.and_then(Value::as_object).into_iter().flatten();
            let repeated = asked.map(|(name, value)| (name.clone(), value.clone())).chain(kind);
            for (name, known) in repeated {
                let mut changed = value.clone();
                if let Some(field) = changed.get_mut(&name).filter(|_| !known.is_object() && !known.is_array()) {
                    *field = known;
                    if valid(node, &changed) {
                        value = changed;
                    }
                }
            }
            reply.body = value.to_string().into_bytes();
        }
        let event = pattern.discriminator.as_ref().filter(|_| self.channel.kind == ChannelKind::Events);
        let event = event.filter(|it| it.field == "event").map(|it| it.value.clone());
        Said { event, text: String::from_utf8_lossy(&reply.body).into_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mock::Options;
    use crate::{Description, Schemas};
    use serde_json::json;

    fn mock() -> Mock {
        let text = "URL http://h/app\n\
            ! socket chat(room:*)\n\
            ! send type \"join\" @join.json\n\
            ! send type \"say\" @say.json\n\
            ! receive type \"say\" @said.json\n\
            ! receive type \"left\" @left.json\n\
            ! events updates()\n\
            ! receive event \"price\" @price.json\n";
        let object = |fields: &[&str]| {
            let properties: serde_json::Map<String, Value> =
                fields.iter().map(|name| ((*name).to_string(), json!({ "type": "string" }))).collect();
            json!({ "type": "object", "properties": properties, "required": fields })
        };
        let files = [
            ("join.json", object(&["type"])),
            ("say.json", object(&["type", "text"])),
            ("said.json", object(&["type", "text", "author"])),
            ("left.json", object(&["type", "author"])),
            (
                "price.json",
                json!({ "type": "object", "properties": { "cents": { "type": "integer" } }, "required": ["cents"] }),
            ),
        ];
        let schemas = Schemas::of_json(files.into_iter().map(|(name, schema)| (name.to_string(), schema)).collect());
        Mock::new(Description::parse(text).unwrap(), schemas, Options::default()).unwrap()
    }

    fn get(target: &str) -> Request {
        Request::new("GET", target, &[], None)
    }

    #[test]
    fn messages_are_answered_in_kind() {
        let mock = mock();
        let mut chat = mock.open_channel(ChannelKind::Socket, &get("/app/chat?room=1")).unwrap();
        assert_eq!(chat.begin(), [], "clients speak first");
        let said: Value = serde_json::from_str(&chat.answer(r#"{"type":"say","text":"hello"}"#).unwrap().text).unwrap();
        assert_eq!((&said["type"], &said["text"]), (&json!("say"), &json!("hello")));
        assert!(said["author"].is_string());
        let other: Value = serde_json::from_str(&chat.answer(r#"{"type":"join"}"#).unwrap().text).unwrap();
        assert!(["say", "left"].contains(&other["type"].as_str().unwrap()), "{other}");
        assert!(mock.open_channel(ChannelKind::Socket, &get("/app/chat")).is_none(), "the room is missing");
        assert!(mock.open_channel(ChannelKind::Events, &get("/app/chat?room=1")).is_none());
    }

    #[test]
    fn streams_begin_by_themselves() {
        let mock = mock();
        let said = mock.open_channel(ChannelKind::Events, &get("/app/updates")).unwrap().begin();
        assert_eq!(said.len(), 1);
        assert_eq!(said[0].event.as_deref(), Some("price"));
        assert!(serde_json::from_str::<Value>(&said[0].text).unwrap()["cents"].is_i64());
    }
}
