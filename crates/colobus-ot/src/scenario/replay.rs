//! [`replay`]: execute a scenario directly, independent of any search.

use serde::Serialize;

use super::plan::Plan;
use super::{Action, Operation, Scenario, ScenarioError, direct, jupiter};
use crate::document::{Document, Ink, Wide};
use crate::operation::{Kind, Op, Parameters};
use crate::transformation::Transformation;

/// What a scenario does, step by step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replay {
    /// The scenario.
    pub scenario: Scenario,
    /// Whether all sites end with the same text.
    pub converges: bool,
    /// What happened at each site of the scenario's traces.
    pub sites: Vec<SiteRun>,
    /// Inserted characters that are missing from some site although no site deleted them.
    pub lost: Vec<String>,
}

/// What happened at one site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SiteRun {
    /// What people call the site.
    pub site: String,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The text it ends with.
    pub text: String,
}

/// One operation executed at one site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The operation's name.
    pub operation: String,
    /// Whether the site's own user generated it just then.
    pub own: bool,
    /// The form in which it was executed.
    pub form: String,
    /// Whether that form differs from what the user generated.
    pub transformed: bool,
    /// The text after it.
    pub text: String,
}

/// An operation in the form in which a site executed it.
pub(super) struct Executed<X> {
    pub id: u8,
    pub op: Op<X>,
}

/// Execute a scenario.
pub fn replay<T: Transformation>(function: &T, scenario: &Scenario) -> Result<Replay, ScenarioError> {
    let plan = Plan::of(scenario)?;
    let generated = (0u8..).zip(&plan.signatures);
    let originals: Vec<Op<T::Extra>> =
        generated.map(|(id, s)| s.generate(function, plan.order.owners[usize::from(id)], id)).collect();
    let runs = match scenario.server {
        true => jupiter::run(function, scenario, &plan, &originals)?,
        false => direct::run(function, &plan, &originals),
    };
    let mut sites = Vec::new();
    let mut ends = Vec::new();
    let mut deleted = Vec::new();
    let mut identities = Vec::new();
    for ((run, trace), (site, _)) in runs.iter().zip(&scenario.traces).zip(&plan.traces) {
        let mut text = Wide::new(&plan.start);
        let mut traced = Wide::new(&Ink::leave_identities(&plan.start, scenario.operations.len()));
        let mut steps = Vec::new();
        for Executed { id, op } in run {
            let operation = &scenario.operations[usize::from(*id)];
            let own = *site == Some(plan.order.owners[usize::from(*id)]);
            if own && !plan.signatures[usize::from(*id)].fits(text.len()) {
                let (name, action, length) = (operation.name.clone(), operation.action, text.len());
                return Err(ScenarioError::DoesNotFit { name, action, length });
            }
            if own && op.kind == Kind::Del {
                deleted.extend(traced.cells().get(usize::from(op.position)));
            }
            text.execute::<T, _>(*op, Ink::Character);
            traced.execute::<T, _>(*op, Ink::Identity);
            steps.push(Step {
                operation: operation.name.clone(),
                own,
                form: show(*op, &plan, scenario),
                transformed: *op != originals[usize::from(*id)],
                text: plan.glyphs.text(&text.cells()),
            });
        }
        sites.push(SiteRun { site: trace.site_name(), steps, text: plan.glyphs.text(&text.cells()) });
        identities.push(traced.cells());
        ends.push(text);
    }
    let missing = |id: u8| {
        let cell = Ink::Identity.cell(0, id);
        !deleted.contains(&cell) && identities.iter().any(|cells| !cells.contains(&cell))
    };
    let inserts = (0u8..).zip(&scenario.operations).filter(|(_, o)| matches!(o.action, Action::Ins(..)));
    let lost = inserts.filter(|(id, _)| missing(*id)).map(|(_, Operation { name, .. })| name.clone()).collect();
    let converges = ends.windows(2).all(|pair| pair[0] == pair[1]);
    Ok(Replay { scenario: scenario.clone(), converges, sites, lost })
}

/// A form as people write it, with the parameters of the function.
fn show<X: Parameters>(op: Op<X>, plan: &Plan, scenario: &Scenario) -> String {
    let name = |id: u8| scenario.operations.get(usize::from(id)).map_or_else(|| id.to_string(), |o| o.name.clone());
    let character = || plan.glyphs.glyph(op.character + 1).to_string();
    let (word, mut arguments) = match op.kind {
        Kind::Nop => return "Nop()".into(),
        Kind::Del => ("Del", vec![op.position.to_string()]),
        Kind::Ins => ("Ins", vec![op.position.to_string(), character()]),
    };
    if op.kind == Kind::Ins {
        arguments.extend(op.extra.describe(&name));
    }
    format!("{word}({})", arguments.join(","))
}
