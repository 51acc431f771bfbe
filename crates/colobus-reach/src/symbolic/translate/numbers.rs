//! Numbers read from texts and written as texts.

use colobus_solver::build::{all, any, boolean, int, ite, real, text};
use colobus_solver::{Rational, Regex, Sort, Term};

use super::Translator;
use super::cases::Number;
use super::operators::zero;
use crate::symbolic::number::WHITESPACE;

/// The largest integer up to which all integers are doubles and are written without an exponent.
const LARGEST: i64 = 1 << 53;

fn digit() -> Regex {
    Regex::Range(0x30, 0x39)
}

fn sign() -> Regex {
    Regex::one_of(&[(0x2b, 0x2b), (0x2d, 0x2d)])
}

fn letters(text: &str) -> Regex {
    let either = |letter: char| Regex::literal(&letter.to_string().as_str().into());
    text.chars().map(either).fold(Regex::Nothing, Regex::or)
}

/// Numbers that `Number` reads and that are more than signed digits.
fn other_numerals() -> Regex {
    let point = || Regex::literal(&".".into());
    let fraction = digit().plus().then(point()).then(digit().star()).or(point().then(digit().plus()));
    let exponent = || letters("eE").then(sign().optional()).then(digit().plus());
    let decimal = fraction.then(exponent().optional()).or(digit().plus().then(exponent()));
    let signed = sign().optional().then(decimal.or(Regex::literal(&"Infinity".into())));
    let zero = || Regex::literal(&"0".into());
    let hexadecimal = Regex::one_of(&[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]);
    let prefixed = zero().then(letters("xX")).then(hexadecimal.plus());
    let prefixed = prefixed.or(zero().then(letters("oO")).then(Regex::Range(0x30, 0x37).plus()));
    signed.or(prefixed.or(zero().then(letters("bB")).then(Regex::Range(0x30, 0x31).plus())))
}

impl Translator {
    /// `Number(content)`: exact for signed digits and for what is no number; any number for fractions, exponents and the
    /// like.
    pub(super) fn number_from_text(&mut self, content: &Term) -> Number {
        let trimmed = self.trim(content);
        let empty = trimmed.equal(&text(""));
        let plain = trimmed.matches(&digit().plus());
        let signed = trimmed.matches(&sign().then(digit().plus()));
        let other = trimmed.matches(&other_numerals());
        let unknown = self.unknown_number(&other.not());
        let magnitude = trimmed.substring(&int(1), &trimmed.length()).digits_to_int().to_real();
        let negative = trimmed.begins_with(&text("-"));
        let value = ite(&plain, &trimmed.digits_to_int().to_real(), &ite(&negative, &magnitude.negate(), &magnitude));
        let value = ite(&empty, &zero(), &ite(&other, &unknown.value, &value));
        Number { nan: any([empty, plain, signed, other]).not(), value }
    }

    /// `parseInt(content)`: exact but for hexadecimal prefixes.
    pub(super) fn parse_int(&mut self, content: &Term) -> Number {
        let trimmed = self.trim(content);
        let has_sign = trimmed.matches(&sign().then(Regex::all()));
        let unsigned = ite(&has_sign, &trimmed.substring(&int(1), &trimmed.length()), &trimmed);
        let prefix = Regex::literal(&"0".into()).then(letters("xX"));
        let hexadecimal = unsigned.matches(&prefix.then(Regex::all()));
        let unknown = self.unknown_number(&hexadecimal.not());
        // The longest run of digits at the start, and what is left.
        let pure = unsigned.matches(&digit().plus());
        let begins = unsigned.matches(&digit().then(Regex::all()));
        let (first, rest) = (self.fresh(Sort::Text), self.fresh(Sort::Text));
        let parts = all([
            unsigned.equal(&first.concat(&rest)),
            first.matches(&digit().plus()),
            rest.matches(&digit().then(Regex::all())).not(),
        ]);
        self.definitions.push(begins.and(&pure.not()).implies(&parts));
        let digits = ite(&pure, &unsigned, &first);
        let magnitude = digits.digits_to_int().to_real();
        let value = ite(&trimmed.begins_with(&text("-")), &magnitude.negate(), &magnitude);
        let number = Number { nan: begins.not(), value };
        Number::choose(&hexadecimal, &unknown, &number)
    }

    /// `String(number)`: exact for integers, any text for fractions and large numbers.
    pub(super) fn number_to_text(&mut self, number: &Number) -> Term {
        let limit = real(LARGEST.into());
        let exact = number.value.is_integral().and(&number.value.less(&limit));
        let exact = exact.and(&limit.negate().less(&number.value));
        let whole = number.value.floor();
        let negative = text("-").concat(&whole.negate().int_to_digits());
        let written = ite(&whole.less(&int(0)), &negative, &whole.int_to_digits());
        let written = match exact.as_constant() {
            Some(colobus_solver::Value::Bool(true)) => written,
            _ => {
                self.assumptions.push(number.nan.or(&exact));
                let unknown = self.fresh(Sort::Text);
                ite(&exact, &written, &unknown)
            }
        };
        ite(&number.nan, &text("NaN"), &written)
    }

    /// `content.trim()`, exactly: what is left between two runs of whitespace.
    pub(super) fn trim(&mut self, content: &Term) -> Term {
        if let Some(colobus_solver::Value::Text(known)) = content.as_constant() {
            return text(crate::symbolic::number::trim(known));
        }
        let space = || Regex::one_of(&WHITESPACE);
        let edges = space().then(Regex::all()).or(Regex::all().then(space()));
        // Most texts have no whitespace at their ends: then nothing is taken apart, which solvers like.
        let padded = content.matches(&edges);
        let [before, inside, after] = [Sort::Text; 3].map(|sort| self.fresh(sort));
        let parts = all([
            content.equal(&before.concat(&inside).concat(&after)),
            before.matches(&space().star()),
            after.matches(&space().star()),
            inside.matches(&edges).not(),
        ]);
        self.definitions.push(padded.implies(&parts));
        ite(&padded, &inside, content)
    }
}

/// An integer constant as a real, for callers that count.
pub(super) fn count(value: usize) -> Number {
    Number { nan: boolean(false), value: real(Rational::from(value as i64)) }
}
