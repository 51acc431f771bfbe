//! `[race]`: filters that there are, and reasons that mean something.

use colobus_race::verdict::OwnReason;
use colobus_race::verdict::filters::switchable;

use super::Resolver;
use crate::config::file;
use crate::config::nearest::did_you_mean;

/// What a configuration says of races in one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RaceChoices {
    /// Names of filters that are switched off.
    pub filters_off: Vec<String>,
    /// What the user knows to be harmless.
    pub harmless: Vec<OwnReason>,
    /// Patterns for the addresses of scripts that are not looked into.
    pub libraries: Vec<String>,
}

impl Resolver<'_> {
    pub(super) fn race(&mut self, race: file::Race) -> RaceChoices {
        self.filters_off(&race.filters_off);
        let harmless = race.harmless.into_iter().enumerate();
        let harmless = harmless.map(|(index, entry)| self.harmless(&format!("race.harmless.{index}"), entry)).collect();
        for (index, pattern) in race.libraries.iter().enumerate() {
            self.not_blank(&format!("race.libraries.{index}"), Some(pattern));
        }
        RaceChoices { filters_off: race.filters_off, harmless, libraries: race.libraries }
    }

    fn filters_off(&mut self, names: &[String]) {
        let filters = switchable();
        let known: Vec<&str> = filters.iter().map(|filter| filter.name()).collect();
        for (index, name) in names.iter().enumerate().filter(|(_, name)| !known.contains(&name.as_str())) {
            let advice = did_you_mean(name, known.iter().copied());
            let advice = advice.unwrap_or_else(|| format!("there are: {}", known.join(", ")));
            self.wrong(&format!("race.filters_off.{index}"), format!("there is no filter `{name}`"), advice);
        }
    }

    fn harmless(&mut self, path: &str, entry: file::Harmless) -> OwnReason {
        let file::Harmless { reason, place, at, error } = entry;
        self.not_blank(&format!("{path}.reason"), Some(&reason));
        for (key, pattern) in [("place", &place), ("at", &at), ("error", &error)] {
            self.not_blank(&format!("{path}.{key}"), pattern.as_deref());
        }
        if place.is_none() && at.is_none() && error.is_none() {
            let advice = "add `place`, `at` or `error`, as findings name them";
            self.wrong(&format!("{path}.reason"), "this says why, and not what is harmless", advice);
        }
        OwnReason { reason, place, at, error }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::Configuration;

    fn parsed(race: &str) -> Result<RaceChoices, String> {
        let action = "[[action]]\nname = \"a\"\nsteps = [{ type = \"a\" }]\n";
        let text = format!("[app]\nurl = \"http://127.0.0.1:1/?doc={{doc}}\"\n{race}\n{action}");
        let parsed = Configuration::parse(&text, "colobus.toml", Path::new("."));
        parsed.map(|configuration| configuration.race).map_err(|problems| problems.to_string())
    }

    #[test]
    fn filters_are_switched_off_by_name_and_reasons_added() {
        let own =
            "[[race.harmless]]\nreason = \"the clock may be late\"\nplace = \"text of <p#clock>\"\nat = \"clock.js:*\"";
        let choices =
            parsed(&format!("[race]\nfilters_off = [\"late-attachment\"]\nlibraries = [\"*/jquery*\"]\n{own}"))
                .unwrap();
        let place = Some("text of <p#clock>".to_string());
        let entry =
            OwnReason { reason: "the clock may be late".into(), place, at: Some("clock.js:*".into()), error: None };
        assert_eq!(
            choices,
            RaceChoices {
                filters_off: vec!["late-attachment".into()],
                harmless: vec![entry],
                libraries: vec!["*/jquery*".into()]
            }
        );
        assert_eq!(parsed("").unwrap(), RaceChoices::default());
    }

    #[test]
    fn what_means_nothing_is_refused_at_its_place() {
        for (race, why) in [
            ("[race]\nfilters_off = [\"late-attachement\"]", "did you mean `late-attachment`"),
            ("[race]\nfilters_off = [\"same-state\"]", "there is no filter `same-state`"),
            ("[[race.harmless]]\nreason = \"known\"", "add `place`, `at` or `error`"),
            ("[[race.harmless]]\nreason = \" \"\nerror = \"x\"", "nothing is written here"),
            ("[[race.harmless]]\nerror = \"x\"", "needs `reason`"),
            ("[race]\nlibraries = [\"\"]", "nothing is written here"),
            ("[[race.harmless]]\nreason = \"known\"\ntext = \"x\"", "text"),
        ] {
            let problem = parsed(race).unwrap_err();
            assert!(problem.contains(why), "{problem}");
            assert!(problem.contains("colobus.toml:"), "{problem}");
        }
    }
}
