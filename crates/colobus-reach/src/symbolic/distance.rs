//! Search for values by branch distance: what solvers give up on, such as texts that are read as numbers, is often a matter of
//! trying the constants of the conditions and their neighbours. Everything it finds was evaluated; it never says "impossible".

use std::collections::BTreeSet;

use colobus_solver::Text;

use super::evaluate::Assignment;
use super::expr::{Expr, Variable};
use super::operator::Operator;
use super::pattern::Pattern;
use super::value::{Kind, Value};

/// Candidates for one variable.
const MOST_CANDIDATES: usize = 150;
/// How often every variable is improved.
const ROUNDS: usize = 4;

/// Values that make all conditions truthy, if trying finds some.
pub fn search(conditions: &[Expr]) -> Option<Assignment> {
    let variables: BTreeSet<Variable> = conditions.iter().flat_map(Expr::variables).collect();
    let constants = Constants::of(conditions);
    let candidates: Vec<(Variable, Vec<Value>)> =
        variables.into_iter().map(|variable| (variable.clone(), constants.candidates(&variable))).collect();
    // Other beginnings lead to other ends.
    (0..3).find_map(|shift| descend(conditions, &candidates, shift))
}

/// Whether a condition is of the kind that solvers find hard.
pub fn is_hard(condition: &Expr) -> bool {
    match condition {
        Expr::Apply(application) => {
            let (operator, operands) = &**application;
            let is_fixed = |expr: &Expr| matches!(expr, Expr::Constant(_));
            let is_hard_here = match operator {
                bitwise if bitwise.is_bitwise() => true,
                Operator::ToNumber | Operator::ParseInt | Operator::Remainder => true,
                Operator::Slice | Operator::SplitAt(..) | Operator::SplitLength(_) => true,
                // That a variable is an integer is easy.
                Operator::Floor | Operator::Ceil => !matches!(operands[..], [Expr::Variable(_)]),
                Operator::Multiply | Operator::Divide => !operands.iter().any(is_fixed),
                _ => false,
            };
            is_hard_here || operands.iter().any(is_hard)
        }
        _ => false,
    }
}

fn descend(conditions: &[Expr], candidates: &[(Variable, Vec<Value>)], shift: usize) -> Option<Assignment> {
    let first = |(variable, values): &(Variable, Vec<Value>)| {
        values.get(shift % values.len().max(1)).map(|value| (variable.clone(), value.clone()))
    };
    let mut values: Assignment = candidates.iter().filter_map(first).collect();
    let total = |values: &Assignment| conditions.iter().map(|condition| distance(condition, true, values)).sum::<f64>();
    let mut best = total(&values);
    for _ in 0..ROUNDS {
        let before = best;
        for (variable, known) in candidates {
            let near = values.get(variable).map(neighbours).unwrap_or_default();
            for candidate in known.iter().chain(&near) {
                let old = values.insert(variable.clone(), candidate.clone());
                let now = total(&values);
                if now < best {
                    best = now;
                } else if let Some(old) = old {
                    values.insert(variable.clone(), old);
                }
            }
        }
        if best == 0.0 {
            return Some(values);
        }
        if best >= before {
            return None;
        }
    }
    None
}

fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            [-100.0, -10.0, -1.0, 1.0, 10.0, 100.0].iter().map(|by| Value::Number(number + by)).collect()
        }
        _ => Vec::new(),
    }
}

/// How far a condition is from being truthy, or falsy: 0 if it is, at most 1.
pub fn distance(condition: &Expr, wanted: bool, values: &Assignment) -> f64 {
    match condition.evaluate(values) {
        Ok(value) if value.is_truthy() == wanted => return 0.0,
        Ok(_) => {}
        Err(_) => return 1.0,
    }
    let Expr::Apply(application) = condition else { return 1.0 };
    let (operator, operands) = &**application;
    match (operator, &operands[..]) {
        (Operator::Not, [inner]) => distance(inner, !wanted, values),
        (Operator::And, [a, b]) if wanted => (distance(a, true, values) + distance(b, true, values)) / 2.0,
        (Operator::Or, [a, b]) if wanted => distance(a, true, values).min(distance(b, true, values)),
        (
            Operator::Less
            | Operator::AtMost
            | Operator::Greater
            | Operator::AtLeast
            | Operator::Same
            | Operator::NotSame
            | Operator::Equal
            | Operator::NotEqual,
            [a, b],
        ) => match (a.evaluate(values), b.evaluate(values)) {
            (Ok(Value::Number(a)), Ok(Value::Number(b))) if (a - b).is_finite() => {
                let apart = (a - b).abs() + 1.0;
                apart / (apart + 1.0)
            }
            _ => 1.0,
        },
        _ => 1.0,
    }
}

#[derive(Default)]
struct Constants {
    numbers: Vec<f64>,
    texts: Vec<String>,
    /// Whose matches are asked for, and by which texts are split.
    patterns: Vec<Pattern>,
    separators: Vec<Pattern>,
}

impl Constants {
    fn of(conditions: &[Expr]) -> Constants {
        let mut found = Constants::default();
        conditions.iter().for_each(|condition| found.collect(condition));
        found
    }

    fn collect(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(Value::Number(number)) if number.is_finite() && !self.numbers.contains(number) => {
                self.numbers.push(*number);
            }
            Expr::Constant(Value::Text(text)) => {
                let text = text.to_string();
                if !self.texts.contains(&text) && text.len() < 40 {
                    self.texts.push(text);
                }
            }
            Expr::Apply(application) => {
                if let Operator::SplitAt(separator, _) | Operator::SplitLength(separator) = &application.0
                    && !self.texts.contains(separator)
                {
                    self.texts.push(separator.clone());
                }
                match &application.0 {
                    Operator::Capture(pattern, _) | Operator::Search(pattern) if !self.patterns.contains(pattern) => {
                        self.patterns.push(pattern.clone());
                    }
                    Operator::SplitBy(pattern, _) | Operator::SplitByLength(pattern)
                        if !self.separators.contains(pattern) =>
                    {
                        self.separators.push(pattern.clone());
                    }
                    _ => {}
                }
                application.1.iter().for_each(|operand| self.collect(operand));
            }
            _ => {}
        }
    }

    fn numbers(&self) -> Vec<f64> {
        let mut all = vec![1.0, 0.0, 2.0, -1.0];
        all.extend(self.numbers.iter().flat_map(|number| [*number, number + 1.0, number - 1.0]));
        all.extend([3.0, 4.0, 5.0, 6.0, 7.0, 10.0, 100.0, 1000.0, 0.5, 10_000.0]);
        all
    }

    fn texts(&self) -> Vec<String> {
        let digits: Vec<String> =
            self.numbers().iter().map(|number| Value::Number(*number).to_text().to_string()).collect();
        let mut all: Vec<String> = vec!["a".into(), String::new()];
        all.extend(self.samples().iter().map(Text::to_string));
        all.extend(self.texts.iter().cloned());
        for text in &self.texts {
            all.extend([
                format!("{text}a"),
                format!("a{text}"),
                format!("a{text}a"),
                text.to_uppercase(),
                text.to_lowercase(),
            ]);
            all.extend(digits.iter().take(14).map(|number| format!("{text}{number}")));
            all.extend(self.texts.iter().map(|other| format!("{text}{other}")));
            all.extend(self.texts.iter().map(|other| format!("aaaa{text}a{other}")));
        }
        all.extend(digits);
        let lengths = self.numbers.iter().filter(|number| (0.0..40.0).contains(*number));
        all.extend(
            lengths.flat_map(|number| [*number as usize, *number as usize + 1]).map(|length| "a".repeat(length)),
        );
        all
    }

    /// Texts in which patterns find the constants.
    fn samples(&self) -> Vec<Text> {
        if self.patterns.is_empty() && self.separators.is_empty() {
            return Vec::new();
        }
        let near = self.numbers.iter().flat_map(|number| [number + 1.0, *number, number - 1.0]);
        let numbers = near.map(|number| Value::Number(number).to_text());
        let given: Vec<Text> = self.texts.iter().map(|text| text.as_str().into()).chain(numbers).collect();
        let matching = self.patterns.iter().flat_map(|pattern| pattern.samples(&given));
        let with_other = [&["a".into()], &given[..]].concat();
        matching.chain(self.separators.iter().flat_map(|separator| separator.separated(&with_other))).collect()
    }

    fn candidates(&self, variable: &Variable) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        for kind in &variable.kinds {
            match kind {
                Kind::Undefined => all.push(Value::Undefined),
                Kind::Null => all.push(Value::Null),
                Kind::Boolean => all.extend([Value::Boolean(true), Value::Boolean(false)]),
                Kind::Number => all.extend(self.numbers().into_iter().map(Value::Number)),
                Kind::Text => all.extend(self.texts().iter().map(|text| Value::text(text))),
            }
        }
        all.truncate(MOST_CANDIDATES + self.samples().len());
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::expr::Expr;

    fn text(name: &str) -> Expr {
        Expr::parameter(name, Kind::Text)
    }

    #[test]
    fn texts_that_are_read_as_numbers_are_found() {
        let negative = Expr::unary(Operator::ToNumber, &text("value")).binary(Operator::Less, &Expr::constant(0.0));
        let found = search(std::slice::from_ref(&negative)).unwrap();
        assert!(negative.evaluate(&found).unwrap().is_truthy());
        assert!(is_hard(&negative));
    }

    #[test]
    fn a_prefix_and_a_number_are_put_together() {
        let voucher = text("voucher");
        let slice = Operator::Slice;
        let number = Expr::Apply(std::sync::Arc::new((
            slice,
            vec![voucher.clone(), Expr::constant(3.0), Expr::Constant(Value::Undefined)],
        )));
        let percent = Expr::unary(Operator::ParseInt, &number);
        let conditions = [
            voucher.binary(Operator::StartsWith, &Expr::constant("TIP")),
            percent.binary(Operator::Greater, &Expr::constant(20.0)),
            percent.binary(Operator::Greater, &Expr::constant(50.0)).negated(),
        ];
        let found = search(&conditions).unwrap();
        assert!(conditions.iter().all(|condition| condition.evaluate(&found).unwrap().is_truthy()));
    }

    #[test]
    fn a_contradiction_is_never_found() {
        let value = Expr::unary(Operator::ToNumber, &text("value"));
        let conditions =
            [value.binary(Operator::Less, &Expr::constant(0.0)), value.binary(Operator::Greater, &Expr::constant(0.0))];
        assert_eq!(search(&conditions), None);
    }
}
