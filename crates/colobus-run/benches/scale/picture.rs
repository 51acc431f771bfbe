//! The cost of an interaction against the number of interactions, as an SVG; both axes are logarithmic. A cost that grows with
//! the search would rise from left to right.

use std::fmt::Write;

use crate::case::Measured;
use crate::section::per_interaction_ms;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 300.0;
/// Room for the labels of the axes.
const LEFT: f64 = 70.0;
const BELOW: f64 = 45.0;
const MARGIN: f64 = 15.0;
/// The whole picture: the label of the last tick is centred on the edge.
const WHOLE: f64 = WIDTH + 25.0;

/// One of the axes: powers of ten from the first to the last.
struct Axis {
    from: i32,
    to: i32,
    start: f64,
    length: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, start: f64, length: f64) -> Axis {
        let (mut from, mut to) = (i32::MAX, i32::MIN);
        for value in values.filter(|value| *value > 0.0) {
            from = from.min(value.log10().floor() as i32);
            to = to.max(value.log10().ceil() as i32);
        }
        let from = from.min(to.saturating_sub(1));
        Axis { from, to, start, length }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.max(f64::MIN_POSITIVE).log10() - f64::from(self.from)) / f64::from(self.to - self.from);
        self.start + self.length * share
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        (self.from..=self.to).map(|power| 10_f64.powi(power))
    }
}

pub fn draw(all: &[Measured]) -> String {
    let (right, bottom) = (WIDTH - MARGIN, HEIGHT - BELOW);
    let across = Axis::over(all.iter().map(|measured| measured.interactions as f64), LEFT, right - LEFT);
    let up = Axis::over(all.iter().map(per_interaction_ms), bottom, MARGIN - bottom);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WHOLE} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{WHOLE}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    for tick in across.ticks() {
        let x = across.place(tick);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {MARGIN}V{bottom}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>", bottom + 16.0);
    }
    for tick in up.ticks() {
        let y = up.place(tick);
        let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>");
        let _ =
            writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick} ms</text>", LEFT - 6.0, y + 4.0);
    }
    // What takes less than a tick of the kernel's clock has no place on such an axis.
    for measured in all.iter().filter(|measured| per_interaction_ms(measured) > 0.0) {
        let (x, y) = (across.place(measured.interactions as f64), up.place(per_interaction_ms(measured)));
        let colour = match (measured.case.fails, measured.case.clients) {
            (true, _) => "#d9480f",
            (false, 2) => "#2563eb",
            (false, _) => "#087f5b",
        };
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"><title>{}</title></circle>",
            measured.case
        );
    }
    let legend = [("#2563eb", "two clients"), ("#087f5b", "four to eight clients"), ("#d9480f", "nearly all fail")];
    for (row, (colour, label)) in legend.into_iter().enumerate() {
        let y = MARGIN + 14.0 + 16.0 * row as f64;
        let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>", right - 140.0, y - 4.0);
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{y:.1}\">{label}</text>", right - 130.0);
    }
    let middle = LEFT + (right - LEFT) / 2.0;
    let _ =
        writeln!(svg, "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">interactions</text>", HEIGHT - 8.0);
    svg.push_str("</svg>\n");
    svg
}
