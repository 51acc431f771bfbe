//! [`Line`]: a place in the source of an application, `app.js:120`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Line {
    /// The file, as the page names it.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub number: u32,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.number)
    }
}

impl FromStr for Line {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let parts = written.rsplit_once(':').filter(|(file, _)| !file.is_empty());
        let line = parts.and_then(|(file, number)| Some(Line { file: file.into(), number: number.parse().ok()? }));
        line.filter(|line| line.number > 0)
            .ok_or_else(|| format!("`{written}` is not a line; write FILE:LINE, such as app.js:120"))
    }
}

impl From<Line> for String {
    fn from(line: Line) -> Self {
        line.to_string()
    }
}

impl TryFrom<String> for Line {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        written.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_as_it_is_written() {
        let line: Line = "http://127.0.0.1:8080/app.js:120".parse().unwrap();
        assert_eq!((&*line.file, line.number), ("http://127.0.0.1:8080/app.js", 120));
        assert_eq!(line.to_string().parse(), Ok(line));
        for wrong in ["app.js", "app.js:", ":5", "app.js:0", "app.js:x"] {
            assert!(wrong.parse::<Line>().unwrap_err().contains("FILE:LINE"), "{wrong}");
        }
    }
}
