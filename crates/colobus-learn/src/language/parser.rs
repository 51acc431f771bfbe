//! The parser of descriptions. Errors say line and column.

use super::lexer::{Place, Token, tokens};
use super::{
    Alternative, Answer, Cardinality, Channel, ChannelKind, Condition, Content, Datatype, Description, Echo,
    FileReference, Fragment, Header, MessagePattern, Operation, Parameter, Reference,
};
use crate::Direction;

/// Why a text is no description, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

impl ParseError {
    pub(super) fn at(place: Place, message: String) -> ParseError {
        ParseError { line: place.line, column: place.column, message }
    }
}

type Result<T> = std::result::Result<T, ParseError>;

impl Description {
    /// Reads a description. `# …` is a comment.
    pub fn parse(text: &str) -> Result<Description> {
        let (base, line, rest) = base(text)?;
        let mut parser = Parser { tokens: tokens(rest, line)?, at: 0 };
        let mut description = Description { base, ..Description::default() };
        loop {
            match parser.next() {
                (Token::End, _) => return Ok(description),
                (Token::Word(method), place) => description.operations.push(parser.operation(method, place)?),
                (Token::Extension, place) => parser.extension(&mut description, place)?,
                (other, place) => return Err(unexpected("a method such as GET", &other, place)),
            }
        }
    }
}

impl FileReference {
    /// All references of a text, for messages about files that a description lacks. Those of a text that is no description are none.
    pub fn all(text: &str) -> Vec<FileReference> {
        let found = base(text).and_then(|(_, line, rest)| tokens(rest, line)).unwrap_or_default();
        let reference = |(token, place): (Token, Place)| match token {
            Token::File(reference) => {
                let (file, definition) = split(&reference);
                Some(FileReference { file: file.to_string(), definition, line: place.line, column: place.column })
            }
            _ => None,
        };
        found.into_iter().filter_map(reference).collect()
    }
}

/// The base, the number of the line after it, and the text from there on.
fn base(text: &str) -> Result<(String, usize, &str)> {
    let mut rest = text;
    for number in 1.. {
        let (line, below) = rest.split_once('\n').unwrap_or((rest, ""));
        let content = line.trim();
        let blank = content.is_empty() || content.starts_with('#');
        if let Some(base) = content.strip_prefix("URL ").map(str::trim).filter(|base| !base.is_empty()) {
            return Ok((base.to_string(), number + 1, below));
        }
        if !blank || (below.is_empty() && !rest.contains('\n')) {
            let message = "a description begins with `URL` and the address of the server".to_string();
            return Err(ParseError { line: number, column: 1, message });
        }
        rest = below;
    }
    unreachable!("every text has a last line")
}

fn unexpected(wanted: &str, found: &Token, place: Place) -> ParseError {
    ParseError::at(place, format!("expected {wanted}, found {found}"))
}

struct Parser {
    tokens: Vec<(Token, Place)>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)].0
    }

    fn next(&mut self) -> (Token, Place) {
        let found = self.tokens[self.at.min(self.tokens.len() - 1)].clone();
        self.at += 1;
        found
    }

    fn take(&mut self, sign: char) -> bool {
        let found = *self.peek() == Token::Sign(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char, wanted: &str) -> Result<()> {
        match self.next() {
            (Token::Sign(found), _) if found == sign => Ok(()),
            (other, place) => Err(unexpected(wanted, &other, place)),
        }
    }

    /// A word or a quoted text.
    fn name(&mut self, wanted: &str) -> Result<String> {
        match self.next() {
            (Token::Word(name) | Token::Text(name), _) => Ok(name),
            (other, place) => Err(unexpected(wanted, &other, place)),
        }
    }

    fn text(&mut self, wanted: &str) -> Result<String> {
        match self.next() {
            (Token::Text(text), _) => Ok(text),
            (other, place) => Err(unexpected(wanted, &other, place)),
        }
    }

    fn operation(&mut self, method: String, place: Place) -> Result<Operation> {
        if !method.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-') {
            let message = format!("expected a method in capital letters, found `{method}`");
            return Err(ParseError::at(place, message));
        }
        let (path, parameters) = self.pattern()?;
        self.expect(':', "`:` and the response")?;
        let response = self.datatype(true)?;
        Ok(Operation { method, path, parameters, response, ..Operation::default() })
    }

    fn pattern(&mut self) -> Result<(Vec<Fragment>, Vec<Parameter>)> {
        self.take('/');
        let mut path = Vec::new();
        if *self.peek() != Token::Sign('(') {
            path.push(self.fragment()?);
            while self.take('/') {
                path.push(self.fragment()?);
            }
        }
        self.expect('(', "`/` or `(`")?;
        let mut parameters: Vec<Parameter> = Vec::new();
        if !self.take(')') {
            loop {
                let place = self.tokens[self.at].1;
                let parameter = self.parameter()?;
                if parameters.iter().any(|other| other.name == parameter.name) {
                    let message =
                        format!("the parameter `{}` is there twice; write `+` for several values", parameter.name);
                    return Err(ParseError::at(place, message));
                }
                parameters.push(parameter);
                if !self.take(',') {
                    break;
                }
            }
            self.expect(')', "`,` or `)`")?;
        }
        Ok((path, parameters))
    }

    fn fragment(&mut self) -> Result<Fragment> {
        if let Token::Word(_) | Token::Text(_) = self.peek() {
            let quoted = matches!(self.peek(), Token::Text(_));
            let name = self.name("a fragment")?;
            if self.take(':') {
                return Ok(Fragment::Value { name: Some(name), datatype: self.datatype(false)? });
            }
            if !(quoted && *self.peek() == Token::Sign('|')) {
                return Ok(Fragment::Constant(name));
            }
            // A union without a name begins with a constant.
            self.at -= 1;
        }
        Ok(Fragment::Value { name: None, datatype: self.datatype(false)? })
    }

    fn parameter(&mut self) -> Result<Parameter> {
        let name = self.name("the name of a parameter")?;
        self.expect(':', "`:` and a datatype")?;
        let cardinality = match () {
            () if self.take('?') => Cardinality::Optional,
            () if self.take('+') => Cardinality::Many,
            () => Cardinality::One,
        };
        Ok(Parameter { name, cardinality, datatype: self.datatype(false)? })
    }

    fn datatype(&mut self, response: bool) -> Result<Datatype> {
        let mut alternatives = Vec::new();
        loop {
            alternatives.push(match self.next() {
                (Token::Text(text), _) => Alternative::Constant(text),
                (Token::Sign('*'), _) => Alternative::Any,
                (Token::Word(word), _) if word == "void" && response => Alternative::Void,
                (Token::Word(word), place) if word == "void" => {
                    return Err(ParseError::at(place, "`void` describes responses only".to_string()));
                }
                (Token::File(file), place) => schema_file(&file, place)?,
                (other, place) => {
                    let wanted = "a datatype: \"text\", *, void, @file.json or @file.rng";
                    return Err(unexpected(wanted, &other, place));
                }
            });
            if !self.take('|') {
                return Ok(Datatype(alternatives));
            }
        }
    }

    /// A line that begins with `!`. It belongs to the operation or channel before it.
    fn extension(&mut self, description: &mut Description, place: Place) -> Result<()> {
        let (Token::Word(word), _) = self.next() else {
            let message = "expected a word or a status code after `!`".to_string();
            return Err(ParseError::at(place, message));
        };
        if let Some(kind) = match word.as_str() {
            "socket" => Some(ChannelKind::Socket),
            "events" => Some(ChannelKind::Events),
            _ => None,
        } {
            let (path, parameters) = self.pattern()?;
            description.channels.push(Channel { kind, path, parameters, messages: Vec::new() });
            return Ok(());
        }
        if let "send" | "receive" = word.as_str() {
            let message = self.message(if word == "send" { Direction::Send } else { Direction::Receive })?;
            let nowhere = || ParseError::at(place, format!("`! {word}` needs a `! socket` or `! events` before it"));
            description.channels.last_mut().ok_or_else(nowhere)?.messages.push(message);
            return Ok(());
        }
        let nowhere = || ParseError::at(place, format!("`! {word}` needs an operation before it"));
        let operation = description.operations.last_mut().ok_or_else(nowhere)?;
        self.clause(&word, operation, place)
    }

    fn clause(&mut self, word: &str, operation: &mut Operation, place: Place) -> Result<()> {
        let extensions = &mut operation.extensions;
        match word {
            "rest" => {
                let name = self.name("the name of a path parameter")?;
                let named = |fragment: &Fragment| matches!(fragment, Fragment::Value { name: Some(found), .. } if *found == name);
                if !operation.path.iter().any(named) {
                    return Err(ParseError::at(place, format!("the path has no parameter `{name}`")));
                }
                extensions.rest = Some(name);
            }
            "where" => {
                let field = self.name("a field of the body")?;
                extensions.conditions.push(Condition { field, value: self.text("the value in quotes")? });
            }
            "header" => {
                let name = self.name("the name of a header")?;
                extensions.headers.push(Header { name, datatype: self.datatype(false)? });
            }
            "body" => {
                let content_type = self.text("a content type in quotes")?;
                extensions.bodies.push(Content { content_type, datatype: self.datatype(false)? });
            }
            "auth" => extensions.auth.push(self.name("a scheme such as bearer")?),
            "echo" => {
                let parameter = self.name("the name of a parameter")?;
                extensions.echoes.push(Echo { parameter, pointer: self.text("a pointer in quotes")? });
            }
            "reference" => {
                let parameter = self.name("the name of a parameter")?;
                let (Token::File(file), _) = self.next() else {
                    return Err(ParseError::at(
                        place,
                        "`! reference` needs a name, a @file.json and a pointer".to_string(),
                    ));
                };
                extensions.references.push(Reference { parameter, file, pointer: self.text("a pointer in quotes")? });
            }
            status => {
                let code = status.parse().ok().filter(|code| (100..600).contains(code));
                let unknown =
                    || ParseError::at(place, format!("`! {status}` is not an extension that this version knows"));
                let status = code.ok_or_else(unknown)?;
                let content_type = self.content_type();
                extensions.answers.push(Answer { status, content_type, datatype: self.datatype(true)? });
            }
        }
        Ok(())
    }

    /// A quoted text that a datatype follows.
    fn content_type(&mut self) -> Option<String> {
        let Token::Text(text) = self.peek().clone() else { return None };
        let follows = self.tokens.get(self.at + 1).map(|(token, _)| token);
        let datatype = matches!(follows, Some(Token::Text(_) | Token::File(_) | Token::Sign('*')))
            || matches!(follows, Some(Token::Word(word)) if word == "void");
        self.at += usize::from(datatype);
        datatype.then_some(text)
    }

    fn message(&mut self, direction: Direction) -> Result<MessagePattern> {
        let two_texts =
            matches!(self.tokens.get(self.at..self.at + 2), Some([(Token::Text(_), _), (Token::Text(_), _)]));
        let discriminator = if two_texts || matches!(self.peek(), Token::Word(_)) {
            let field = self.name("a field of the message")?;
            Some(Condition { field, value: self.text("the value in quotes")? })
        } else {
            None
        };
        Ok(MessagePattern { direction, discriminator, datatype: self.datatype(false)? })
    }
}

/// A file, and what stands behind `#`.
fn split(reference: &str) -> (&str, Option<String>) {
    match reference.split_once('#') {
        Some((file, definition)) => (file, Some(definition.to_string())),
        None => (reference, None),
    }
}

fn schema_file(reference: &str, place: Place) -> Result<Alternative> {
    let (file, definition) = split(reference);
    // Schemas stand beside the description.
    let outside = file.contains('\\') || file.starts_with("..");
    match () {
        () if outside => Err(ParseError::at(place, format!("`@{file}` is outside the folder of the description"))),
        () if file.ends_with(".json") && definition.is_none() => Ok(Alternative::Json(file.to_string())),
        () if file.ends_with(".rng") => Ok(Alternative::Rng { file: file.to_string(), definition }),
        () => Err(ParseError::at(place, format!("`@{reference}` is neither a .json nor a .rng file"))),
    }
}
