//! The arguments of `colobus race`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use colobus_race::verdict::Filter;
use colobus_race::verdict::filters::switchable;

use super::{BrowserArgs, RemoteArgs, ResultArgs, at_least};

#[derive(Debug, Args)]
pub struct RaceArgs {
    /// The page. Left out if a configuration says it
    #[arg(value_name = "URL", required_unless_present_any = ["config", "recording"])]
    pub url: Option<String>,
    /// What the user does: a recording. Without one, Colobus clicks and types by itself, chosen by the seed
    #[arg(long, value_name = "FILE")]
    pub recording: Option<PathBuf>,
    /// A configuration whose [app] is started and opened; it is not reset between orders, whose answers are those of the recording
    #[arg(short, long, value_name = "PATH")]
    pub config: Option<PathBuf>,
    /// Execute orders within N reversals of the recorded one; 0 for any number
    #[arg(long, value_name = "N", default_value = "2")]
    pub bound: usize,
    /// Execute at most N orders
    #[arg(long, value_name = "N", value_parser = at_least::<1>)]
    pub schedules: Option<usize>,
    /// Ask the servers again in every execution, instead of using the recorded answers. Their answers may depend on what earlier executions sent: see
    /// docs/race.md
    #[arg(long)]
    pub live: bool,
    /// Decides random numbers of the page, and what is clicked if there is no recording
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// How often every finding is run again
    #[arg(long, value_name = "N", default_value = "10")]
    pub repeat: usize,
    /// Switch filters off: what they match is a finding. With commas between; `filters_off` of [race] in a configuration does the same
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = filters())]
    pub filters_off: Vec<String>,
    /// Switch filters on that the configuration switches off
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = filters(), hide_possible_values = true)]
    pub filters_on: Vec<String>,
    /// Do not look into scripts with these addresses: each counts as one place; `*` stands for anything. `libraries` of [race] in a
    /// configuration adds to them
    #[arg(long = "library", value_name = "PATTERN")]
    pub libraries: Vec<String>,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub remote: RemoteArgs,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

fn filters() -> PossibleValuesParser {
    let value = |filter: Box<dyn Filter>| PossibleValue::new(filter.name()).help(filter.reason());
    PossibleValuesParser::new(switchable().into_iter().map(value))
}

impl RaceArgs {
    /// The filters that are switched off: those of the configuration and of the flags, without those that a flag switches on.
    pub fn filters_off(&self, configured: &[String]) -> Vec<String> {
        let is_off = |name: &str| {
            let named = configured.iter().chain(&self.filters_off).any(|off| off == name);
            named && !self.filters_on.iter().any(|on| on == name)
        };
        switchable().iter().map(|filter| filter.name().to_string()).filter(|name| is_off(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::args::{Cli, Command};

    fn parsed(flags: &[&str]) -> Result<RaceArgs, clap::Error> {
        let words = ["colobus", "race", "http://shop/"].into_iter().chain(flags.iter().copied());
        match Cli::try_parse_from(words)?.command {
            Command::Race(args) => Ok(args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_switch_filters_on_and_off() {
        let off = |flags: &[&str], configured: &[&str]| {
            let configured: Vec<String> = configured.iter().map(ToString::to_string).collect();
            parsed(flags).unwrap().filters_off(&configured).join(",")
        };
        assert_eq!(off(&[], &[]), "");
        assert_eq!(off(&["--filters-off", "unload,late-attachment"], &[]), "late-attachment,unload");
        assert_eq!(off(&["--filters-off", "unload"], &["as-recorded", "unload"]), "as-recorded,unload");
        assert_eq!(off(&["--filters-on", "unload"], &["as-recorded", "unload"]), "as-recorded");
        let refused = parsed(&["--filters-off", "same-state"]).unwrap_err().to_string();
        assert!(refused.contains("late-attachment"), "{refused}");
    }

    #[test]
    fn help_lists_every_filter_with_its_reason() {
        let mut command = Cli::command();
        let help = command.find_subcommand_mut("race").unwrap().render_long_help().to_string();
        for filter in switchable() {
            assert!(help.contains(&format!("- {}:", filter.name())), "{help}");
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words(&help).contains(&words(filter.reason())), "{help}");
        }
    }
}
