//! Random values and expressions from a seed.

use std::sync::{Arc, LazyLock};

use colobus_reach::symbolic::expr::Expr;
use colobus_reach::symbolic::operator::Operator;
use colobus_reach::symbolic::pattern::Pattern;
use colobus_reach::symbolic::value::Value;
use colobus_solver::Text;

/// A small generator (xorshift), so that a seed means the same for ever.
pub struct Random(u64);

const NUMBERS: [f64; 22] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    3.0,
    7.0,
    10.0,
    -3.0,
    0.5,
    -2.5,
    0.1,
    1e21,
    1e-7,
    123456.789,
    -1e300,
    5e-324,
    9007199254740992.0,
    1e20,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

const TEXTS: [&str; 40] = [
    "",
    "a",
    "b",
    "ab",
    "abc",
    "A",
    "Ab",
    "0",
    "7",
    "12",
    " 42 ",
    "-7",
    "+3",
    "007",
    "0x1f",
    "0X",
    "1e3",
    ".5",
    "5.",
    ".",
    "12px",
    "px12",
    "Infinity",
    "-Infinity",
    "inf",
    "nan",
    "NaN",
    "true",
    "null",
    "a,b,c",
    ",,",
    "0b101",
    "0o17",
    "1_000",
    "\u{feff} x\u{a0}\n",
    "stra\u{df}e",
    "\u{130}I",
    "\u{391}\u{3a3} \u{3a3}",
    "\u{1f600}!",
    "  ",
];

/// All operators, with some separators and patterns.
pub static OPERATORS: LazyLock<Vec<Operator>> = LazyLock::new(operators);

fn operators() -> Vec<Operator> {
    let mut operators = Operator::ALL.to_vec();
    for (separator, index) in [(",", 0), (",", 1), (",", 2), ("", 1), ("ab", 1)] {
        operators.push(Operator::SplitAt(separator.into(), index));
        operators.push(Operator::SplitLength(separator.into()));
    }
    let patterns = [
        ("^\\d+$", ""),
        ("a|b", ""),
        ("^[a-c]{2,3}", ""),
        ("[^a-z\\s]", "i"),
        ("^(?:a(b|c)?)*$", ""),
        ("x$|^a", "i"),
        (".", ""),
        ("^\\s*[-+]?\\w+\\s*$", ""),
        ("\\u0041|\\x42", "i"),
        ("\\D+?[.]", ""),
    ];
    operators.extend(patterns.map(|(source, flags)| Operator::Test(Pattern::new(source, flags).unwrap())));
    let capturing = [
        ("^([a-c]*)(b?)", ""),
        ("([a-z]+)|(\\d+)", "i"),
        ("(a|(b))*,?", ""),
        ("(\\w)(\\w*?)([^\\w]?)", ""),
        ("^(?<name>\\w+)?(?:\\s*)(\\S+){1,2}$", ""),
        ("(\\d+)(?:\\.(\\d+))?", ""),
        ("([^,]*),(.*)$", ""),
    ];
    for (source, flags) in capturing {
        let pattern = Pattern::new(source, flags).unwrap();
        operators.extend((0..pattern.groups()).map(|group| Operator::Capture(pattern.clone(), group)));
        operators.push(Operator::Search(pattern));
    }
    for source in ["[,b]", "\\s+", "\\s*,\\s*", "a|b", "(?:)", "^a", "\\d\\d?"] {
        let separator = Pattern::new(source, "").unwrap();
        operators.extend([0, 1].map(|index| Operator::SplitBy(separator.clone(), index)));
        operators.push(Operator::SplitByLength(separator));
    }
    operators
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit
    }

    pub fn text(&mut self) -> Text {
        if self.below(3) > 0 {
            return TEXTS[self.below(TEXTS.len())].into();
        }
        let units = [0x61, 0x62, 0x41, 0x2c, 0x30, 0x31, 0x20, 0xdf, 0xd83d, 0xde00, 0x2028, 0x2d];
        Text((0..self.below(7)).map(|_| units[self.below(units.len())]).collect())
    }

    pub fn number(&mut self) -> f64 {
        if self.below(2) == 0 { self.below(40) as f64 - 10.0 } else { NUMBERS[self.below(NUMBERS.len())] }
    }

    pub fn value(&mut self) -> Value {
        match self.below(8) {
            0 => Value::Undefined,
            1 => Value::Null,
            2 => Value::Boolean(self.below(2) == 0),
            3 => Value::Number(self.below(40) as f64 - 10.0),
            4 => Value::Number(NUMBERS[self.below(NUMBERS.len())]),
            _ => Value::Text(self.text()),
        }
    }

    /// Operands for an operator; methods of strings get a string to begin with.
    pub fn operands(&mut self, operator: &Operator) -> Vec<Value> {
        let mut values: Vec<Value> = (0..operator.arity()).map(|_| self.value()).collect();
        if operator.needs_text() {
            values[0] = Value::Text(self.text());
        }
        values
    }

    /// Operands whose arithmetic is exact in doubles.
    pub fn exact_operands(&mut self, operator: &Operator) -> Vec<Value> {
        let mut values = self.operands(operator);
        for value in &mut values {
            if matches!(value, Value::Number(_)) {
                *value = Value::Number((self.below(40) as f64 - 15.0) / 2.0);
            }
        }
        if matches!(operator, Operator::Divide) {
            values[1] = Value::Number([1.0, 2.0, -4.0][self.below(3)]);
        }
        values
    }

    /// An expression of constants.
    pub fn expression(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.below(5) == 0 {
            return Expr::Constant(self.value());
        }
        let operator = OPERATORS[self.below(OPERATORS.len())].clone();
        let mut operands: Vec<Expr> = (0..operator.arity()).map(|_| self.expression(depth - 1)).collect();
        if operator.needs_text() {
            operands[0] = Expr::Apply(Arc::new((Operator::ToText, vec![operands[0].clone()])));
        }
        Expr::Apply(Arc::new((operator, operands)))
    }
}
