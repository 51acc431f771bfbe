//! Arguments of `learn` and `mock`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct LearnArgs {
    /// Traffic to learn from: HAR files of a browser or a proxy
    #[arg(value_name = "FILE.har", required_unless_present_any = ["diff", "run"], conflicts_with = "diff")]
    pub captures: Vec<PathBuf>,
    /// Run this command, such as "npm test", with a proxy that records its traffic, and learn from that
    #[arg(long, value_name = "COMMAND", conflicts_with = "diff")]
    pub run: Option<String>,
    /// The folder for api.ail, the schemas and openapi.yaml
    #[arg(short, long, value_name = "DIR", default_value = "api")]
    pub output: PathBuf,
    /// Learn as the thesis does: plain AIL, disjoint patterns, no extensions
    #[arg(long)]
    pub plain: bool,
    /// Compare two descriptions instead; the exit code is 1 if the change breaks clients
    #[arg(long, num_args = 2, value_names = ["OLD.ail", "NEW.ail"])]
    pub diff: Option<Vec<PathBuf>>,
}

#[derive(Debug, Args)]
pub struct MockArgs {
    /// The description, with its schemas beside it
    #[arg(value_name = "FILE.ail")]
    pub description: PathBuf,
    /// The port to listen on; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value = "8081")]
    pub port: u16,
    /// What random answers depend on
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
    /// How long an answer takes, in milliseconds: 50, or 20..400
    #[arg(long, value_name = "RANGE", default_value = "0", value_parser = latency)]
    pub latency: (u32, u32),
    /// How many of a hundred requests get an error
    #[arg(long, value_name = "PERCENT", default_value = "0", value_parser = percent)]
    pub errors: u8,
    /// Remember what was created, changed and deleted
    #[arg(long)]
    pub stateful: bool,
    /// Which values answers have
    #[arg(long, value_name = "KIND", default_value = "mixed")]
    pub values: Values,
    /// The server that answers what the description does not know, such as http://127.0.0.1:8080
    #[arg(long, value_name = "URL")]
    pub pass_through: Option<String>,
    /// Write what that server answered into this file, without secrets, so that `colobus learn` can learn it, too
    #[arg(long, value_name = "FILE.har", requires = "pass_through")]
    pub capture: Option<PathBuf>,
}

/// Which values a mock prefers.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Values {
    /// Mostly values that were seen, some others
    Mixed,
    /// Values that were seen
    Seen,
    Random,
    /// Empty lists, null, long texts, other scripts, huge numbers
    Boundary,
}

fn latency(text: &str) -> Result<(u32, u32), String> {
    let wrong = || format!("`{text}` is not a time in milliseconds: write 50, or 20..400");
    let number = |text: &str| text.trim().trim_end_matches("ms").parse::<u32>().map_err(|_| wrong());
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let range = (number(least)?, number(most)?);
    if range.0 > range.1 { Err(format!("`{text}` ends before it begins")) } else { Ok(range) }
}

fn percent(text: &str) -> Result<u8, String> {
    let number = text.trim_end_matches('%').parse::<u8>().ok().filter(|number| *number <= 100);
    number.ok_or_else(|| format!("`{text}` is not a share of a hundred: write 5%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_shares() {
        assert_eq!(latency("20..400"), Ok((20, 400)));
        assert_eq!(latency("50ms"), Ok((50, 50)));
        assert_eq!(percent("5%"), Ok(5));
        for wrong in ["", "a", "1..", "-1", "9..3"] {
            assert!(latency(wrong).is_err(), "{wrong}");
        }
        assert!(percent("101").is_err() && percent("x%").is_err());
    }
}
