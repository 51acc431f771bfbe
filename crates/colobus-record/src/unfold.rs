//! [`unfold`]: what people say, as the page hears it.

use crate::{Event, Line, Timing};

/// Every line as its parts; all but the first of them follow at once.
pub fn unfold(lines: &[Line]) -> Vec<Line> {
    let mut unfolded = Vec::with_capacity(lines.len() * 2);
    for line in lines {
        let parts = parts(&line.event);
        let times = std::iter::once((line.after_ms, line.timing)).chain(std::iter::repeat((0, Timing::Loose)));
        let part = |(event, (after_ms, timing))| Line { who: line.who, event, after_ms, timing };
        unfolded.extend(parts.into_iter().zip(times).map(part));
    }
    unfolded
}

/// The parts of one event; itself if it has none.
pub fn parts(event: &Event) -> Vec<Event> {
    match event {
        Event::Click(mouse, count) => vec![Event::Press(mouse.clone(), *count), Event::Release(mouse.clone(), *count)],
        Event::DoubleClick(mouse) => {
            [1, 2].into_iter().flat_map(|count| parts(&Event::Click(mouse.clone(), count))).collect()
        }
        Event::Drag { from, to, via } => {
            let moves = via.iter().map(|by| Event::Move(*by));
            let press = Event::Press(from.clone(), 1);
            std::iter::once(press).chain(moves).chain([Event::Release(to.clone(), 1)]).collect()
        }
        Event::Carry { from, to, via } => {
            let moves = via.iter().map(|by| Event::Move(*by));
            let press = Event::Press(from.clone(), 1);
            std::iter::once(press).chain(moves).chain([Event::Drop(to.clone())]).collect()
        }
        Event::Type { on, key, held } => vec![
            Event::Down { on: on.clone(), key: key.clone(), held: *held, again: false },
            Event::Up { on: on.clone(), key: key.clone(), held: *held },
        ],
        other => vec![other.clone()],
    }
}
