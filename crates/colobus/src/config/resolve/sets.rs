//! Sets of actions: every name in them is known, and so is the one that a search begins with.

use super::Resolver;
use crate::config::file::File;
use crate::config::nearest::did_you_mean;
use crate::config::sets::{SetProblem, Sets};

impl Resolver<'_> {
    pub(super) fn sets(&mut self, file: &File) -> Sets {
        let actions = file.action.iter().map(|action| action.name.as_str()).collect();
        let sets = Sets::expand(&file.sets, &actions).unwrap_or_else(|problems| {
            let names = || actions.iter().copied().chain(file.sets.keys().map(String::as_str));
            for problem in problems {
                match problem {
                    SetProblem::Unknown { set, index, name } => {
                        let advice = did_you_mean(&name, names())
                            .unwrap_or_else(|| "sets hold names of actions and of other sets".to_string());
                        let message = format!("there is no action `{name}`");
                        self.wrong(&format!("sets.{set}.{index}"), message, advice);
                    }
                    SetProblem::Circle { set, index } => {
                        let message = format!("the set `{set}` holds itself");
                        self.wrong(&format!("sets.{set}.{index}"), message, "leave this name out");
                    }
                }
            }
            Sets::default()
        });
        if let Some(chosen) = file.search.set.as_deref().filter(|chosen| !file.sets.contains_key(*chosen)) {
            let known = file.sets.keys().map(String::as_str);
            let advice = did_you_mean(chosen, known).unwrap_or_else(|| "add it to [sets]".to_string());
            self.wrong("search.set", format!("there is no set `{chosen}`"), advice);
        }
        sets
    }
}
