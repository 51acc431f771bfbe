//! What a search found, written down as a scenario.

use super::{Action, Operation, Scenario, SiteOrder, replay};
use crate::counterexample::{Counterexample, SiteTrace};
use crate::glyphs::{alphabet, fresh};
use crate::operation::Kind;
use crate::setting::{Network, Start};
use crate::transformation::Transformation;

impl Counterexample {
    /// The scenario of this execution, on the shortest text that shows the same.
    pub fn scenario<T: Transformation>(&self, function: &T, function_name: &str) -> Scenario {
        let full = self.written(function_name);
        let Start::Unbounded = self.setting.start else {
            return full;
        };
        let verdict = replay(function, &full).map(|replay| (replay.converges, replay.lost));
        let shorter = |length: usize| Scenario { text: fresh().take(length).collect(), ..full.clone() };
        let shows_the_same = |scenario: &Scenario| {
            replay(function, scenario).is_ok_and(|replay| verdict.as_ref() == Ok(&(replay.converges, replay.lost)))
        };
        (0..self.setting.initial_length()).map(shorter).find(shows_the_same).unwrap_or(full)
    }

    fn written(&self, function_name: &str) -> Scenario {
        let server = self.setting.network == Network::Server;
        let names = self.names();
        let glyphs: Vec<char> = alphabet().collect();
        let named = |ids: &mut dyn Iterator<Item = u8>| ids.map(|id| names[usize::from(id)].clone()).collect();
        let operations = self.signatures.iter().enumerate().map(|(id, signature)| Operation {
            name: names[id].clone(),
            site: self.order.owners[id] + 1,
            action: match signature.kind {
                Kind::Ins => Action::Ins(signature.position, glyphs[usize::from(signature.character)]),
                Kind::Del | Kind::Nop => Action::Del(signature.position),
            },
            after: named(&mut self.order.before[id].iter()),
        });
        let traces = self.traces.iter().map(|SiteTrace { site, operations }| SiteOrder {
            site: site.map_or(0, |site| site + 1),
            order: named(&mut operations.iter().copied()),
        });
        Scenario {
            function: function_name.into(),
            server,
            text: match &self.setting.start {
                Start::Text(text) => text.clone(),
                Start::Unbounded => fresh().take(self.setting.initial_length()).collect(),
            },
            operations: operations.collect(),
            traces: traces.collect(),
        }
    }

    /// `o2` for the only operation of site 2, `o11` and `o12` for those of site 1.
    fn names(&self) -> Vec<String> {
        let owners = &self.order.owners;
        let own = |id: usize| owners.iter().enumerate().filter(move |(_, owner)| **owner == owners[id]);
        let name = |id: usize| match own(id).count() {
            1 => format!("o{}", owners[id] + 1),
            _ => format!("o{}{}", owners[id] + 1, own(id).take_while(|(other, _)| *other < id).count() + 1),
        };
        (0..owners.len()).map(name).collect()
    }
}
