//! A picture that needs nothing else: one column per site, time downwards, an arrow from where an operation was generated
//! to where it arrives. Colours follow the reader's light or dark mode.

use colobus_markup::escaped;

use super::{causality, label, verdict};
use crate::scenario::Replay;

const COLUMN: usize = 270;
const ROW: usize = 78;
const TOP: usize = 92;
const BOX: usize = 220;

const STYLE: &str = include_str!("svg.css");

/// The replay as a self-contained SVG.
pub fn svg(replay: &Replay) -> String {
    let columns = replay.sites.len();
    let times = times(replay);
    let rows = times.iter().flatten().max().map_or(0, |last| last + 1);
    let (width, height) = (columns * COLUMN + 20, TOP + rows * ROW + 96);
    let title = format!("{}: {}", replay.scenario.function, verdict(replay));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n<rect class=\"page\" width=\"{width}\" \
         height=\"{height}\" rx=\"12\"/>\n",
        escaped(&title)
    );
    for (column, site) in replay.sites.iter().enumerate() {
        let x = center(column);
        out += &write(x, 34, "site", &site.site);
        out += &write(x, 60, "document", &shown(&replay.scenario.text));
        let end = TOP + rows * ROW;
        out += &format!("<line class=\"life\" x1=\"{x}\" y1=\"72\" x2=\"{x}\" y2=\"{end}\"/>\n");
    }
    out += &arrows(replay, &times);
    for (column, (site, times)) in replay.sites.iter().zip(&times).enumerate() {
        let x = center(column);
        for (step, time) in site.steps.iter().zip(times) {
            let y = TOP + time * ROW;
            let kind = if step.own {
                "own"
            } else if step.form.starts_with("Nop") {
                "nop"
            } else {
                "remote"
            };
            let left = x - BOX / 2;
            out += &format!(
                "<rect class=\"step {kind}\" x=\"{left}\" y=\"{y}\" width=\"{BOX}\" height=\"30\" rx=\"8\"/>\n"
            );
            out += &write(x, y + 20, "operation", &label(step));
            out += &write(x, y + 52, "document", &shown(&step.text));
        }
    }
    let common = replay.sites.first().map(|site| site.text.clone());
    for (column, site) in replay.sites.iter().enumerate() {
        let class = if replay.converges {
            "agreed"
        } else if Some(&site.text) == common.as_ref() {
            "end"
        } else {
            "end other"
        };
        let (left, y) = (center(column) - BOX / 2, TOP + rows * ROW + 4);
        out += &format!("<rect class=\"{class}\" x=\"{left}\" y=\"{y}\" width=\"{BOX}\" height=\"32\" rx=\"8\"/>\n");
        out += &write(center(column), y + 22, "final", &shown(&site.text));
    }
    let order = causality(&replay.scenario);
    let order = if order.is_empty() { "all operations concurrent".into() } else { order.join("   ") };
    out += &write(width / 2, height - 22, "note", &format!("{} · {order}", replay.scenario.function));
    out + "</svg>\n"
}

fn center(column: usize) -> usize {
    10 + column * COLUMN + COLUMN / 2
}

/// The row of each step: an operation arrives below the row in which it was generated.
fn times(replay: &Replay) -> Vec<Vec<usize>> {
    let mut times: Vec<Vec<usize>> = replay.sites.iter().map(|_| Vec::new()).collect();
    let generated = |times: &[Vec<usize>], name: &str| {
        replay.sites.iter().zip(times).find_map(|(site, times)| {
            let at = site.steps.iter().position(|step| step.own && step.operation == name)?;
            Some(times.get(at).copied())
        })
    };
    loop {
        let mut moved = false;
        for (column, site) in replay.sites.iter().enumerate() {
            let Some(step) = site.steps.get(times[column].len()) else { continue };
            let previous = times[column].last().map_or(0, |last| last + 1);
            let time = match generated(&times, &step.operation) {
                Some(Some(sent)) if !step.own => previous.max(sent + 1),
                Some(None) if !step.own => continue,
                _ => previous,
            };
            times[column].push(time);
            moved = true;
        }
        if !moved {
            return times;
        }
    }
}

fn arrows(replay: &Replay, times: &[Vec<usize>]) -> String {
    let mut out = String::new();
    for (to, site) in replay.sites.iter().enumerate() {
        for (step, time) in site.steps.iter().zip(&times[to]).filter(|(step, _)| !step.own) {
            let sender = replay.sites.iter().enumerate().find_map(|(from, sender)| {
                let at = sender.steps.iter().position(|theirs| theirs.own && theirs.operation == step.operation)?;
                Some((from, *times[from].get(at)?))
            });
            let Some((from, sent)) = sender else { continue };
            let side = |column: usize, other: usize| {
                if other > column { center(column) + BOX / 2 } else { center(column) - BOX / 2 }
            };
            let (x1, y1) = (side(from, to), TOP + sent * ROW + 15);
            let (x2, y2) = (side(to, from), TOP + time * ROW + 15);
            let bend = x1.abs_diff(x2) / 2 + 12;
            let (c1, c2) = if x1 < x2 { (x1 + bend, x2 - bend) } else { (x1.saturating_sub(bend), x2 + bend) };
            out += &format!("<path class=\"message\" d=\"M{x1} {y1}C{c1} {y1} {c2} {y2} {x2} {y2}\"/>\n");
        }
    }
    out
}

fn write(x: usize, y: usize, class: &str, text: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>\n", escaped(&text.replace(char::is_control, "␤")))
}

/// An empty document is shown as such, spaces are made visible.
fn shown(text: &str) -> String {
    if text.is_empty() { "(empty)".into() } else { text.replace(' ', "␣") }
}
