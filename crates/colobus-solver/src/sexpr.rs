//! [`Sexpr`]: the parenthesised replies of solvers.

use std::fmt;

/// A word, a quoted text or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexpr {
    /// A symbol or a number.
    Atom(String),
    /// A string literal, doubled quotes undone, escapes kept.
    Text(String),
    /// A list in parentheses.
    List(Vec<Sexpr>),
}

impl Sexpr {
    /// Read one expression; `None` if the text is not exactly one.
    pub fn parse(text: &str) -> Option<Sexpr> {
        let mut stack: Vec<Vec<Sexpr>> = vec![Vec::new()];
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            match first {
                '(' => {
                    stack.push(Vec::new());
                    rest = &rest[1..];
                }
                ')' => {
                    let list = stack.pop()?;
                    stack.last_mut()?.push(Sexpr::List(list));
                    rest = &rest[1..];
                }
                '"' => {
                    let (inside, after) = quoted(&rest[1..])?;
                    stack.last_mut()?.push(Sexpr::Text(inside));
                    rest = after;
                }
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "()\"".contains(c)).unwrap_or(rest.len());
                    stack.last_mut()?.push(Sexpr::Atom(rest[..end].to_owned()));
                    rest = &rest[end..];
                }
            }
            rest = rest.trim_start();
        }
        let mut found = stack.pop().filter(|_| stack.is_empty())?;
        if found.len() == 1 { found.pop() } else { None }
    }

    /// Whether a text holds as many opening as closing parentheses outside of quotes, so that a reply is complete.
    pub fn is_complete(text: &str) -> bool {
        let (mut depth, mut in_quotes) = (0i64, false);
        for character in text.chars() {
            match character {
                '"' => in_quotes = !in_quotes,
                '(' if !in_quotes => depth += 1,
                ')' if !in_quotes => depth -= 1,
                _ => {}
            }
        }
        !in_quotes && depth <= 0
    }
}

/// The inside of a literal whose opening quote was read, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"')?;
        inside.push_str(before);
        match after.strip_prefix('"') {
            Some(more) => {
                inside.push('"');
                rest = more;
            }
            None => return Some((inside, after)),
        }
    }
}

impl fmt::Display for Sexpr {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Sexpr::Atom(word) => f.write_str(word),
            Sexpr::Text(inside) => write!(f, "\"{}\"", inside.replace('"', "\"\"")),
            Sexpr::List(list) => {
                let parts: Vec<String> = list.iter().map(Sexpr::to_string).collect();
                write!(f, "({})", parts.join(" "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_and_printed_back() {
        for text in ["sat", "((a 5) (b (- 3)))", "((s \"say \"\"hi\"\" (\"))"] {
            assert_eq!(Sexpr::parse(text).unwrap().to_string(), text);
            assert!(Sexpr::is_complete(text));
        }
        for broken in ["(a", "a)", "\"open", "a b", ""] {
            assert_eq!(Sexpr::parse(broken), None, "{broken}");
        }
        assert!(!Sexpr::is_complete("((a \")\")"));
    }
}
