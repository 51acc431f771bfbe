//! [`shrink`]: takes away what a failing script does not need: halves of it first, single lines last. What the mistake
//! brought stays.

use colobus_schedule::leave_out;
use colobus_world::WorldError;

use crate::Script;

/// Sessions that may be run to shorten one script.
const MOST_TRIES: usize = 40;

/// The lines before this one open the page: they stay.
const FIRST: usize = 1;

pub fn shrink(
    mut script: Script,
    fails: &mut dyn FnMut(&Script) -> Result<bool, WorldError>,
) -> Result<Script, WorldError> {
    let mut tries = 0;
    leave_out(script.recording.lines.len().saturating_sub(FIRST), |part| {
        let part = part.start + FIRST..part.end + FIRST;
        let is_needed = script.mistaken[part.clone()].contains(&true);
        if is_needed || tries >= MOST_TRIES {
            return Ok(false);
        }
        tries += 1;
        let smaller = script.without(part);
        let still_fails = fails(&smaller)?;
        if still_fails {
            script = smaller;
        }
        Ok(still_fails)
    })?;
    Ok(script)
}
