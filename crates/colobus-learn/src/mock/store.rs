//! [`Store`]: what a stateful mock remembers. Lists and items of a collection agree; what is created, changed or deleted
//! shows in later answers.

use std::collections::{BTreeSet, HashMap, VecDeque};

use serde_json::{Map, Value, json};

use super::{Reply, schema_file};
use crate::language::{Description, Fragment, Match, Operation};
use crate::request::Request;
use crate::schema::{Node, Schemas, valid};
use colobus_random::Random;

/// Beyond this many, the oldest items and lists are forgotten.
const MOST_ENTRIES: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Store {
    /// Paths of collections, as patterns, with the field that identifies an item.
    collections: HashMap<Vec<Fragment>, String>,
    items: Bounded<Value>,
    lists: Bounded<List>,
    deleted: Bounded<()>,
}

/// An answer with a list, and the paths of its items.
#[derive(Clone, Debug)]
struct List {
    body: Value,
    /// Where in the body the list is.
    pointer: String,
    items: Vec<String>,
}

/// A map that forgets its oldest entries.
#[derive(Debug)]
struct Bounded<T> {
    entries: HashMap<String, T>,
    order: VecDeque<String>,
}

impl<T> Default for Bounded<T> {
    fn default() -> Bounded<T> {
        Bounded { entries: HashMap::new(), order: VecDeque::new() }
    }
}

impl<T> Bounded<T> {
    fn insert(&mut self, key: &str, value: T) {
        if self.entries.insert(key.to_string(), value).is_none() {
            self.order.push_back(key.to_string());
        }
        if self.order.len() > MOST_ENTRIES
            && let Some(oldest) = self.order.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }

    fn remove(&mut self, key: &str) -> Option<T> {
        let found = self.entries.remove(key)?;
        self.order.retain(|other| other != key);
        Some(found)
    }

    fn get(&self, key: &str) -> Option<&T> {
        self.entries.get(key)
    }
}

impl Store {
    pub(super) fn new(description: &Description) -> Store {
        // What an answer repeats is surer than `id`: it comes last and wins.
        let mut operations: Vec<&Operation> = description.operations.iter().collect();
        operations.sort_by_key(|operation| operation.extensions.echoes.len());
        let collections = operations.into_iter().filter_map(collection).collect();
        Store { collections, ..Store::default() }
    }

    /// Answers one request. `make` makes an answer up; `missing` is the answer for what was deleted.
    pub(super) fn answer(
        &mut self,
        request: &Request,
        found: &Match<'_>,
        schemas: &Schemas,
        random: &mut Random,
        make: impl Fn(&mut Random) -> Reply,
        missing: impl Fn() -> Reply,
    ) -> Reply {
        let path = request.path.join("/");
        let is_item = collection(found.operation).is_some();
        let id_field = self.collections.get(&found.operation.path).cloned();
        if is_item && self.deleted.get(&path).is_some() && request.method != "PUT" {
            return missing();
        }
        let reply = make(random);
        let node = reply_node(found.operation, reply.status, schemas);
        match (request.method.as_str(), is_item, id_field) {
            ("GET", true, _) => self.read_item(&path, reply, node),
            ("PUT" | "PATCH", true, _) => self.change_item(&path, request, reply, node),
            ("DELETE", true, _) => {
                self.items.remove(&path);
                self.deleted.insert(&path, ());
                reply
            }
            ("GET", false, Some(field)) => self.read_list(&path, request, &field, reply, node),
            ("POST", false, Some(field)) => self.create(&path, request, &field, reply, node),
            _ => reply,
        }
    }

    fn read_item(&mut self, path: &str, mut reply: Reply, node: Option<Node<'_>>) -> Reply {
        let (Some(made), Some(node)) = (reply.value(), node) else { return reply };
        let item = match self.items.get(path) {
            Some(known) => overlaid(made, known, node),
            None => made,
        };
        reply.body = item.to_string().into_bytes();
        self.items.insert(path, item);
        reply
    }

    fn change_item(&mut self, path: &str, request: &Request, mut reply: Reply, node: Option<Node<'_>>) -> Reply {
        self.deleted.remove(path);
        let mut item = self.items.get(path).cloned().unwrap_or_else(|| reply.value().unwrap_or_else(|| json!({})));
        extend(&mut item, &fields(request));
        if let (Some(made), Some(node)) = (reply.value(), node) {
            reply.body = overlaid(made, &item, node).to_string().into_bytes();
        }
        self.items.insert(path, item);
        reply
    }

    fn create(
        &mut self,
        path: &str,
        request: &Request,
        field: &str,
        mut reply: Reply,
        node: Option<Node<'_>>,
    ) -> Reply {
        let mut item = reply.value().filter(Value::is_object).unwrap_or_else(|| json!({}));
        extend(&mut item, &fields(request));
        if let (Some(made), Some(node)) = (reply.value(), node) {
            let answered = overlaid(made, &item, node);
            reply.body = answered.to_string().into_bytes();
            extend(&mut item, &answered);
        }
        if let Some(id) = text_of(item.get(field)) {
            let item_path = format!("{path}/{id}");
            self.deleted.remove(&item_path);
            self.items.insert(&item_path, item);
            if let Some(list) = self.lists.entries.get_mut(path) {
                list.items.push(item_path);
            } else {
                self.lists.insert(path, List { body: Value::Null, pointer: String::new(), items: vec![item_path] });
            }
        }
        reply
    }

    fn read_list(
        &mut self,
        path: &str,
        request: &Request,
        field: &str,
        mut reply: Reply,
        node: Option<Node<'_>>,
    ) -> Reply {
        let (Some(made), Some(node)) = (reply.value(), node) else { return reply };
        let known = self.lists.get(path).cloned();
        let mut list = match known {
            Some(list) if !list.body.is_null() => list,
            created => self.new_list(path, field, made, created.map(|list| list.items).unwrap_or_default()),
        };
        list.items.retain(|item| self.items.get(item).is_some());
        let example = list.body.pointer(&list.pointer).and_then(|items| items.get(0)).cloned();
        let items: Vec<Value> = list.items.iter().filter_map(|item| self.items.get(item)).cloned().collect();
        let mut body = list.body.clone();
        if let Some(place) = body.pointer_mut(&list.pointer) {
            *place = Value::Array(items);
        }
        if !valid(node, &body) {
            // An item that was created may lack what items of the list have.
            if let (Some(example), Some(Value::Array(items))) = (example, body.pointer_mut(&list.pointer)) {
                items.iter_mut().for_each(|item| *item = merged(&example, item));
            }
        }
        if valid(node, &body) {
            reply.body = body.to_string().into_bytes();
            // A search or a page is a view of the collection, not the collection.
            if request.parameters.is_empty() {
                self.lists.insert(path, list);
            }
        }
        reply
    }

    /// A list that was made up becomes the content of the collection.
    fn new_list(&mut self, path: &str, field: &str, body: Value, created: Vec<String>) -> List {
        let pointer = list_pointer(&body).unwrap_or_default();
        let mut items = Vec::new();
        let mut seen = BTreeSet::new();
        for item in body.pointer(&pointer).and_then(Value::as_array).into_iter().flatten() {
            let Some(id) = text_of(item.get(field)) else { continue };
            let item_path = format!("{path}/{id}");
            if seen.insert(id) && self.deleted.get(&item_path).is_none() {
                if self.items.get(&item_path).is_none() {
                    self.items.insert(&item_path, item.clone());
                }
                items.push(item_path);
            }
        }
        items.extend(created);
        List { body, pointer, items }
    }
}

/// The collection of an operation on one item: its path without the last parameter, and the field that identifies.
fn collection(operation: &Operation) -> Option<(Vec<Fragment>, String)> {
    let (last, path) = operation.path.split_last()?;
    let Fragment::Value { name, .. } = last else { return None };
    let name = name.clone().unwrap_or_default();
    let echo = operation.extensions.echoes.iter().find(|echo| echo.parameter == name);
    let field =
        echo.and_then(|echo| echo.pointer.strip_prefix('/')).filter(|field| !field.contains('/')).unwrap_or("id");
    Some((path.to_vec(), field.to_string()))
}

fn reply_node<'a>(operation: &Operation, status: u16, schemas: &'a Schemas) -> Option<Node<'a>> {
    let answer = operation.extensions.answers.iter().find(|answer| answer.status == status);
    let datatype = answer.map_or(&operation.response, |answer| &answer.datatype);
    schemas.node(schema_file(datatype)?)
}

fn fields(request: &Request) -> Value {
    match &request.body {
        Some(body) => body.clone(),
        None => Value::Object(
            request.parameters.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>(),
        ),
    }
}

fn extend(item: &mut Value, fields: &Value) {
    if let (Value::Object(item), Value::Object(fields)) = (item, fields) {
        item.extend(fields.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
}

/// The fields of `known` on top of what was made up, each only if the whole stays valid.
fn overlaid(mut made: Value, known: &Value, node: Node<'_>) -> Value {
    let Value::Object(fields) = known else { return made };
    for (name, value) in fields {
        let Value::Object(current) = &mut made else { return made };
        let before = current.insert(name.clone(), value.clone());
        if !valid(node, &made)
            && let Value::Object(current) = &mut made
        {
            match before {
                Some(before) => current.insert(name.clone(), before),
                None => current.remove(name),
            };
        }
    }
    made
}

fn merged(example: &Value, item: &Value) -> Value {
    let mut whole = example.clone();
    extend(&mut whole, item);
    whole
}

fn text_of(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Where the list is: the answer itself, or its first field that is one.
fn list_pointer(body: &Value) -> Option<String> {
    if body.is_array() {
        return Some(String::new());
    }
    let (name, _) = body.as_object()?.iter().find(|(_, value)| value.is_array())?;
    Some(format!("/{}", name.replace('~', "~0").replace('/', "~1")))
}
