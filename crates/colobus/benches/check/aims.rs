//! [`Aim`]: what a search should cost. Parts of the bench say what they measured for each; the table of aims shows all of them, also
//! those that a run has not measured.

use crate::table::{milliseconds, minutes, seconds, times};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aim {
    Editor,
    EditorInPlace,
    Firepad,
    EditorAgainstScript,
    FirepadAgainstScript,
    EditorRate,
    EditorRateInPlace,
    FixedWaits,
    FixedWaitsInPlace,
    FirepadLarge,
    FirepadFifteen,
    Demo,
    DemoFirstFinding,
    EditorFirstTruths,
    FirepadFirstTruths,
    FewerExecutions,
}

/// How a figure is written, and which side of the aim is the good one.
#[derive(Clone, Copy)]
enum Unit {
    Milliseconds,
    Seconds,
    Minutes,
    Ratio,
    PerMinute,
    TimesFaster,
    Share,
}

impl Aim {
    pub const ALL: [Aim; 16] = [
        Aim::Editor,
        Aim::EditorInPlace,
        Aim::Firepad,
        Aim::EditorAgainstScript,
        Aim::FirepadAgainstScript,
        Aim::EditorRate,
        Aim::EditorRateInPlace,
        Aim::FixedWaits,
        Aim::FixedWaitsInPlace,
        Aim::FirepadLarge,
        Aim::FirepadFifteen,
        Aim::Demo,
        Aim::DemoFirstFinding,
        Aim::EditorFirstTruths,
        Aim::FirepadFirstTruths,
        Aim::FewerExecutions,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Aim::Editor => "built-in editor, execution of an interaction, median, one worker",
            Aim::EditorInPlace => "– in place",
            Aim::Firepad => "Firepad, the same",
            Aim::EditorAgainstScript => "processor time of an execution against the plain script, editor",
            Aim::FirepadAgainstScript => "– Firepad",
            Aim::EditorRate => "executions a minute, editor, default workers",
            Aim::EditorRateInPlace => "– in place",
            Aim::FixedWaits => "against Simian's fixed waits, faster by",
            Aim::FixedWaitsInPlace => "– in place",
            Aim::FirepadLarge => "Firepad, ten actions, depth 3, both phases",
            Aim::FirepadFifteen => "Firepad, 15 actions, depth 3, both phases",
            Aim::Demo => "`colobus demo`",
            Aim::DemoFirstFinding => "– first cause told after",
            Aim::EditorFirstTruths => "causes known after a quarter of the executions, editor with all bugs, depth 2",
            Aim::FirepadFirstTruths => "– Firepad, depth 3",
            Aim::FewerExecutions => "executions fewer than all orders of all pairs, editor, depth 2",
        }
    }

    /// The figure to reach, in seconds where it is a time.
    fn figure(self) -> (f64, Unit) {
        match self {
            Aim::Editor => (0.2, Unit::Milliseconds),
            Aim::EditorInPlace => (0.12, Unit::Milliseconds),
            Aim::Firepad => (0.38, Unit::Milliseconds),
            Aim::EditorAgainstScript => (0.5, Unit::Ratio),
            Aim::FirepadAgainstScript => (0.7, Unit::Ratio),
            Aim::EditorRate => (450.0, Unit::PerMinute),
            Aim::EditorRateInPlace => (600.0, Unit::PerMinute),
            Aim::FixedWaits => (70.0, Unit::TimesFaster),
            Aim::FixedWaitsInPlace => (120.0, Unit::TimesFaster),
            Aim::FirepadLarge => (180.0, Unit::Minutes),
            Aim::FirepadFifteen => (720.0, Unit::Minutes),
            Aim::Demo => (25.0, Unit::Seconds),
            Aim::DemoFirstFinding => (5.0, Unit::Seconds),
            Aim::EditorFirstTruths | Aim::FirepadFirstTruths => (0.9, Unit::Share),
            Aim::FewerExecutions => (10.0, Unit::TimesFaster),
        }
    }

    pub fn wanted(self) -> String {
        let (figure, unit) = self.figure();
        unit.write(figure)
    }

    pub fn write(self, measured: f64) -> String {
        self.figure().1.write(measured)
    }

    pub fn is_reached(self, measured: f64) -> bool {
        let (figure, unit) = self.figure();
        match unit {
            Unit::Milliseconds | Unit::Seconds | Unit::Minutes | Unit::Ratio => measured <= figure,
            Unit::PerMinute | Unit::TimesFaster | Unit::Share => measured >= figure,
        }
    }
}

impl Unit {
    fn write(self, figure: f64) -> String {
        match self {
            Unit::Milliseconds => milliseconds(figure),
            Unit::Seconds => seconds(figure),
            Unit::Minutes => minutes(figure),
            Unit::Ratio => format!("{figure:.2}"),
            Unit::PerMinute => format!("{figure:.0}"),
            Unit::TimesFaster => times(figure),
            Unit::Share => format!("{:.0} %", 100.0 * figure),
        }
    }
}
