//! [`shrink`]: takes away what a failing script does not need: halves of it first, single lines last. What the mistake
//! brought stays.

use colobus_world::WorldError;

use crate::Script;

/// Sessions that may be run to shorten one script.
const MOST_TRIES: usize = 40;

pub fn shrink(
    mut script: Script,
    fails: &mut dyn FnMut(&Script) -> Result<bool, WorldError>,
) -> Result<Script, WorldError> {
    let mut tries = 0;
    let mut size = script.recording.lines.len() / 2;
    while size > 0 {
        // From the end: what comes after the problem goes first, and all at once.
        let mut end = script.recording.lines.len();
        while end > 1 {
            let start = end.saturating_sub(size).max(1);
            let is_needed = script.mistaken[start..end].contains(&true);
            if !is_needed && tries < MOST_TRIES {
                tries += 1;
                let smaller = script.without(start..end);
                if fails(&smaller)? {
                    script = smaller;
                }
            }
            end = start;
        }
        size /= 2;
    }
    Ok(script)
}
