//! [`Snapshots`]: looks at clients in the middle of an execution, for the checks that judge the way to its end.

use colobus_check::Checks;
use colobus_compare::dom::visible_text;
use colobus_model::{ClientId, Direction, Event, Snapshot, Trace};
use colobus_world::{ObserveOptions, World, WorldError};

/// Which clients are looked at, and when: those whose page an event changed, if a check asks for them.
pub(crate) struct Snapshots {
    clients: usize,
}

impl Snapshots {
    pub fn of(trace: &Trace, checks: Checks) -> Snapshots {
        Snapshots { clients: if checks.evidence(trace).snapshots { trace.interaction.clients() } else { 0 } }
    }

    /// Before anything happens.
    pub fn begin(&self, world: &mut dyn World, trace: &mut Trace) -> Result<(), WorldError> {
        (0..self.clients).try_for_each(|client| look(world, trace, ClientId(client), 0))
    }

    /// Right after the event, the `count`th of the execution.
    pub fn after(
        &self,
        world: &mut dyn World,
        trace: &mut Trace,
        event: &Event,
        count: usize,
    ) -> Result<(), WorldError> {
        match event {
            _ if self.clients == 0 => Ok(()),
            Event::Flush => (0..self.clients).try_for_each(|client| look(world, trace, ClientId(client), count)),
            Event::Deliver { direction: Direction::ToServer, .. } => Ok(()),
            other => other.client().map_or(Ok(()), |client| look(world, trace, client, count)),
        }
    }
}

fn look(world: &mut dyn World, trace: &mut Trace, client: ClientId, after: usize) -> Result<(), WorldError> {
    let seen = world.observe(client, ObserveOptions { dom: true, ..ObserveOptions::default() })?;
    let text = visible_text(&seen.dom.unwrap_or_default());
    trace.snapshots.push(Snapshot { after, client, text });
    Ok(())
}
