//! Reads what [`crate::write`] writes, and what people write by hand. The first problem ends it, with line and column.

mod element;
mod event;
mod scanner;

use scanner::{Parsed, Problem, Scanner};

use crate::recording::VERSION;
use crate::{Line, Recording, Timing, Viewport, Who};

const FIRST_WORD: &str = "colobus-recording";

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    #[error("{line}:{column}: {message}")]
    Broken { line: usize, column: usize, message: String },
    #[error("1:1: this is not a recording: its first line must be `{FIRST_WORD} {VERSION}`")]
    NoRecording,
    #[error(
        "1:{}: the recording has version {version}, and this colobus reads version {VERSION}: replay it with the colobus that wrote it, or install a newer one",
        FIRST_WORD.len() + 2
    )]
    Version { version: String },
}

/// Whether a file with this beginning is a recording, of whatever version.
pub fn is_recording(text: &str) -> bool {
    text.strip_prefix(FIRST_WORD).is_some_and(|rest| rest.starts_with(' '))
}

impl Recording {
    pub fn parse(text: &str) -> Result<Recording, ParseError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        match lines.next().and_then(|(_, line)| line.strip_prefix(FIRST_WORD)?.strip_prefix(' ')) {
            None => return Err(ParseError::NoRecording),
            Some(version) if version.trim_end() != VERSION.to_string() => {
                return Err(ParseError::Version { version: version.trim_end().to_string() });
            }
            Some(_) => {}
        }
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let missing = ParseError::Broken {
            line: 2,
            column: 1,
            message: "the recording ends before its second line, such as `viewport 1280x720`".to_string(),
        };
        let (number, line) = lines.next().ok_or(missing)?;
        let viewport = viewport(line).map_err(|problem| broken(number, problem))?;
        let lines = lines.map(|(number, line)| parse_line(line).map_err(|problem| broken(number, problem)));
        Ok(Recording { viewport, lines: lines.collect::<Result<_, _>>()? })
    }
}

fn broken(line: usize, problem: Problem) -> ParseError {
    ParseError::Broken { line, column: problem.column, message: problem.message }
}

fn viewport(line: &str) -> Parsed<Viewport> {
    let mut scanner = Scanner::new(line.trim_end());
    if !scanner.take("viewport ") {
        return scanner.expected("`viewport`, as in `viewport 1280x720`");
    }
    let width = side(&mut scanner, "a width")?;
    if !scanner.take("x") {
        return scanner.expected("`x`");
    }
    let height = side(&mut scanner, "a height")?;
    ended(&scanner)?;
    Ok(Viewport { width, height })
}

fn side(scanner: &mut Scanner<'_>, what: &str) -> Parsed<u32> {
    let start = scanner.position();
    match scanner.number(what)? {
        number @ 1..=16_384 => Ok(number),
        number => scanner.problem_at(start, format!("{number} pixels are not a window: 1 to 16384 are")),
    }
}

fn parse_line(line: &str) -> Parsed<Line> {
    let mut scanner = Scanner::new(line.trim_end());
    let who = who(&mut scanner)?;
    scanner.space()?;
    let event = event::event(&mut scanner)?;
    if !scanner.take(" +") {
        return scanner.expected("the time since the line before, such as ` +120`");
    }
    let after_ms = scanner.number("milliseconds")?;
    // The longest mark first.
    let timing = Timing::ALL.into_iter().rev().find(|timing| scanner.take(timing.mark())).unwrap_or_default();
    ended(&scanner)?;
    Ok(Line { who, event, after_ms, timing })
}

fn who(scanner: &mut Scanner<'_>) -> Parsed<Who> {
    let letter = scanner.rest().bytes().next().filter(u8::is_ascii_uppercase);
    let Some(letter) = letter else {
        return scanner.expected("a user: a letter from A to Z");
    };
    scanner.take(&char::from(letter).to_string());
    let start = scanner.position();
    let tab = if scanner.take(".") { scanner.number("the number of a tab")? } else { 1 };
    if tab == 0 || tab == 1 && scanner.position() > start {
        return scanner.problem_at(start, "tabs count from 1, and the first is not written");
    }
    Ok(Who { client: usize::from(letter - b'A'), tab })
}

fn ended(scanner: &Scanner<'_>) -> Parsed<()> {
    if scanner.rest().is_empty() { Ok(()) } else { scanner.expected("the end of the line") }
}
