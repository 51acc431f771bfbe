//! [`Explorer`]: a user who has no plan: clicks on what listens and types into fields, chosen by a seed. Used where no
//! session was recorded.

use std::collections::HashMap;

use colobus_browser::{Page, scripts};
use colobus_model::{Step, Target};
use colobus_race::digest;
use colobus_race::recorded::UserStep;
use colobus_world::WorldError;
use serde::Deserialize;
use serde_json::json;

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

/// Why nothing can be done with an offer.
#[derive(Debug, Deserialize)]
struct Obstacle {
    problem: Option<String>,
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
                let mut offers = scripts::read::<Vec<Offer>>("held.offers", offers)?;
                loop {
                    let Some(index) = self.choose(&offers) else { break None };
                    let offer = offers.swap_remove(index);
                    let obstacle = page.ask("held.obstacle", &[json!(offer.selector)]).await?;
                    if scripts::read::<Obstacle>("held.obstacle", obstacle)?.problem.is_none() {
                        break Some(self.take(offer));
                    }
                }
            }
        };
        let step = step.map(|step| UserStep::new(step, at));
        self.made.extend(step.clone());
        Ok(step)
    }

    /// One of those that were used least, by the seed.
    fn choose(&self, offers: &[Offer]) -> Option<usize> {
        let uses = |offer: &Offer| self.uses.get(&offer.selector).copied().unwrap_or_default();
        let least = offers.iter().map(uses).min().filter(|least| *least < MOST_USES)?;
        let fresh: Vec<usize> = (0..offers.len()).filter(|index| uses(&offers[*index]) == least).collect();
        let draw = digest::push(self.seed, self.made.len() as u64);
        Some(fresh[usize::try_from(draw % fresh.len() as u64).unwrap_or_default()])
    }

    fn take(&mut self, Offer { selector, field }: Offer) -> Step {
        *self.uses.entry(selector.clone()).or_insert(0) += 1;
        if field {
            self.typing = Some(format!("w{}", self.made.len() + 1));
        }
        Step::Click(Target::Selector(selector))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offer_is_taken_as_often_as_the_others() {
        let offers = || ["#a", "#b", "#c"].map(|selector| Offer { selector: selector.into(), field: false });
        let mut explorer = Explorer::new(7);
        let mut steps = Vec::new();
        while let Some(index) = explorer.choose(&offers()) {
            let step = explorer.take(Vec::from(offers()).swap_remove(index));
            explorer.made.push(UserStep::new(step.clone(), 0));
            steps.push(step.to_string());
        }
        assert_eq!(steps.len(), 6);
        steps[..3].sort();
        steps[3..].sort();
        assert_eq!(steps[..3], steps[3..]);
    }
}
