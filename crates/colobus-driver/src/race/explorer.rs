//! [`Explorer`]: a user who has no plan: clicks on what listens and types into fields, chosen by a seed. Used where no
//! session was recorded.

use std::collections::HashMap;

use colobus_browser::{Page, scripts};
use colobus_model::{Step, Target};
use colobus_race::digest;
use colobus_race::recorded::UserStep;
use colobus_world::WorldError;
use serde::Deserialize;

use super::order::{SESSION_MS, after};

/// More often than this nothing is clicked or typed into.
const MOST_USES: u32 = 2;

pub struct Explorer {
    seed: u64,
    made: Vec<UserStep>,
    uses: HashMap<String, u32>,
    /// What is typed into the field that was clicked.
    typing: Option<String>,
}

/// What `page/race/held-events.js` says that a user can do.
#[derive(Debug, Deserialize)]
struct Offer {
    selector: String,
    field: bool,
}

impl Explorer {
    pub fn new(seed: u64) -> Explorer {
        Explorer { seed, made: Vec::new(), uses: HashMap::new(), typing: None }
    }

    /// The next step; none if the time is over or nothing is left to do.
    pub async fn next(&mut self, page: &Page, now: f64) -> Result<Option<UserStep>, WorldError> {
        let at = after(&self.made, now);
        if at > SESSION_MS {
            return Ok(None);
        }
        let step = match self.typing.take() {
            Some(text) => Some(Step::Type(text)),
            None => {
                let offers = page.ask("held.offers", &[]).await?;
                self.choose(&scripts::read::<Vec<Offer>>("held.offers", offers)?)
            }
        };
        let step = step.map(|step| UserStep::new(step, at));
        self.made.extend(step.clone());
        Ok(step)
    }

    /// One of those that were used least, by the seed.
    fn choose(&mut self, offers: &[Offer]) -> Option<Step> {
        let uses = |offer: &&Offer| self.uses.get(&offer.selector).copied().unwrap_or_default();
        let least = offers.iter().map(|offer| uses(&offer)).min().filter(|least| *least < MOST_USES)?;
        let fresh: Vec<&Offer> = offers.iter().filter(|offer| uses(offer) == least).collect();
        let draw = digest::push(self.seed, self.made.len() as u64);
        let chosen = fresh[usize::try_from(draw % fresh.len() as u64).unwrap_or_default()];
        *self.uses.entry(chosen.selector.clone()).or_insert(0) += 1;
        if chosen.field {
            self.typing = Some(format!("w{}", self.made.len() + 1));
        }
        Some(Step::Click(Target::Selector(chosen.selector.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offer_is_taken_as_often_as_the_others() {
        let offers: Vec<Offer> =
            ["#a", "#b", "#c"].map(|selector| Offer { selector: selector.into(), field: false }).into();
        let mut explorer = Explorer::new(7);
        let mut steps = Vec::new();
        while let Some(step) = explorer.choose(&offers) {
            explorer.made.push(UserStep::new(step.clone(), 0));
            steps.push(step.to_string());
        }
        assert_eq!(steps.len(), 6);
        steps[..3].sort();
        steps[3..].sort();
        assert_eq!(steps[..3], steps[3..]);
    }
}
