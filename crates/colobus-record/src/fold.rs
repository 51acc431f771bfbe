//! [`fold`]: what a page hears, said as people say it. Down and up of a key become `type`, those of a mouse button `click`
//! or `drag`, two clicks `doubleclick`. Only neighbours are joined, so that nothing changes its place; what does not fit
//! stays what it is. [`crate::unfold`] undoes it.

use crate::{Event, Line, Mouse, Point, Timing};

/// Joins neighbouring lines until nothing can be joined. The time that a joined line had goes to the line after it.
pub fn fold(lines: Vec<Line>) -> Vec<Line> {
    let mut folded: Vec<Line> = Vec::with_capacity(lines.len());
    let mut owed = 0;
    for mut line in lines {
        if line.timing == Timing::Loose {
            line.after_ms += std::mem::take(&mut owed);
        }
        folded.push(line);
        while let Some(late) = join_end(&mut folded) {
            owed += late;
        }
    }
    folded
}

/// Joins the last lines into one, if they can be; returns the time that passed between them.
fn join_end(lines: &mut Vec<Line>) -> Option<u64> {
    let last = lines.last()?;
    let who = last.who;
    let own = lines.iter().rev().take_while(|line| line.who == who).count();
    let tail = &lines[lines.len() - own..];
    let [.., before, last] = tail else { return None };
    let joined = match (&before.event, &last.event) {
        (Event::Down { on, key, held, again: false }, Event::Up { on: up, key: released, held: still })
            if on.is_same_place(up) && key == released && held == still =>
        {
            Event::Type { on: on.clone(), key: key.clone(), held: *held }
        }
        (Event::Press(press, count), Event::Release(release, again)) if press == release && count == again => {
            Event::Click(press.clone(), *count)
        }
        (Event::Click(one, 1), Event::Click(two, 2)) if one == two => Event::DoubleClick(one.clone()),
        (Event::Secret { on, variable }, Event::Secret { variable: same, .. }) if variable == same => {
            Event::Secret { on: on.clone(), variable: variable.clone() }
        }
        (Event::Scroll { on, .. }, Event::Scroll { on: same, to }) if on.is_same_place(same) => {
            Event::Scroll { on: on.clone(), to: *to }
        }
        // What a key pasted has to be on the clipboard before the key goes down.
        (Event::Down { .. }, Event::Clipboard { .. }) => {
            let length = lines.len();
            lines.swap(length - 2, length - 1);
            let (key_time, paste_time) = (lines[length - 1].after_ms, lines[length - 2].after_ms);
            (lines[length - 2].after_ms, lines[length - 1].after_ms) = (key_time, paste_time);
            return None;
        }
        (_, Event::Release(to, _) | Event::Drop(to)) => {
            let (from, via, taken) = way_back(tail, to)?;
            let event = match &last.event {
                Event::Drop(_) => Event::Carry { from, to: to.clone(), via },
                _ => Event::Drag { from, to: to.clone(), via },
            };
            return Some(replace_end(lines, taken, event));
        }
        _ => return None,
    };
    Some(replace_end(lines, 2, joined))
}

/// From a release back to its press: where that was, the way between them, and how many lines it takes.
fn way_back(tail: &[Line], to: &Mouse) -> Option<(Mouse, Vec<Point>, usize)> {
    let mut via = Vec::new();
    for (index, line) in tail.iter().rev().enumerate().skip(1) {
        match &line.event {
            Event::Move(by) => via.push(*by),
            Event::Press(from, 1) if from.button == to.button => {
                via.reverse();
                return Some((from.clone(), via, index + 1));
            }
            _ => return None,
        }
    }
    None
}

fn replace_end(lines: &mut Vec<Line>, count: usize, event: Event) -> u64 {
    let begin = lines.len() - count;
    let late = lines[begin + 1..].iter().map(|line| line.after_ms).sum();
    lines.truncate(begin + 1);
    if let Some(line) = lines.last_mut() {
        line.event = event;
    }
    late
}
