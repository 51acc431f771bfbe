//! Whoever opens the document now must see what those see who were there all the time.

use colobus_trace::{Difference, DifferenceKind, Observation, Trace, Verdict};

use crate::{Check, Writing};

/// A newcomer's document is the others' document.
pub struct Reload;

impl Check for Reload {
    fn name(&self) -> &'static str {
        "reload"
    }

    fn describe(&self) -> &'static str {
        "a client that opens the document now sees what the others see"
    }

    fn applies(&self, trace: &Trace) -> bool {
        trace.newcomer.is_some()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let Some(arrival) = &trace.newcomer else { return Verdict::Pass };
        let (newcomer, witness) = (&arrival.newcomer, &arrival.witness);
        if newcomer.state.is_some() {
            let equal = newcomer.state == witness.state;
            return verdict(equal, || "a newcomer gets another document than those have who are there".to_string());
        }
        match (shown(newcomer), shown(witness)) {
            (Some(new), Some(old)) => verdict(new == old, || {
                format!("a newcomer sees “{}” where the others see “{}”", brief(&new), brief(&old))
            }),
            _ => Verdict::Unknown("the text of a client was not observed".into()),
        }
    }
}

fn verdict(equal: bool, summary: impl Fn() -> String) -> Verdict {
    if equal { Verdict::Pass } else { Verdict::Fail(Difference { kind: DifferenceKind::Reload, summary: summary() }) }
}

fn shown(observation: &Observation) -> Option<String> {
    Writing::on_screen(observation).map(|writing| writing.passages().join("\n"))
}

/// What fits on a line.
fn brief(text: &str) -> String {
    let shown: String = text.chars().take(80).map(|c| if c == '\n' { '⏎' } else { c }).collect();
    if text.chars().count() > 80 { format!("{shown}…") } else { shown }
}
