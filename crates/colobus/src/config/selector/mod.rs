//! The syntax of CSS selectors, so that a mistyped one is an error of the configuration and not of every run.
//! Names of pseudo-classes are left to the browser, which may know more of them than this file, unless they are clearly
//! a mistyped well-known one.

mod scanner;
#[cfg(test)]
mod tests;

use super::nearest::nearest;
use scanner::{Parsed, Scanner};

/// What is wrong with a selector, and at which byte.
#[derive(Debug, PartialEq, Eq)]
pub struct SelectorError {
    pub offset: usize,
    pub message: String,
}

/// Whether `text` is a list of CSS selectors.
pub fn check_selector(text: &str) -> Result<(), SelectorError> {
    let mut scanner = Scanner::new(text);
    scanner.list(Relative::No)?;
    match scanner.peek() {
        None => Ok(()),
        Some(c) => Err(scanner.error(format!("`{c}` cannot stand here"))),
    }
}

/// Whether selectors may begin with a combinator, as in `:has(> b)`.
#[derive(Clone, Copy, PartialEq)]
enum Relative {
    Yes,
    No,
}

const WITH_SELECTORS: [&str; 7] = ["is", "where", "not", "has", "host", "host-context", "slotted"];
const WITH_POSITIONS: [&str; 4] = ["nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"];
const WELL_KNOWN: [&str; 29] = [
    "active",
    "checked",
    "default",
    "defined",
    "disabled",
    "empty",
    "enabled",
    "first-child",
    "first-of-type",
    "focus",
    "focus-visible",
    "focus-within",
    "hover",
    "indeterminate",
    "invalid",
    "last-child",
    "last-of-type",
    "link",
    "only-child",
    "only-of-type",
    "optional",
    "placeholder-shown",
    "read-only",
    "read-write",
    "required",
    "root",
    "target",
    "valid",
    "visited",
];

impl Scanner<'_> {
    fn list(&mut self, relative: Relative) -> Parsed<()> {
        loop {
            self.complex(relative)?;
            if !self.take(',') {
                return Ok(());
            }
        }
    }

    /// Compounds joined by combinators.
    fn complex(&mut self, relative: Relative) -> Parsed<()> {
        self.spaces();
        if relative == Relative::Yes {
            self.combinator();
        }
        loop {
            self.compound()?;
            let spaced = self.spaces();
            let joined = self.combinator();
            let at_end = matches!(self.peek(), None | Some(',' | ')'));
            match (joined, spaced, at_end) {
                (Some(combinator), _, true) => {
                    return Err(self.error(format!("something must follow the `{combinator}`")));
                }
                (Some(_), _, false) | (None, true, false) => {}
                (None, _, true) => return Ok(()),
                // The caller knows what may stand here.
                (None, false, false) => return Ok(()),
            }
        }
    }

    fn combinator(&mut self) -> Option<char> {
        let combinator = self.peek().filter(|c| matches!(c, '>' | '+' | '~'))?;
        self.at += 1;
        self.spaces();
        Some(combinator)
    }

    /// A type and what must hold of the same element: `li.done:not([hidden])::before`.
    fn compound(&mut self) -> Parsed<()> {
        let start = self.at;
        if self.take('*') || self.starts_name() {
            self.at = start;
            if !self.take('*') {
                self.name("an element")?;
            }
            if self.peek() == Some('|') && !self.rest().starts_with("|=") {
                self.at += 1;
                if !self.take('*') {
                    self.name("an element")?;
                }
            }
        }
        loop {
            match self.peek() {
                Some('#') => self.named('#', "an id")?,
                Some('.') => self.named('.', "a class")?,
                Some('[') => self.attribute()?,
                Some(':') => self.pseudo()?,
                found if self.at == start => return Err(self.unexpected(found)),
                _ => return Ok(()),
            }
        }
    }

    fn unexpected(&self, found: Option<char>) -> SelectorError {
        self.error(match found {
            None => "a selector must stand here".to_string(),
            Some(c) if c.is_ascii_digit() => format!("a name cannot begin with `{c}`"),
            Some(c) => format!("`{c}` cannot begin a selector"),
        })
    }

    fn named(&mut self, mark: char, what: &str) -> Parsed<()> {
        self.take(mark);
        // Ids may begin with a digit in colours only, not in selectors.
        self.name(&format!("{what} after `{mark}`")).map(drop)
    }

    fn attribute(&mut self) -> Parsed<()> {
        let opening = self.at;
        self.take('[');
        self.spaces();
        self.name("an attribute after `[`")?;
        if self.peek() == Some('|') && !self.rest().starts_with("|=") {
            self.at += 1;
            self.name("an attribute after `|`")?;
        }
        self.spaces();
        let operator = ["~=", "|=", "^=", "$=", "*=", "="].into_iter().find(|op| self.rest().starts_with(op));
        if let Some(operator) = operator {
            self.at += operator.len();
            self.spaces();
            match self.peek() {
                Some(quote @ ('"' | '\'')) => self.string(quote)?,
                _ => drop(self.name(&format!("a name or a quoted text after `{operator}`"))?),
            }
            self.spaces();
            if matches!(self.peek(), Some('i' | 'I' | 's' | 'S')) {
                self.at += 1;
                self.spaces();
            }
        }
        match self.peek() {
            Some(']') => {
                self.at += 1;
                Ok(())
            }
            None => Err(self.error_at(opening, "this `[` is never closed")),
            Some(c) => Err(self.error(format!("`{c}` cannot stand in an attribute selector"))),
        }
    }

    fn pseudo(&mut self) -> Parsed<()> {
        self.take(':');
        let element = self.take(':');
        let start = self.at;
        let name = self.name(if element { "a pseudo-element after `::`" } else { "a pseudo-class after `:`" })?;
        let name = name.to_ascii_lowercase();
        if self.peek() != Some('(') {
            let known = || WELL_KNOWN.into_iter().filter(|_| !element);
            return match nearest(&name, known()) {
                Some(meant) if meant != name && name.len() > 4 && !known().any(|k| k == name) => {
                    Err(self.error_at(start, format!("there is no `:{name}`; did you mean `:{meant}`?")))
                }
                _ => Ok(()),
            };
        }
        let opening = self.at;
        self.take('(');
        if WITH_SELECTORS.contains(&name.as_str()) {
            self.arguments(if name == "has" { Relative::Yes } else { Relative::No })?;
        } else if WITH_POSITIONS.contains(&name.as_str()) {
            self.position()?;
        } else {
            self.balanced(opening)?;
        }
        self.spaces();
        match self.peek() {
            Some(')') => {
                self.at += 1;
                Ok(())
            }
            None => Err(self.error_at(opening, "this `(` is never closed")),
            Some(c) => Err(self.error(format!("`{c}` cannot stand in `:{name}(…)`"))),
        }
    }

    /// `2n + 1`, `odd`, `even`, `-n + 3`, `4`, each perhaps with `of` and selectors.
    fn position(&mut self) -> Parsed<()> {
        let start = self.at;
        let length = self.rest().find([')', 'o', 'O']).unwrap_or(self.rest().len());
        let formula: String = self.rest()[..length].split_whitespace().collect::<String>().to_ascii_lowercase();
        self.spaces();
        let word = ["odd", "even"]
            .into_iter()
            .find(|word| self.rest().get(..word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word)));
        match word {
            Some(word) => self.at += word.len(),
            None if is_position(&formula) => self.at = start + length,
            None => {
                return Err(self.error("a position must stand here, such as `2`, `odd` or `2n + 1`"));
            }
        }
        self.spaces();
        if self.rest().get(..2).is_some_and(|word| word.eq_ignore_ascii_case("of")) {
            self.at += 2;
            self.arguments(Relative::No)?;
        }
        Ok(())
    }

    /// Selectors up to the closing parenthesis; none are allowed as well.
    fn arguments(&mut self, relative: Relative) -> Parsed<()> {
        self.spaces();
        if self.peek() == Some(')') { Ok(()) } else { self.list(relative) }
    }
}

/// `4`, `n`, `-2n`, `2n+1`, without spaces.
fn is_position(formula: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let unsigned = |text: &str| text.trim_start_matches(['+', '-']).to_string();
    match formula.split_once('n') {
        None => number(&unsigned(formula)),
        Some((step, offset)) => {
            let step = unsigned(step);
            let signed_offset = offset.starts_with(['+', '-']) && number(&offset[1..]);
            (step.is_empty() || number(&step)) && (offset.is_empty() || signed_offset)
        }
    }
}
