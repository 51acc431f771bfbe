//! What it costs that messages are held until somebody chooses them: the same interactions with messages that flow as they
//! come, held while users act, and let through one by one, in turn, so that the load of the machine is the same for all.

use std::time::Instant;

use anyhow::ensure;
use colobus_model::{ClientId, Interaction, Trace};
use colobus_world::{ObserveOptions, Settled, StepOutcome, World, WorldFactory};

use crate::extent::Extent;
use crate::interactions::browsers;
use crate::table::{Table, median, times};

/// What happens to messages in the concurrent part.
#[derive(Clone, Copy)]
enum Gate {
    Open,
    HeldWhileUsersAct,
    OneByOne,
}

const GATES: [(Gate, &str); 3] = [
    (Gate::Open, "without the gate: messages flow as they come"),
    (Gate::HeldWhileUsersAct, "messages held while users act"),
    (Gate::OneByOne, "each message let through by itself"),
];

pub fn measure(extent: &Extent, traces: &[Trace], table: &mut Table) -> anyhow::Result<()> {
    table.section("what the gate costs: executions per minute, one worker, the editor without bugs");
    let mut world = browsers(&traces[0], None)?.open()?;
    let mut seconds: [Vec<f64>; GATES.len()] = Default::default();
    for round in 0..=2 * extent.rounds {
        for trace in traces {
            for (taken, (gate, _)) in seconds.iter_mut().zip(GATES) {
                let took = execute(world.as_mut(), &trace.interaction, gate)?;
                // The first round opens the clients' pages.
                if round > 0 {
                    taken.push(took);
                }
            }
        }
    }
    let [open, held, one_by_one] = seconds.map(median);
    for ((_, name), took) in GATES.iter().zip([open, held, one_by_one]) {
        table.row(*name, format!("{:.0}", 60.0 / took));
    }
    table.row_with_aim("held while users act: slower by", times(held / open), "≤ 1.3 ×");
    table.row_with_aim("each message by itself: slower by", times(one_by_one / open), "≤ 1.3 ×");
    Ok(())
}

/// The seconds of one execution, from opening the document to having looked at all clients.
fn execute(world: &mut dyn World, interaction: &Interaction, gate: Gate) -> anyhow::Result<f64> {
    let begun = Instant::now();
    quiet(world.begin(interaction.clients())?)?;
    for step in interaction.prefix.iter().flat_map(|action| &action.steps) {
        done(world.step(ClientId(0), step)?)?;
    }
    quiet(world.settle()?)?;
    if !matches!(gate, Gate::Open) {
        world.hold()?;
    }
    for (client, action) in interaction.concurrent.iter().enumerate() {
        for step in &action.steps {
            done(world.step(ClientId(client), step)?)?;
        }
    }
    if matches!(gate, Gate::OneByOne) {
        while let Some(event) = world.deliverable()?.first() {
            world.happen(event)?;
        }
    }
    quiet(world.settle()?)?;
    world.observe_all(interaction.clients(), ObserveOptions { pixels: true, ..ObserveOptions::default() })?;
    Ok(begun.elapsed().as_secs_f64())
}

fn quiet(settled: Settled) -> anyhow::Result<()> {
    ensure!(settled == Settled::Quiet, "the editor did not settle: {settled:?}");
    Ok(())
}

fn done(outcome: StepOutcome) -> anyhow::Result<()> {
    ensure!(outcome == StepOutcome::Done, "a step of the editor's own actions does not apply: {outcome:?}");
    Ok(())
}
