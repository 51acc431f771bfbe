//! The methods of strings.

use colobus_solver::build::{boolean, int, ite, text};
use colobus_solver::{Regex, Sort, Term};

use super::Translator;
use super::cases::{Cases, Number};
use super::numbers::count;
use super::operators::clamp;
use crate::symbolic::operator::Operator;

/// So many parts of a split text are told apart; with more, their number is any number.
const MOST_PARTS: usize = 6;

impl Translator {
    /// A method of the text case of the first operand; all other cases throw.
    pub(super) fn text_method(&mut self, operator: &Operator, operands: &[Cases]) -> Cases {
        use Operator::*;
        let Some((receiver, rest)) = operands.split_first() else { return Cases::none() };
        let (mut guard, subject) = receiver.text.clone();
        let length = subject.length();
        let result = match (operator, rest) {
            (Length, []) => Cases::number(boolean(true), Number::integer(&length)),
            (ToLower, []) => self.change_case(&subject, (0x41, 0x5a)),
            (ToUpper, []) => self.change_case(&subject, (0x61, 0x7a)),
            (Trim, []) => Cases::text(boolean(true), self.trim(&subject)),
            (Includes | StartsWith | EndsWith, [part]) => {
                let (defined, part) = self.to_text(part);
                guard = guard.and(&defined);
                let found = match operator {
                    Includes => subject.contains(&part),
                    StartsWith => subject.begins_with(&part),
                    _ => subject.ends_with(&part),
                };
                Cases::truth(boolean(true), found)
            }
            (CharAt, [index]) => {
                let (defined, index) = self.to_number(index);
                guard = guard.and(&defined);
                Cases::text(boolean(true), subject.substring(&index.index(), &int(1)))
            }
            (IndexOf, [part, from]) => {
                let ((part_defined, part), (from_defined, from)) = (self.to_text(part), self.to_number(from));
                guard = guard.and(&part_defined).and(&from_defined);
                let from = from.index();
                let from = ite(&from.less(&int(0)), &int(0), &clamp(&from, &length));
                Cases::number(boolean(true), Number::integer(&subject.index_of(&part, &from)))
            }
            (Slice, [start, end]) => {
                let ((start_defined, from), (end_defined, to)) = (self.to_number(start), self.to_number(end));
                guard = guard.and(&start_defined).and(&end_defined);
                let to = ite(&end.undefined, &length, &clamp(&to.index(), &length));
                let from = clamp(&from.index(), &length);
                Cases::text(boolean(true), subject.substring(&from, &to.subtract(&from)))
            }
            (SplitAt(separator, index), []) => split_at(&subject, separator, *index),
            (SplitLength(separator), []) => self.split_length(&subject, separator),
            _ => Cases::none(),
        };
        result.when(&guard)
    }

    /// Exact where nothing changes. Otherwise any text without the letters that would have changed.
    fn change_case(&mut self, subject: &Term, changing: (u16, u16)) -> Cases {
        let unchanged = Regex::none_of(&[changing, (0x80, 0xffff)]).star();
        let exact = subject.matches(&unchanged);
        let unknown = self.fresh(Sort::Text);
        let some = Regex::all().then(Regex::one_of(&[changing])).then(Regex::all());
        self.definitions.push(unknown.matches(&some).not());
        self.assumptions.push(exact.clone());
        Cases::text(boolean(true), ite(&exact, subject, &unknown))
    }

    fn split_length(&mut self, subject: &Term, separator: &str) -> Cases {
        if separator.is_empty() {
            return Cases::number(boolean(true), Number::integer(&subject.length()));
        }
        let mut rest = subject.clone();
        let mut indices = Vec::new();
        for _ in 0..MOST_PARTS {
            let (at, after) = cut(&rest, separator);
            indices.push(at);
            rest = after;
        }
        let more = indices.last().map_or(boolean(true), |at| int(0).at_most(at));
        let unknown = self.unknown_number(&more.not());
        let parts =
            indices.iter().enumerate().rev().fold(unknown, |otherwise, (index, at)| {
                Number::choose(&at.less(&int(0)), &count(index + 1), &otherwise)
            });
        Cases::number(boolean(true), parts)
    }
}

fn split_at(subject: &Term, separator: &str, index: usize) -> Cases {
    let undefined = |guard: Term| Cases { undefined: guard, ..Cases::none() };
    if separator.is_empty() {
        let at = int(index as i64);
        let inside = at.less(&subject.length());
        return Cases::text(inside.clone(), subject.substring(&at, &int(1))).or(&undefined(inside.not()));
    }
    let (mut exists, mut rest) = (boolean(true), subject.clone());
    for _ in 0..index {
        let (at, after) = cut(&rest, separator);
        exists = exists.and(&int(0).at_most(&at));
        rest = after;
    }
    let (at, _) = cut(&rest, separator);
    let part = ite(&at.less(&int(0)), &rest, &rest.substring(&int(0), &at));
    Cases::text(exists.clone(), part).or(&undefined(exists.not()))
}

/// Where the separator stands, and what follows it.
fn cut(subject: &Term, separator: &str) -> (Term, Term) {
    let at = subject.index_of(&text(separator), &int(0));
    let width = separator.encode_utf16().count() as i64;
    let after = subject.substring(&at.plus(width), &subject.length());
    (at, after)
}
