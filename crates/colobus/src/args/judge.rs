//! What `--judge` says: `dom` judges everything on the DOM, `effect=dom` effects alone.

use std::str::FromStr;

use colobus_model::Aspect;
use colobus_run::Judge;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeChoice {
    purpose: Purpose,
    /// At least one; exactly one unless the purpose is convergence.
    aspects: Vec<Aspect>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Everything,
    Effect,
    Equivalence,
    Convergence,
}

impl JudgeChoice {
    pub fn apply(&self, judge: &mut Judge) {
        let first = self.aspects[0];
        let is = |purpose| self.purpose == purpose || self.purpose == Purpose::Everything;
        if is(Purpose::Effect) {
            judge.effect = first;
        }
        if is(Purpose::Equivalence) {
            judge.equivalence = first;
        }
        if is(Purpose::Convergence) {
            judge.convergence = self.aspects.clone();
        }
    }
}

impl FromStr for JudgeChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<JudgeChoice, String> {
        let (purpose, list) = match text.split_once('=') {
            None => (Purpose::Everything, text),
            Some(("effect", list)) => (Purpose::Effect, list),
            Some(("equivalence", list)) => (Purpose::Equivalence, list),
            Some(("convergence", list)) => (Purpose::Convergence, list),
            Some((other, _)) => {
                return Err(format!("`{other}` is nothing that is judged: choose effect, equivalence or convergence"));
            }
        };
        let aspects = list.split(',').map(str::parse).collect::<Result<Vec<Aspect>, String>>()?;
        if aspects.len() > 1 && purpose != Purpose::Convergence {
            return Err("only convergence can be judged on several: write convergence=pixels,dom".to_string());
        }
        Ok(JudgeChoice { purpose, aspects })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(choices: &[&str]) -> (Aspect, Aspect, Vec<Aspect>) {
        let mut judge =
            Judge { effect: Aspect::Pixels, equivalence: Aspect::Pixels, convergence: vec![Aspect::Pixels] };
        for choice in choices {
            choice.parse::<JudgeChoice>().unwrap().apply(&mut judge);
        }
        (judge.effect, judge.equivalence, judge.convergence)
    }

    #[test]
    fn choices_apply_in_order() {
        use Aspect::{Dom, Pixels, State};
        assert_eq!(judged(&[]), (Pixels, Pixels, vec![Pixels]));
        assert_eq!(judged(&["dom"]), (Dom, Dom, vec![Dom]));
        assert_eq!(judged(&["effect=dom"]), (Dom, Pixels, vec![Pixels]));
        assert_eq!(judged(&["equivalence=state"]), (Pixels, State, vec![Pixels]));
        assert_eq!(judged(&["dom", "convergence=pixels,state"]), (Dom, Dom, vec![Pixels, State]));
    }

    #[test]
    fn refuses_aspects_without_a_judge() {
        for text in ["", "=", "sound", "effect=", "effect=dom,pixels", "dom,pixels", "colour=dom"] {
            assert!(text.parse::<JudgeChoice>().is_err(), "{text}");
        }
    }
}
