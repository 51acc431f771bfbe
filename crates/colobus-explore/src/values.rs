//! [`Values`]: what goes into fields. Constants that the page's scripts compare with come first, those of code that ran
//! before others; then values that fit the kind of field, and random words.

use std::collections::BTreeSet;

use colobus_learn::Random;
use colobus_model::Key;
use colobus_script::{ConstantValue, Position, constants};
use colobus_world::{Offer, Script, ScriptName};

use crate::Coverage;

/// Constants that a field gets at one time; the next time it gets the following ones.
const CONSTANTS_AT_ONCE: usize = 3;
/// Longer ones are messages.
const LONGEST: usize = 60;
/// Keys that are tried on an element that hears keys.
const MOST_KEYS: usize = 8;
/// Keys by the numbers that scripts know them by.
const KEY_CODES: [(&str, &str); 9] = [
    ("13", "Enter"),
    ("27", "Escape"),
    ("37", "ArrowLeft"),
    ("38", "ArrowUp"),
    ("39", "ArrowRight"),
    ("40", "ArrowDown"),
    ("46", "Delete"),
    ("8", "Backspace"),
    ("32", "Space"),
];
const WORDS: [&str; 8] = ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron"];

/// Values for fields, from a seed.
#[derive(Clone, Debug)]
pub struct Values {
    random: Random,
    scripts: BTreeSet<ScriptName>,
    constants: Vec<Constant>,
    /// Which constant a field gets next.
    next: usize,
}

#[derive(Clone, Debug)]
struct Constant {
    text: String,
    is_number: bool,
    script: ScriptName,
    /// In UTF-16 units from the beginning of the script.
    at: usize,
}

impl Values {
    pub fn new(seed: u64) -> Values {
        let random = Random::named(seed, b"values");
        Values { random, scripts: BTreeSet::new(), constants: Vec::new(), next: 0 }
    }

    /// The same constants, for a walk: it begins with others, and makes up other values than the walks before it.
    pub fn of_walk(&self, number: usize) -> Values {
        let mut values = self.clone();
        values.random = Random::named(number as u64 ^ self.random.clone().number(), b"values of a walk");
        values.next = number * CONSTANTS_AT_ONCE;
        values
    }

    /// Reads the constants of a script, once. What cannot be parsed has none.
    pub fn read(&mut self, script: &Script) {
        if !self.scripts.insert(script.name.clone()) {
            return;
        }
        let starts: Vec<usize> = std::iter::once(0)
            .chain(script.source.split('\n').scan(0, |begin, line| {
                *begin += line.encode_utf16().count() + 1;
                Some(*begin)
            }))
            .collect();
        let offset = |position: Position| {
            let line = starts.get(position.line as usize - 1).copied().unwrap_or_default();
            line + position.column as usize - 1
        };
        for found in constants(&script.source, script.is_module).unwrap_or_default().iter().flat_map(|it| &it.constants)
        {
            let (text, is_number) = match &found.value {
                ConstantValue::Text(text) => (text.clone(), false),
                ConstantValue::Number(number) => (number.to_string(), true),
                ConstantValue::Pattern(_) => continue,
            };
            if (1..=LONGEST).contains(&text.chars().count()) {
                let (script, at) = (script.name.clone(), offset(found.position));
                self.constants.push(Constant { text, is_number, script, at });
            }
        }
    }

    /// All constants, for those who answer in the server's place.
    pub fn constants(&self) -> Vec<String> {
        let all: BTreeSet<&String> = self.constants.iter().map(|constant| &constant.text).collect();
        all.into_iter().cloned().collect()
    }

    /// Values for a field: one that fits its kind, and some constants.
    pub fn of_field(&mut self, field: &Offer, ran: &Coverage) -> Vec<String> {
        let mut values = vec![self.fitting(&field.input)];
        let constants = self.constants_for(&field.input, ran);
        let from = self.next;
        self.next += CONSTANTS_AT_ONCE;
        for step in 0..CONSTANTS_AT_ONCE.min(constants.len()) {
            values.push(constants[(from + step) % constants.len()].clone());
        }
        dedup(values)
    }

    /// One value for a field of a form: a constant more often than not.
    pub fn of_form_field(&mut self, field: &Offer, ran: &Coverage) -> String {
        let constants = self.constants_for(&field.input, ran);
        match constants.is_empty() || self.random.percent(35) {
            true => self.fitting(&field.input),
            false => self.random.pick(&constants).cloned().unwrap_or_default(),
        }
    }

    /// A value that needs no script.
    pub fn fitting(&mut self, input: &str) -> String {
        let number = self.random.below(90) + 1;
        let word = self.random.pick(&WORDS).copied().unwrap_or_default();
        match input {
            "number" | "range" => number.to_string(),
            "email" => format!("{word}@example.org"),
            "url" => format!("https://example.org/{word}"),
            "tel" => "+49 30 1234567".to_string(),
            "date" => format!("2024-02-{:02}", number % 28 + 1),
            "time" => format!("{:02}:30", number % 24),
            "datetime-local" => format!("2024-02-{:02}T10:30", number % 28 + 1),
            "month" => format!("2024-{:02}", number % 12 + 1),
            "week" => format!("2024-W{:02}", number % 50 + 1),
            "color" => "#8040c0".to_string(),
            _ => format!("{word} {number}"),
        }
    }

    /// Keys for an element that hears keys: what its scripts compare with, and the usual ones.
    pub fn keys(&self) -> Vec<String> {
        let texts =
            || self.constants.iter().filter(|constant| !constant.is_number).map(|constant| constant.text.as_str());
        let is_key = |name: &&str| Key::named(name).is_some();
        let named = texts().filter(|name| name.chars().count() > 1).filter(is_key);
        let numbers = self.constants.iter().filter(|constant| constant.is_number);
        let by_number = numbers.filter_map(|constant| KEY_CODES.iter().find(|(code, _)| *code == constant.text));
        let letters = texts().filter(|name| name.len() == 1 && name.chars().all(char::is_alphanumeric)).filter(is_key);
        let usual = ["Enter", "Escape"];
        let all = named.chain(usual).chain(by_number.map(|(_, name)| *name).filter(is_key)).chain(letters);
        let mut keys: Vec<String> = dedup(all.map(str::to_string).collect());
        keys.truncate(MOST_KEYS);
        keys
    }

    /// Constants that a field of this kind takes, those of code that ran first.
    fn constants_for(&self, input: &str, ran: &Coverage) -> Vec<String> {
        let fits = |constant: &&Constant| match input {
            "number" | "range" => constant.is_number,
            "email" => constant.text.contains('@'),
            "date" | "time" | "datetime-local" | "month" | "week" | "color" => false,
            _ => true,
        };
        let did_run = |constant: &Constant| ran.of(&constant.script).is_some_and(|ran| ran.has(constant.at));
        let (first, others): (Vec<&Constant>, Vec<&Constant>) =
            self.constants.iter().filter(fits).partition(|constant| did_run(constant));
        dedup(first.into_iter().chain(others).map(|constant| constant.text.clone()).collect())
    }
}

/// Each once, in the order in which they come first.
fn dedup(values: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    values.into_iter().filter(|value| seen.insert(value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(source: &str) -> Values {
        let name = ScriptName { url: "a.js".into(), hash: "1".into() };
        let mut values = Values::new(1);
        values.read(&Script { name, source: source.into(), line: 0, is_module: false });
        values
    }

    #[test]
    fn constants_of_code_that_ran_come_first() {
        let source = "function f(x) {\n  return x === 'far';\n}\nfunction g(x) { return x === 'near' || x == 3 }";
        let values = values(source);
        let script = ScriptName { url: "a.js".into(), hash: "1".into() };
        let mut ran = Coverage::default();
        let mut intervals = crate::Intervals::default();
        intervals.add(source.find("function g").unwrap(), source.len());
        ran.add(&script, &intervals);
        assert_eq!(values.constants_for("text", &ran), ["near", "3", "far"]);
        assert_eq!(values.constants_for("text", &Coverage::default()), ["far", "near", "3"]);
        assert_eq!(values.constants_for("number", &ran), ["3"]);
    }

    #[test]
    fn keys_are_those_that_scripts_know() {
        let values = values("switch (e.key) { case 'ArrowUp': case 'q': case 'nonsense': }");
        assert_eq!(values.keys(), ["ArrowUp", "Enter", "Escape", "q"]);
        let values = self::values("if (e.keyCode === 40 || n > 41) down()");
        assert_eq!(values.keys(), ["Enter", "Escape", "ArrowDown"]);
    }
}
