//! [`Reader`]: the syntax of regular expressions.

use std::iter::Peekable;
use std::str::Chars;

use colobus_solver::complement;

use super::node::{Alternative, Node, Ranges};
use crate::symbolic::number::WHITESPACE;

/// Counted repetitions beyond this are refused: the language would be written out that often.
const MOST_REPETITIONS: u32 = 64;

/// Reads a regular expression from left to right.
pub struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    ignore_case: bool,
    groups: usize,
}

impl<'a> Reader<'a> {
    /// At the beginning of the text between the slashes.
    pub fn new(source: &'a str, ignore_case: bool) -> Self {
        Reader { rest: source.chars().peekable(), ignore_case, groups: 1 }
    }

    /// How many groups were read, with the whole match.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Alternatives that may be anchored at either end.
    pub fn top(&mut self) -> Result<Vec<Alternative>, &'static str> {
        let mut alternatives = Vec::new();
        loop {
            let at_start = self.take('^');
            let node = self.sequence()?;
            alternatives.push(Alternative { at_start, node, at_end: self.take('$') });
            match self.rest.next() {
                None => return Ok(alternatives),
                Some('|') => {}
                Some(')') => return Err("a parenthesis is not opened"),
                Some(_) => return Err("anchors inside are not known"),
            }
        }
    }

    fn group(&mut self) -> Result<Node, &'static str> {
        let number = if self.take('?') { self.special()? } else { Some(self.next_group()) };
        let mut alternatives = Vec::new();
        loop {
            alternatives.push(self.sequence()?);
            match self.rest.next() {
                Some(')') => break,
                Some('|') => {}
                Some(_) => return Err("anchors inside are not known"),
                None => return Err("a parenthesis is not closed"),
            }
        }
        let inner = if alternatives.len() == 1 { alternatives.remove(0) } else { Node::Either(alternatives) };
        Ok(match number {
            Some(number) => Node::Group(number, Box::new(inner)),
            None => inner,
        })
    }

    /// What follows `(?`: nothing is captured, or it has a name.
    fn special(&mut self) -> Result<Option<usize>, &'static str> {
        if self.take(':') {
            return Ok(None);
        }
        if !self.take('<') || matches!(self.rest.peek(), Some('=' | '!')) {
            return Err("look around is not known");
        }
        let name: String = self.rest.by_ref().take_while(|character| *character != '>').collect();
        if name.is_empty() {
            return Err("a group has no name");
        }
        Ok(Some(self.next_group()))
    }

    fn next_group(&mut self) -> usize {
        self.groups += 1;
        self.groups - 1
    }

    fn sequence(&mut self) -> Result<Node, &'static str> {
        let mut parts = Vec::new();
        while let Some(&next) = self.rest.peek() {
            if "|)^$".contains(next) {
                break;
            }
            // Of a character that is two units, only the second is repeated.
            if u32::from(next) > 0xffff {
                let mut units = [0; 2];
                let first = next.encode_utf16(&mut units)[0];
                parts.push(Node::Unit(self.folded(vec![(first, first)])?));
            }
            let atom = self.atom()?;
            parts.push(self.repeated(atom)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Node::Sequence(parts) })
    }

    fn atom(&mut self) -> Result<Node, &'static str> {
        let ranges = match self.rest.next() {
            Some('(') => return self.group(),
            Some('[') => return Ok(Node::Unit(self.class()?)),
            Some('.') => return Ok(Node::Unit(complement(&[(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)]))),
            Some('\\') => self.escape()?,
            Some('*' | '+' | '?' | '{') => return Err("nothing to repeat"),
            Some(character) => {
                let mut units = [0; 2];
                character.encode_utf16(&mut units).last().map(|unit| vec![(*unit, *unit)]).unwrap_or_default()
            }
            None => return Err("it ends too early"),
        };
        Ok(Node::Unit(self.folded(ranges)?))
    }

    fn repeated(&mut self, atom: Node) -> Result<Node, &'static str> {
        let (least, most) = match self.rest.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => (0, None),
            _ => return Ok(atom),
        };
        let is_counted = self.rest.next() == Some('{');
        let (least, most) = if is_counted { self.counts()? } else { (least, most) };
        let is_greedy = !self.take('?');
        Ok(Node::Repeat { inner: Box::new(atom), least, most, is_greedy })
    }

    fn counts(&mut self) -> Result<(u32, Option<u32>), &'static str> {
        let counts: String = self.rest.by_ref().take_while(|c| *c != '}').collect();
        let (least, most) = counts.split_once(',').unwrap_or((&counts, &counts));
        let number = |text: &str| {
            let count = text.parse().ok().filter(|n: &u32| *n <= MOST_REPETITIONS);
            count.ok_or("a count of repetitions is missing or too large")
        };
        let (least, most) = (number(least)?, if most.is_empty() { None } else { Some(number(most)?) });
        if most.is_some_and(|most| most < least) {
            Err("counts of repetitions are out of order")
        } else {
            Ok((least, most))
        }
    }

    fn class(&mut self) -> Result<Ranges, &'static str> {
        let negated = self.take('^');
        let mut ranges = Ranges::new();
        loop {
            let low = match self.rest.next().ok_or("a class is not closed")? {
                ']' => break,
                '\\' => self.escape()?,
                character => vec![unit(character)?],
            };
            let (single, is_range) = (low.len() == 1 && low[0].0 == low[0].1, self.rest.peek() == Some(&'-'));
            if !(single && is_range) {
                ranges.extend(low);
                continue;
            }
            self.rest.next();
            match self.rest.next().ok_or("a class is not closed")? {
                ']' => {
                    ranges.extend([low[0], (0x2d, 0x2d)]);
                    break;
                }
                '\\' => match self.escape()?[..] {
                    [(high, same)] if high == same => ranges.push((low[0].0, high)),
                    _ => return Err("a range ends with a class"),
                },
                character => ranges.push((low[0].0, unit(character)?.1)),
            }
        }
        if ranges.iter().any(|(low, high)| low > high) {
            return Err("a range is out of order");
        }
        let ranges = self.folded(ranges)?;
        Ok(if negated { complement(&ranges) } else { ranges })
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<Ranges, &'static str> {
        let word = vec![(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
        let code = |unit: u16| Ok(vec![(unit, unit)]);
        match self.rest.next().ok_or("it ends too early")? {
            'd' => Ok(vec![(0x30, 0x39)]),
            'D' => Ok(vec![(0, 0x2f), (0x3a, 0xffff)]),
            'w' => Ok(word),
            'W' => Ok(vec![(0, 0x2f), (0x3a, 0x40), (0x5b, 0x5e), (0x60, 0x60), (0x7b, 0xffff)]),
            's' => Ok(WHITESPACE.to_vec()),
            'S' => Ok(complement(&WHITESPACE)),
            'n' => code(0x0a),
            'r' => code(0x0d),
            't' => code(0x09),
            'v' => code(0x0b),
            'f' => code(0x0c),
            'x' => self.hexadecimal(2),
            'u' => self.hexadecimal(4),
            'b' | 'B' => Err("word boundaries are not known"),
            '0'..='9' | 'k' => Err("back references are not known"),
            letter if letter.is_ascii_alphabetic() => Err("an escape is not known"),
            character => Ok(vec![unit(character)?]),
        }
    }

    fn hexadecimal(&mut self, digits: usize) -> Result<Ranges, &'static str> {
        let code: String = self.rest.by_ref().take(digits).collect();
        let code = u16::from_str_radix(&code, 16).ok().filter(|_| code.len() == digits);
        code.map(|code| vec![(code, code)]).ok_or("an escape is not known")
    }

    /// With the flag i, ASCII letters stand for both cases; others are refused.
    fn folded(&self, mut ranges: Ranges) -> Result<Ranges, &'static str> {
        if !self.ignore_case {
            return Ok(ranges);
        }
        // Whitespace has no case, and up to the last unit is everything beyond ASCII.
        let has_case = |(low, high): &(u16, u16)| *low > 0x7f || *high > 0x7f && *high != 0xffff;
        let is_fixed = |range| WHITESPACE.contains(range) || complement(&WHITESPACE).contains(range);
        if ranges.iter().any(|range| has_case(range) && !is_fixed(range)) {
            return Err("the flag i is known for ASCII only");
        }
        let within = |letter: u16| ranges.iter().any(|(low, high)| (*low..=*high).contains(&letter));
        let pairs = (0x41..=0x5a).map(|upper: u16| (upper, upper + 0x20));
        let both: Ranges = pairs
            .filter(|(upper, lower)| within(*upper) || within(*lower))
            .flat_map(|(upper, lower)| [(upper, upper), (lower, lower)])
            .collect();
        ranges.extend(both);
        Ok(ranges)
    }

    fn take(&mut self, expected: char) -> bool {
        self.rest.next_if_eq(&expected).is_some()
    }
}

fn unit(character: char) -> Result<(u16, u16), &'static str> {
    let code = u16::try_from(u32::from(character)).map_err(|_| "a class has a character beyond UTF-16 units")?;
    Ok((code, code))
}
