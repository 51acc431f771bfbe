//! [`Scanner`]: the words of CSS selectors: names with escapes, quoted texts, parentheses.

use super::SelectorError;

pub type Parsed<T> = Result<T, SelectorError>;

pub struct Scanner<'a> {
    text: &'a str,
    /// The byte that comes next.
    pub at: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    /// Anything up to the parenthesis that closes the one at `opening`.
    pub fn balanced(&mut self, opening: usize) -> Parsed<()> {
        let mut depth = 0;
        loop {
            match self.peek() {
                None => return Err(self.error_at(opening, "this `(` is never closed")),
                Some(')') if depth == 0 => return Ok(()),
                Some(quote @ ('"' | '\'')) => self.string(quote)?,
                Some(c) => {
                    depth += i32::from(c == '(') - i32::from(c == ')');
                    self.at += c.len_utf8();
                }
            }
        }
    }

    pub fn string(&mut self, quote: char) -> Parsed<()> {
        let opening = self.at;
        self.at += 1;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '\\' => self.at += self.peek().map_or(0, char::len_utf8),
                '\n' => break,
                _ if c == quote => return Ok(()),
                _ => {}
            }
        }
        Err(self.error_at(opening, format!("this {quote} is never closed")))
    }

    pub fn starts_name(&self) -> bool {
        let mut rest = self.rest().chars();
        match rest.next() {
            Some('-') => rest.next().is_some_and(|c| c == '-' || c == '\\' || is_name_start(c)),
            Some('\\') => rest.next().is_some_and(|c| c != '\n'),
            Some(c) => is_name_start(c),
            None => false,
        }
    }

    pub fn name(&mut self, what: &str) -> Parsed<&str> {
        if !self.starts_name() {
            return Err(self.error(match self.peek() {
                Some(c) if c.is_ascii_digit() => {
                    format!("{what} cannot begin with `{c}`: write `\\3{c} `")
                }
                _ => format!("{what} must stand here"),
            }));
        }
        let start = self.at;
        while let Some(c) = self.peek() {
            match c {
                '\\' => self.escape(),
                c if is_name_start(c) || c.is_ascii_digit() || c == '-' => self.at += c.len_utf8(),
                _ => break,
            }
        }
        Ok(&self.text[start..self.at])
    }

    /// `\:` or up to six hexadecimal digits and a space: `\31 `.
    fn escape(&mut self) {
        self.at += 1;
        let digits = self.rest().chars().take(6).take_while(char::is_ascii_hexdigit).count();
        if digits == 0 {
            self.at += self.peek().map_or(0, char::len_utf8);
        } else {
            self.at += digits;
            if self.peek().is_some_and(char::is_whitespace) {
                self.at += self.peek().map_or(0, char::len_utf8);
            }
        }
    }

    pub fn spaces(&mut self) -> bool {
        let spaces = self.rest().len() - self.rest().trim_start().len();
        self.at += spaces;
        spaces > 0
    }

    pub fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += if there { wanted.len_utf8() } else { 0 };
        there
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    pub fn error(&self, message: impl Into<String>) -> SelectorError {
        self.error_at(self.at, message)
    }

    pub fn error_at(&self, offset: usize, message: impl Into<String>) -> SelectorError {
        SelectorError { offset, message: message.into() }
    }
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}
