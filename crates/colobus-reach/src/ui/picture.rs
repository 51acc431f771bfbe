//! Pictures of a UI model: Mermaid for documents, SVG that needs nothing else. States stand on a circle; transitions
//! between the same states share one arrow.

use std::collections::BTreeMap;
use std::fmt::Write;

use colobus_markup::escaped;

use super::UiModel;
use crate::summary::START;

/// Events on one arrow that are written out; more are counted.
const SHOWN: usize = 3;

/// Which events lead from where to where.
fn arrows(model: &UiModel) -> BTreeMap<(&str, &str), String> {
    let mut events: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for transition in &model.transitions {
        events.entry((&transition.from, &transition.to)).or_default().push(&transition.event);
    }
    let label = |events: Vec<&str>| match events.len() {
        0..=SHOWN => events.join(", "),
        more => format!("{}, … ({more})", events[..SHOWN - 1].join(", ")),
    };
    events.into_iter().map(|(ends, events)| (ends, label(events))).collect()
}

/// All states, the one before the start first.
fn places(model: &UiModel) -> Vec<&str> {
    std::iter::once(START).chain(model.states()).collect()
}

/// A Mermaid state diagram.
pub fn mermaid(model: &UiModel) -> String {
    let places = places(model);
    let id = |state: &str| match places.iter().position(|place| *place == state) {
        Some(0) | None => "[*]".to_owned(),
        Some(index) => format!("s{index}"),
    };
    // Quotes end a name, semicolons and colons a line.
    let safe = |text: &str| text.replace('"', "'").replace([';', ':', '\n'], " ");
    let mut out = String::from("stateDiagram-v2\n");
    for state in &places[1..] {
        let mark = if model.incomplete.contains(*state) { " (not crawled completely)" } else { "" };
        let _ = writeln!(out, "    state \"{}{mark}\" as {}", safe(state), id(state));
    }
    for ((from, to), label) in arrows(model) {
        let _ = writeln!(out, "    {} --> {} : {}", id(from), id(to), safe(&label));
    }
    out
}

/// A self-contained SVG picture.
pub fn svg(model: &UiModel) -> String {
    let places = places(model);
    let radius = 60.0 + 40.0 * places.len() as f64;
    let (width, height) = (2.0 * radius + 260.0, 2.0 * radius + 140.0);
    let (middle_x, middle_y) = (width / 2.0, height / 2.0);
    let point = |state: &str| {
        let index = places.iter().position(|place| *place == state).unwrap_or(0);
        let angle = std::f64::consts::TAU * (index as f64 / places.len() as f64 - 0.25);
        (middle_x + radius * angle.cos(), middle_y + radius * angle.sin())
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for ((from, to), label) in arrows(model) {
        let ((x1, y1), (x2, y2)) = (point(from), point(to));
        let (path, label_x, label_y) = if from == to {
            // Outwards, where no other arrow runs.
            let (dx, dy) = ((x1 - middle_x) / radius, (y1 - middle_y) / radius);
            let (cx, cy) = (x1 + 62.0 * dx, y1 + 62.0 * dy);
            let (ax, ay, bx, by) = (cx - 40.0 * dy, cy + 40.0 * dx, cx + 40.0 * dy, cy - 40.0 * dx);
            (format!("M{x1:.0} {y1:.0}C{ax:.0} {ay:.0} {bx:.0} {by:.0} {x1:.0} {y1:.0}"), cx, cy)
        } else {
            let length = (x2 - x1).hypot(y2 - y1).max(1.0);
            let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
            // Bent to one side, so that there and back are two arrows.
            let (cx, cy) = ((x1 + x2) / 2.0 - 24.0 * dy, (y1 + y2) / 2.0 + 24.0 * dx);
            let (sx, sy, ex, ey) = (x1 + 22.0 * dx, y1 + 22.0 * dy, x2 - 22.0 * dx, y2 - 22.0 * dy);
            // Nearer to where it begins, so that there and back are two labels as well.
            let on_curve = |start: f64, bend: f64, end: f64| {
                let along = 0.35;
                (1.0 - along) * (1.0 - along) * start + 2.0 * along * (1.0 - along) * bend + along * along * end
            };
            let label_at = (on_curve(sx, cx, ex), on_curve(sy, cy, ey));
            (format!("M{sx:.0} {sy:.0}Q{cx:.0} {cy:.0} {ex:.0} {ey:.0}"), label_at.0, label_at.1)
        };
        let _ = writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"#555\" marker-end=\"url(#head)\"/>");
        let label = escaped(&label);
        let _ = writeln!(
            out,
            "<text x=\"{label_x:.0}\" y=\"{label_y:.0}\" text-anchor=\"middle\" fill=\"#185\" \
             stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">{label}</text>"
        );
    }
    for state in &places {
        let (x, y) = point(state);
        let dashes = if model.incomplete.contains(*state) { " stroke-dasharray=\"4\"" } else { "" };
        let _ = writeln!(
            out,
            "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"96\" height=\"26\" rx=\"8\" fill=\"#eef4ff\" stroke=\"#35c\"{dashes}/>\
             <text x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
            x - 48.0,
            y - 13.0,
            y + 4.0,
            escaped(state)
        );
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_data() {
        let mut model = UiModel::default();
        model.connect(START, START, "<b>");
        model.connect("<b>", "say \"hi\"; drop", "<b>");
        assert_eq!(
            mermaid(&model),
            "stateDiagram-v2\n    state \"<b>\" as s1\n    s1 --> s1 : say 'hi'  drop\n    [*] --> s1 : start\n"
        );
        let picture = svg(&model);
        assert!(picture.contains("&lt;b&gt;") && !picture.contains("<b>"), "{picture}");
        assert_eq!(picture.matches("<path d=\"M").count(), 3);
    }
}
