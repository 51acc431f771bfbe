//! From a failing interaction to the shortest prefix, and the fewest rounds, with which the same actions still fail.

use colobus_model::{Action, Interaction, Trace};
use colobus_world::{World, WorldError};

use super::Same;
use crate::execute::{Setup, follow};

/// The shortest prefix, part of the failing one, with which the same actions fail in the same way.
pub(super) fn shortest_prefix(
    world: &mut dyn World,
    setup: &Setup,
    failing: &Trace,
    same: &Same,
) -> Result<Option<Trace>, WorldError> {
    let Interaction { prefix, concurrent, rounds } = &failing.interaction;
    let shorter = || shorter_prefixes(prefix).into_iter();
    let fewer_rounds =
        (1..*rounds).flat_map(|rounds| shorter().chain([prefix.clone()]).map(move |prefix| (prefix, rounds)));
    for (prefix, rounds) in fewer_rounds.chain(shorter().map(|prefix| (prefix, *rounds))) {
        let interaction = Interaction { prefix, concurrent: concurrent.clone(), rounds };
        let executed = follow(world, setup, &interaction, &failing.schedule.within(&interaction))?;
        if same(&executed.judgement) {
            return Ok(Some(executed.trace));
        }
    }
    Ok(None)
}

/// Proper subsequences of a prefix, the shortest first, each once. Prefixes are short; of a very long one only the ends
/// are cut.
fn shorter_prefixes(prefix: &[Action]) -> Vec<Vec<Action>> {
    const ENUMERABLE: usize = 8;
    if prefix.len() > ENUMERABLE {
        return (0..prefix.len()).map(|from| prefix[prefix.len() - from..].to_vec()).collect();
    }
    let mut choices: Vec<u32> = (0..(1u32 << prefix.len()) - 1).collect();
    choices.sort_by_key(|choice| choice.count_ones());
    let mut shorter: Vec<Vec<Action>> = Vec::new();
    for choice in choices {
        let kept = prefix.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1).map(|(_, action)| action.clone());
        let candidate: Vec<Action> = kept.collect();
        if !shorter.contains(&candidate) {
            shorter.push(candidate);
        }
    }
    shorter
}
