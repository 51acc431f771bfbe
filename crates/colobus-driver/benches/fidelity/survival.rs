//! What still replays on another build of the page: new ids, more wrappers, siblings in another order.

use colobus_record::{Event, Recording};

use crate::heard::Log;
use crate::playwright::Theirs;
use crate::session::{OUTCOME, Session, replay};
use crate::table::{Table, part};

pub fn table(recording: &Recording, origins: (&str, &str), performed: &Log, theirs: Option<&Theirs>) -> Table {
    let mut rebuilt = recording.clone();
    rebuilt.lines[0].event = Event::Open(format!("{}/widgets?shuffled", origins.0));
    let mut table =
        Table::new(&["ids, wrappers and order changed", "steps replayed", "searched for", "events on their elements"]);
    for (name, strict) in [("replay", false), ("replay --strict", true)] {
        let session: Session = replay(&rebuilt, origins, OUTCOME, strict);
        let lost = session.impossible(&rebuilt);
        lost.iter().filter(|_| !strict).for_each(|lost| eprintln!("fidelity: lost: {lost}"));
        let all = rebuilt.lines.len();
        // A session that goes on after steps that are not possible is another one.
        let heard = if strict { String::new() } else { performed.on_target(&Log::of(&session.ends[0].0)) };
        let searched = session.relaxed(&rebuilt).len() - lost.len();
        let steps = part(all - lost.len(), all);
        table.row([name.to_string(), steps, searched.to_string(), heard]);
    }
    if let Some(theirs) = theirs {
        for (name, steps, log) in [
            ("Playwright's steps", theirs.survived, &theirs.rebuilt),
            ("– on the page as it was", theirs.replayed, &theirs.came_back),
        ] {
            table.row([name.to_string(), part(steps, theirs.steps), String::new(), performed.on_target(log)]);
        }
    }
    table
}
