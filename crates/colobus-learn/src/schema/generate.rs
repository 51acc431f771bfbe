//! [`Generator`]: instances of schemas from a seed. Every instance is validated before it is handed out.

use serde_json::{Map, Value, json};

use super::format::Format;
use super::validate::{has_type, valid};
use super::{Node, boundary, marker};
use colobus_random::Random;

/// Which values are preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preference {
    /// Mostly values seen in samples, some random ones, some at boundaries.
    #[default]
    Mixed,
    /// Values seen in samples where there are any.
    Seen,
    Random,
    /// Empty lists, null, long texts, other scripts, huge numbers.
    Boundary,
    /// Values seen in samples; texts that may be anything are [markers](marker).
    Marked,
}

/// Makes up instances.
#[derive(Clone, Debug)]
pub struct Generator {
    random: Random,
    preference: Preference,
    /// What clients compare with.
    constants: Vec<String>,
    /// The way to the value that is made up; `*` stands for every element of a list.
    field: Vec<String>,
}

/// A schema for which no instance was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schema {file} has no instance that could be made up: {reason}")]
pub struct NoInstance {
    pub file: String,
    pub reason: String,
}

const ATTEMPTS: usize = 16;
/// From here on everything optional is left out.
const DEEP: usize = 5;
/// A required structure this deep contains itself without an end.
const ENDLESS: usize = 40;

const WORDS: [&str; 16] = [
    "amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jade", "karst", "lotus", "maple",
    "north", "ocean", "prairie",
];

/// A text that means nothing.
pub(crate) fn word(random: &mut Random) -> String {
    let word = random.pick(&WORDS).copied().unwrap_or_default();
    if random.percent(40) { format!("{word} {}", random.below(1000)) } else { word.to_string() }
}

impl Generator {
    pub fn new(random: Random, preference: Preference) -> Generator {
        Generator { random, preference, constants: Vec::new(), field: Vec::new() }
    }

    /// Takes texts and numbers from these more often.
    pub fn with_constants(mut self, constants: &[String]) -> Generator {
        self.constants = constants.to_vec();
        self
    }

    /// An instance of the schema.
    pub fn instance(&mut self, node: Node<'_>) -> Result<Value, NoInstance> {
        let failure = |reason: &str| NoInstance { file: node.file.to_string(), reason: reason.to_string() };
        let mut last = failure("values that were tried do not validate");
        for _ in 0..ATTEMPTS {
            match self.value(node, 0) {
                Ok(value) if valid(node, &value) => return Ok(value),
                Ok(_) => {}
                Err(reason) => last = failure(&reason),
            }
        }
        Err(last)
    }

    fn value(&mut self, node: Node<'_>, depth: usize) -> Result<Value, String> {
        if depth > ENDLESS {
            return Err("it contains itself without an end".to_string());
        }
        match node.schema {
            Value::Bool(true) => return Ok(json!(self.word())),
            Value::Bool(false) => return Err("it allows nothing".to_string()),
            _ => {}
        }
        let node = node.resolve().ok_or("it refers to a place that is missing")?;
        if let Some(constant) = node.keyword("const") {
            return Ok(constant.clone());
        }
        if let Some(allowed) = node.keyword("enum").and_then(Value::as_array) {
            return self.random.pick(allowed).cloned().ok_or_else(|| "its list of values is empty".to_string());
        }
        for name in ["anyOf", "oneOf"] {
            if let Some(branches) = node.keyword(name).and_then(Value::as_array) {
                return self.branch(node, branches, depth);
            }
        }
        if let Some(branches) = node.keyword("allOf").and_then(Value::as_array) {
            return self.all_of(node, branches, depth);
        }
        let kind = self.kind(node, depth);
        if let Some(seen) = self.seen(node, &kind) {
            return Ok(seen);
        }
        self.of_type(node, &kind, depth)
    }

    /// One of the alternatives; the others if it has no instance.
    fn branch(&mut self, node: Node<'_>, branches: &[Value], depth: usize) -> Result<Value, String> {
        let start = if depth > DEEP { branches.len().saturating_sub(1) } else { self.random.below(branches.len()) };
        let mut last = Err("its list of alternatives is empty".to_string());
        for number in 0..branches.len() {
            last = self.value(node.at(&branches[(start + number) % branches.len()]), depth + 1);
            if last.is_ok() {
                break;
            }
        }
        last
    }

    fn all_of(&mut self, node: Node<'_>, branches: &[Value], depth: usize) -> Result<Value, String> {
        let mut joined = Map::new();
        for branch in branches {
            match self.value(node.at(branch), depth + 1)? {
                Value::Object(fields) => joined.extend(fields),
                other => return Ok(other),
            }
        }
        Ok(Value::Object(joined))
    }

    fn kind(&mut self, node: Node<'_>, depth: usize) -> String {
        let types = node.types();
        let implied =
            ["properties", "required", "additionalProperties"].iter().any(|name| node.keyword(name).is_some());
        match types.as_slice() {
            [] if implied => "object".to_string(),
            [] if node.keyword("items").is_some() => "array".to_string(),
            [] => "string".to_string(),
            several if several.contains(&"null") && several.len() > 1 => {
                let share = if self.at_boundary() { 50 } else { 10 };
                let null = depth > DEEP || self.random.percent(share);
                let others: Vec<&str> = several.iter().copied().filter(|name| *name != "null").collect();
                if null { "null".to_string() } else { self.random.pick(&others).copied().unwrap_or("null").to_string() }
            }
            several => self.random.pick(several).copied().unwrap_or("null").to_string(),
        }
    }

    fn at_boundary(&mut self) -> bool {
        match self.preference {
            Preference::Boundary => self.random.percent(60),
            Preference::Mixed => self.random.percent(12),
            Preference::Seen | Preference::Random | Preference::Marked => false,
        }
    }

    /// The constants that clients compare with, if those are preferred now.
    fn constant_share(&mut self) -> std::slice::Iter<'_, String> {
        let only_seen = matches!(self.preference, Preference::Seen | Preference::Marked);
        let wanted = !self.constants.is_empty() && !only_seen && self.random.percent(35);
        if wanted { self.constants.iter() } else { [].iter() }
    }

    /// A value from the samples, if those are preferred now.
    fn seen(&mut self, node: Node<'_>, kind: &str) -> Option<Value> {
        let wanted = match self.preference {
            Preference::Mixed => self.random.percent(65),
            Preference::Seen => true,
            Preference::Marked => kind != "string" || self.marker(node).is_none(),
            Preference::Random | Preference::Boundary => false,
        };
        let examples = node.keyword("examples").and_then(Value::as_array).filter(|_| wanted)?;
        let fitting: Vec<&Value> = examples.iter().filter(|value| has_type(value, kind)).collect();
        self.random.pick(&fitting).map(|value| (*value).clone())
    }

    fn of_type(&mut self, node: Node<'_>, kind: &str, depth: usize) -> Result<Value, String> {
        match kind {
            "null" => Ok(Value::Null),
            "boolean" => Ok(json!(self.random.percent(50))),
            "integer" => Ok(self.number(node, true)),
            "number" => Ok(self.number(node, false)),
            "string" => Ok(json!(self.string(node))),
            "array" => self.array(node, depth),
            "object" => self.object(node, depth),
            other => Err(format!("`{other}` is not a type")),
        }
    }

    fn number(&mut self, node: Node<'_>, integer: bool) -> Value {
        let limit = |name| node.keyword(name).and_then(Value::as_f64);
        let least = limit("minimum").or(limit("exclusiveMinimum").map(|bound| bound + 1.0));
        let most = limit("maximum").or(limit("exclusiveMaximum").map(|bound| bound - 1.0));
        let fits = |number: f64| least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most);
        let compared: Vec<Value> = self
            .constant_share()
            .filter_map(|text| serde_json::from_str::<Value>(text).ok())
            .filter(|value| if integer { value.is_i64() } else { value.is_number() })
            .filter(|value| value.as_f64().is_some_and(fits))
            .collect();
        if let Some(value) = self.random.pick(&compared) {
            return value.clone();
        }
        if self.at_boundary() {
            let all = if integer { boundary::integers() } else { boundary::numbers() };
            let fitting: Vec<Value> = all.into_iter().filter(|value| value.as_f64().is_some_and(fits)).collect();
            if let Some(value) = self.random.pick(&fitting) {
                return value.clone();
            }
        }
        let low = least.unwrap_or_else(|| most.map_or(0.0, |most| (most - 1000.0).min(0.0))).ceil();
        let high = most.unwrap_or(low + 1000.0).floor().max(low);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "bounds of schemas that people write"
        )]
        let whole = low as i64 + self.random.below((high - low).min(1e9) as usize + 1) as i64;
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        let fraction = whole as f64 + 0.5;
        if !integer && fits(fraction) && self.random.percent(50) { json!(fraction) } else { json!(whole) }
    }

    fn word(&mut self) -> String {
        word(&mut self.random)
    }

    /// The marker of this field, if it takes one: its texts have no format and are no markup.
    fn marker(&self, node: Node<'_>) -> Option<String> {
        let examples = node.keyword("examples").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let is_free = node.keyword("format").is_none()
            && !examples.iter().filter_map(Value::as_str).any(marker::is_markup)
            && self.preference == Preference::Marked;
        let text = is_free.then(|| marker::text(marker::number(node.file, &self.field)))?;
        let most = node.keyword("maxLength").and_then(Value::as_u64).unwrap_or(u64::MAX);
        (text.len() as u64 <= most).then_some(text)
    }

    fn string(&mut self, node: Node<'_>) -> String {
        if let Some(text) = self.marker(node) {
            return text;
        }
        let limit = |name| node.keyword(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        let (least, most) = (limit("minLength").unwrap_or(0), limit("maxLength").unwrap_or(usize::MAX));
        let format = node.keyword("format").and_then(Value::as_str).and_then(Format::named);
        let compared: Vec<String> = self.constant_share().cloned().collect();
        let compared = self.random.pick(&compared).cloned();
        let boundary = self.at_boundary();
        let text = match format {
            Some(format) => return format.make_up(&mut self.random),
            None if compared.is_some() => compared.unwrap_or_default(),
            None if boundary => self.random.pick(&boundary::texts()).cloned().unwrap_or_default(),
            None => self.word(),
        };
        let mut characters: Vec<char> = text.chars().take(most).collect();
        characters.resize(characters.len().max(least.min(10_000)), 'x');
        characters.into_iter().collect()
    }

    fn array(&mut self, node: Node<'_>, depth: usize) -> Result<Value, String> {
        let limit = |name| node.keyword(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        let least = limit("minItems").unwrap_or(0);
        let most = limit("maxItems").unwrap_or(usize::MAX).max(least);
        let wanted =
            if depth > DEEP || self.at_boundary() || self.preference == Preference::Boundary && self.random.percent(40)
            {
                0
            } else {
                1 + self.random.below(3)
            };
        let Some(schema) = node.keyword("items") else { return Ok(json!(vec![Value::Null; least])) };
        let count = wanted.clamp(least, most);
        (0..count)
            .map(|_| self.inside("*", node.at(schema), depth))
            .collect::<Result<Vec<Value>, String>>()
            .map(Value::Array)
    }

    /// A value that is part of another one.
    fn inside(&mut self, name: &str, node: Node<'_>, depth: usize) -> Result<Value, String> {
        self.field.push(name.to_string());
        let value = self.value(node, depth + 1);
        self.field.pop();
        value
    }

    fn object(&mut self, node: Node<'_>, depth: usize) -> Result<Value, String> {
        let mut fields = Map::new();
        let required: Vec<&str> = node
            .keyword("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let properties = node.keyword("properties").and_then(Value::as_object);
        let sparse = self.at_boundary();
        for (name, schema) in properties.into_iter().flatten() {
            let wanted = required.contains(&name.as_str()) || (depth <= DEEP && !sparse && self.random.percent(50));
            if wanted {
                fields.insert(name.clone(), self.inside(name, node.at(schema), depth)?);
            }
        }
        let open = json!(true);
        let others = node.keyword("additionalProperties");
        for name in &required {
            if !fields.contains_key(*name) {
                let schema = others.unwrap_or(&open);
                let value = self.inside(name, Node { schema, ..node }, depth)?;
                fields.insert((*name).to_string(), value);
            }
        }
        if let Some(schema) = others.filter(|schema| schema.is_object() && depth <= DEEP) {
            for _ in 0..if sparse { 0 } else { self.random.below(4) } {
                let name = match node.keyword("propertyNames") {
                    Some(names) => self.value(node.at(names), depth + 1)?.as_str().unwrap_or_default().to_string(),
                    None => self.word(),
                };
                let value = self.inside("*", node.at(schema), depth)?;
                fields.entry(name).or_insert(value);
            }
        }
        Ok(Value::Object(fields))
    }
}
