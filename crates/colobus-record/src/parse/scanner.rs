//! [`Scanner`]: a line, read from left to right. Every problem knows its column.

use crate::Point;

/// What is wrong, and where in the line: columns count characters, from one.
pub struct Problem {
    pub column: usize,
    pub message: String,
}

pub type Parsed<T> = Result<T, Problem>;

pub struct Scanner<'a> {
    line: &'a str,
    /// In bytes; always between two characters.
    position: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(line: &'a str) -> Scanner<'a> {
        Scanner { line, position: 0 }
    }

    pub fn rest(&self) -> &'a str {
        &self.line[self.position..]
    }

    pub fn position(&self) -> usize {
        self.position
    }

    pub fn problem<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.problem_at(self.position, message)
    }

    pub fn problem_at<T>(&self, position: usize, message: impl Into<String>) -> Parsed<T> {
        let column = self.line[..position].chars().count() + 1;
        Err(Problem { column, message: message.into() })
    }

    pub fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found: String = self.rest().split(' ').next().unwrap_or_default().chars().take(30).collect();
        match found.as_str() {
            "" if self.rest().is_empty() => self.problem(format!("the line ends where {what} should be")),
            _ => self.problem(format!("expected {what}, found `{found}`")),
        }
    }

    /// Whether `text` comes next; if so, it is read.
    pub fn take(&mut self, text: &str) -> bool {
        let taken = self.rest().starts_with(text);
        if taken {
            self.position += text.len();
        }
        taken
    }

    pub fn space(&mut self) -> Parsed<()> {
        if self.take(" ") { Ok(()) } else { self.expected("a space") }
    }

    /// Whether a space and then `text` come next, as a word of its own; if so, both are read.
    pub fn take_word(&mut self, text: &str) -> bool {
        let next = self.rest().strip_prefix(' ').and_then(|rest| rest.strip_prefix(text));
        let whole = next.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        if whole {
            self.position += 1 + text.len();
        }
        whole
    }

    /// As many characters as `belongs` wants.
    pub fn while_(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.position += end;
        &rest[..end]
    }

    pub fn word(&mut self) -> &'a str {
        self.while_(|c| c != ' ')
    }

    pub fn number<T: std::str::FromStr>(&mut self, what: &str) -> Parsed<T> {
        let start = self.position;
        let digits = self.while_(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(number) => Ok(number),
            Err(_) if digits.is_empty() => self.expected(what),
            Err(_) => self.problem_at(start, format!("{digits} is too large for {what}")),
        }
    }

    /// `12,-3.5`
    pub fn point(&mut self) -> Parsed<Point> {
        const WHAT: &str = "a place such as 82,44";
        let start = self.position;
        let belongs = |c: char| c.is_ascii_digit() || c == '-' || c == '.' || c == ',';
        let text = self.while_(belongs);
        let read = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        let point = text.split_once(',').and_then(|(x, y)| Some(Point { x: read(x)?, y: read(y)? }.rounded()));
        match point {
            Some(point) => Ok(point),
            None => {
                self.position = start;
                self.expected(WHAT)
            }
        }
    }

    /// Whether a place comes after the next space.
    pub fn point_follows(&self) -> bool {
        let mut rest = self.rest().chars();
        rest.next() == Some(' ') && rest.next().is_some_and(|c| c.is_ascii_digit() || c == '-')
    }

    /// A text in double quotes, with the escapes of JSON.
    pub fn string(&mut self, what: &str) -> Parsed<String> {
        let start = self.position;
        if !self.take("\"") {
            return self.expected(&format!("{what} in double quotes"));
        }
        let mut escaped = false;
        for (offset, character) in self.rest().char_indices() {
            match character {
                '"' if !escaped => {
                    self.position += offset + 1;
                    let text = &self.line[start..self.position];
                    return match serde_json::from_str(text) {
                        Ok(text) => Ok(text),
                        Err(error) => {
                            // Counted in bytes there.
                            let mut at = start + error.column().saturating_sub(1);
                            while !self.line.is_char_boundary(at) {
                                at -= 1;
                            }
                            self.problem_at(at, "this escape means nothing: write \\\" \\\\ \\n \\t or \\u0000")
                        }
                    };
                }
                '\\' => escaped = !escaped,
                _ => escaped = false,
            }
        }
        self.problem_at(start, "this text has no closing quote")
    }

    /// The texts that come next, each after a space.
    pub fn strings(&mut self, what: &str) -> Parsed<Vec<String>> {
        let mut texts = Vec::new();
        while self.rest().starts_with(" \"") {
            self.space()?;
            texts.push(self.string(what)?);
        }
        Ok(texts)
    }
}
