//! Whether delays alone lead to the same harm on the plain page: its own clock, its own code, answers and steps that come
//! later than recorded. What is confirmed so, a person can repeat.

use colobus_race::conflicts::Relation;
use colobus_race::conflicts::commute::RULES;
use colobus_race::happens_before::Delays;
use colobus_race::model::{EventName, Execution};
use colobus_race::recorded::RecordedPage;
use colobus_race::verdict::{Differences, Harm};
use colobus_world::{RacePage, WorldError};

/// How far apart two events are kept that were turned round, in milliseconds: more than a loaded machine confuses.
const MARGIN: u64 = 400;
/// The longest wait for a confirmation.
const LONGEST: i64 = 20_000;

/// What a confirmation says.
pub struct Confirmed {
    pub by_hand: String,
    pub confirmed: bool,
}

/// Runs the page with delays that lead to the order of `failing`, and with those that lead to the order of `working`, if there
/// are any. One of the two may be the recorded order.
pub fn confirm(
    page: &mut dyn RacePage,
    recorded: &RecordedPage,
    (working, failing): (&Execution, &Execution),
    left_out: &[EventName],
    (harms, differences): (&[Harm], &Differences),
) -> Result<Confirmed, WorldError> {
    let forced = |why: String| Confirmed { by_hand: format!("order forced: {why}"), confirmed: false };
    let towards = |order: &Execution| {
        let before = Relation::of(order, order.planned().len(), &RULES).pairs();
        let delays = Delays::towards(order, &before, &recorded.execution, MARGIN).map_err(|why| why.to_string())?;
        let is_short = delays.0.iter().map(|delay| delay.by.abs()).sum::<i64>() <= LONGEST;
        if is_short { Ok(delays) } else { Err(format!("{delays} would take too long to try")) }
    };
    let (helpful, delays) = match (towards(working), towards(failing)) {
        (Ok(helpful), Ok(delays)) => (helpful, delays),
        (Err(why), _) | (_, Err(why)) => return Ok(forced(why)),
    };
    let usual = page.run_delayed(recorded, &helpful, left_out);
    let delayed = page.run_delayed(recorded, &delays, left_out);
    let (usual, delayed) = match (usual, delayed) {
        (Ok(usual), Ok(delayed)) => (usual, delayed),
        (Err(WorldError::Interrupted(why)), _) | (_, Err(WorldError::Interrupted(why))) => {
            return Ok(forced(format!("with {delays} the page could not be used: {why}")));
        }
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let seen = Differences::between(&usual, &delayed);
    let same_kind = seen.harms().iter().any(|harm| harms.contains(harm));
    Ok(match differences.shares(&seen, harms) {
        true if helpful == Delays::default() => Confirmed { by_hand: delays.to_string(), confirmed: true },
        true => Confirmed { by_hand: format!("{delays}; it works with {helpful}"), confirmed: true },
        false if same_kind => forced(format!("{delays} led to something else on the plain page")),
        false => forced(format!("{delays} did not lead to it on the plain page")),
    })
}
