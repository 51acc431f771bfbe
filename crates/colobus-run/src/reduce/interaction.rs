//! From a failing interaction to one with fewer clients and fewer steps that still fails, and that is
//! right when its clients wait for each other. Each candidate is really run.

use colobus_model::{ClientId, Interaction, Schedule, Trace};
use colobus_schedule::orders::{without_client, without_step};
use colobus_world::{World, WorldError};

use super::Same;
use super::contrast::passes_in_turn;
use crate::execute::{Setup, follow};

/// Takes away whole clients first, as long as two are left, then single steps, as long as each client has one.
pub(crate) fn smaller_interaction(
    world: &mut dyn World,
    setup: &Setup,
    trace: Trace,
    same: &Same,
) -> Result<Trace, WorldError> {
    // A step that is left out would be left out of every round: what needs rounds stays as it is.
    if trace.interaction.rounds > 1 {
        return Ok(trace);
    }
    let mut plan = Plan::of(&trace);
    let mut smallest = trace;
    let mut attempt = |plan: &Plan| -> Result<bool, WorldError> {
        let interaction = plan.interaction();
        let executed = follow(world, setup, &interaction, &plan.schedule)?;
        // Half an action can leave what differs between users by its nature, such as a selection.
        let counts = same(&executed.judgement) && passes_in_turn(world, setup, &interaction)?;
        if counts {
            smallest = executed.trace;
        }
        Ok(counts)
    };
    for client in (0..plan.kept.len()).rev() {
        if plan.kept.len() > 2 {
            let fewer = plan.without_client(client);
            if attempt(&fewer)? {
                plan = fewer;
            }
        }
    }
    for client in 0..plan.kept.len() {
        for step in (0..plan.kept[client].len()).rev() {
            if plan.kept[client].len() > 1 {
                let fewer = plan.without_step(client, step);
                if attempt(&fewer)? {
                    plan = fewer;
                }
            }
        }
    }
    Ok(smallest)
}

/// An interaction of which some clients and steps are left out, and its order.
#[derive(Clone, Debug, PartialEq)]
struct Plan {
    whole: Interaction,
    /// For each client that is left, the indices of the steps that are left.
    kept: Vec<Vec<usize>>,
    schedule: Schedule,
}

impl Plan {
    fn of(trace: &Trace) -> Plan {
        let whole = trace.interaction.clone();
        let kept = whole.concurrent.iter().map(|action| (0..action.steps.len()).collect()).collect();
        Plan { whole, kept, schedule: trace.schedule.clone() }
    }

    fn interaction(&self) -> Interaction {
        let mut interaction = self.whole.clone();
        for (action, kept) in interaction.concurrent.iter_mut().zip(&self.kept) {
            if kept.len() < action.steps.len() {
                *action = action.part(kept);
            }
        }
        interaction
    }

    fn without_client(&self, gone: usize) -> Plan {
        let mut fewer = self.clone();
        fewer.whole.concurrent.remove(gone);
        fewer.kept.remove(gone);
        fewer.schedule = without_client(&self.schedule, ClientId(gone));
        fewer
    }

    fn without_step(&self, of: usize, gone: usize) -> Plan {
        let mut fewer = self.clone();
        fewer.kept[of].remove(gone);
        fewer.schedule = without_step(&self.schedule, ClientId(of), gone);
        fewer
    }
}

#[cfg(test)]
mod tests {
    use super::Plan;
    use colobus_model::{Action, Interaction, Step};

    fn plan(steps: &[usize], schedule: &str) -> Plan {
        let action = |(client, count): (usize, &usize)| {
            Action::new(format!("action {client}"), vec![Step::Press("Enter".parse().unwrap()); *count])
        };
        let concurrent: Vec<Action> = steps.iter().enumerate().map(action).collect();
        let kept = steps.iter().map(|count| (0..*count).collect()).collect();
        Plan { whole: Interaction::new(vec![], concurrent), kept, schedule: schedule.parse().unwrap() }
    }

    #[test]
    fn the_order_loses_what_the_client_did_and_later_clients_move_up() {
        let fewer = plan(&[1, 1, 2], "A1 B1 B> C1 A< C2 C! ~").without_client(1);
        assert_eq!(fewer.schedule.to_string(), "A1 B1 A< B2 B! ~");
        assert_eq!(fewer.interaction().concurrent_names(), ["action 0", "action 2"]);
        fewer.schedule.validate(&fewer.interaction()).unwrap();
    }

    #[test]
    fn an_action_keeps_its_name_and_says_which_steps_are_left() {
        let fewer = plan(&[3, 1], "A1 B1 ~ A2 A3 ~").without_step(0, 1);
        assert_eq!(fewer.schedule.to_string(), "A1 B1 ~ A2 ~");
        assert_eq!(fewer.interaction().concurrent_names(), ["action 0[1+3]", "action 1"]);
        fewer.schedule.validate(&fewer.interaction()).unwrap();
        let fewest = fewer.without_step(0, 0);
        assert_eq!(fewest.interaction().concurrent_names(), ["action 0[3]", "action 1"]);
        let turns = plan(&[2, 1], "A1 ~ B1 ~ A2 ~");
        assert_eq!(turns.without_step(0, 0).schedule.to_string(), "B1 ~ A1 ~");
        assert_eq!(turns.without_step(0, 1).schedule.to_string(), "A1 ~ B1 ~");
    }
}
