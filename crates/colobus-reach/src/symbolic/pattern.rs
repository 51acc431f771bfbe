//! [`Pattern`]: a regular expression of JavaScript, read as the language of the texts in which it finds a match.

use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

use colobus_solver::{Regex, Text};
use serde::{Deserialize, Serialize};

use super::number::WHITESPACE;

/// Counted repetitions beyond this are refused: the language would be written out that often.
const MOST_REPETITIONS: u32 = 64;

/// A regular expression whose matches can be decided and solved for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "(String, String)", try_from = "(String, String)")]
pub struct Pattern {
    source: String,
    flags: String,
    language: Regex,
}

/// Why a regular expression cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("/{expression}/{flags} cannot be followed: {reason}")]
pub struct PatternError {
    expression: String,
    flags: String,
    reason: &'static str,
}

impl Pattern {
    /// Read a regular expression. Back references, look around, word boundaries and flags but `i` are refused.
    pub fn new(source: &str, flags: &str) -> Result<Pattern, PatternError> {
        let refuse = |reason| PatternError { expression: source.to_owned(), flags: flags.to_owned(), reason };
        if !matches!(flags, "" | "i") {
            return Err(refuse("only the flag i is known"));
        }
        let mut reader = Reader { rest: source.chars().peekable(), ignore_case: flags == "i" };
        let language = reader.top().map_err(refuse)?;
        Ok(Pattern { source: source.to_owned(), flags: flags.to_owned(), language })
    }

    /// Whether it matches somewhere in a text.
    pub fn matches(&self, text: &Text) -> bool {
        self.language.matches(text)
    }

    /// The texts in which it matches.
    pub fn language(&self) -> &Regex {
        &self.language
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "/{}/{}", self.source, self.flags)
    }
}

impl From<Pattern> for (String, String) {
    fn from(pattern: Pattern) -> Self {
        (pattern.source, pattern.flags)
    }
}

impl TryFrom<(String, String)> for Pattern {
    type Error = PatternError;

    fn try_from((source, flags): (String, String)) -> Result<Self, PatternError> {
        Pattern::new(&source, &flags)
    }
}

type Ranges = Vec<(u16, u16)>;

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    ignore_case: bool,
}

impl Reader<'_> {
    /// Alternatives that may be anchored at either end.
    fn top(&mut self) -> Result<Regex, &'static str> {
        let mut language = Regex::Nothing;
        loop {
            let before = if self.take('^') { Regex::Empty } else { Regex::all() };
            let found = self.sequence()?;
            let after = if self.take('$') { Regex::Empty } else { Regex::all() };
            language = language.or(before.then(found).then(after));
            match self.rest.next() {
                None => return Ok(language),
                Some('|') => {}
                Some(')') => return Err("a parenthesis is not opened"),
                Some(_) => return Err("anchors inside are not known"),
            }
        }
    }

    fn group(&mut self) -> Result<Regex, &'static str> {
        if self.take('?') && !self.take(':') {
            return Err("look around and named groups are not known");
        }
        let mut language = Regex::Nothing;
        loop {
            language = language.or(self.sequence()?);
            match self.rest.next() {
                Some(')') => return Ok(language),
                Some('|') => {}
                Some(_) => return Err("anchors inside are not known"),
                None => return Err("a parenthesis is not closed"),
            }
        }
    }

    fn sequence(&mut self) -> Result<Regex, &'static str> {
        let mut parts = Vec::new();
        while let Some(&next) = self.rest.peek() {
            if "|)^$".contains(next) {
                break;
            }
            let atom = self.atom()?;
            parts.push(self.repeated(atom)?);
        }
        Ok(Regex::sequence(parts))
    }

    fn atom(&mut self) -> Result<Regex, &'static str> {
        match self.rest.next() {
            Some('(') => self.group(),
            Some('[') => self.class(),
            Some('.') => Ok(Regex::none_of(&[(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)])),
            Some('\\') => {
                let ranges = self.escape()?;
                Ok(Regex::one_of(&self.folded(ranges)?))
            }
            Some('*' | '+' | '?' | '{') => Err("nothing to repeat"),
            Some(character) => {
                let mut units = [0; 2];
                let units = character.encode_utf16(&mut units).iter().map(|unit| vec![(*unit, *unit)]);
                let units = units.map(|ranges| self.folded(ranges).map(|ranges| Regex::one_of(&ranges)));
                Ok(Regex::sequence(units.collect::<Result<Vec<_>, _>>()?))
            }
            None => Err("it ends too early"),
        }
    }

    fn repeated(&mut self, atom: Regex) -> Result<Regex, &'static str> {
        let repeated = match self.rest.peek() {
            Some('*') => atom.star(),
            Some('+') => atom.plus(),
            Some('?') => atom.optional(),
            Some('{') => {
                self.rest.next();
                let counts: String = self.rest.by_ref().take_while(|c| *c != '}').collect();
                let (least, most) = counts.split_once(',').unwrap_or((&counts, &counts));
                let number = |text: &str| text.parse().ok().filter(|n: &u32| *n <= MOST_REPETITIONS);
                let least = number(least).ok_or("a count of repetitions is missing or too large")?;
                let most = match most {
                    "" => None,
                    most => Some(number(most).ok_or("a count of repetitions is missing or too large")?),
                };
                self.take('?');
                return Ok(atom.repeat(least, most));
            }
            _ => return Ok(atom),
        };
        self.rest.next();
        // Whether it is greedy does not matter for whether it matches.
        self.take('?');
        Ok(repeated)
    }

    fn class(&mut self) -> Result<Regex, &'static str> {
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
        Ok(if negated { Regex::none_of(&ranges) } else { Regex::one_of(&ranges) })
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
        if ranges.iter().any(|range| has_case(range) && !WHITESPACE.contains(range)) {
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
