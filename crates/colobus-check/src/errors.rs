//! The check `new-errors`: a concurrent run raises no errors that no sequential run raised.

use colobus_model::{
    Action, CheckId, ClientId, Difference, DifferenceKind, ErrorKind, Event, PageError, Trace, Verdict,
};

use crate::{Check, DemandedWord, Evidence, Symptom};

/// Uncaught exceptions and console errors that came with the concurrent part.
pub struct NewErrors;

impl Check for NewErrors {
    fn id(&self) -> CheckId {
        CheckId::new("new-errors")
    }

    fn demand(&self) -> &'static str {
        "acting together raises no error that acting alone does not raise"
    }

    fn applies_where(&self) -> &'static str {
        "always"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::Error]
    }

    fn symptom(&self) -> Symptom {
        Symptom::NewError
    }

    fn needs_late_joiner(&self) -> bool {
        false
    }

    fn evidence(&self, _trace: &Trace) -> Evidence {
        Evidence::default()
    }

    fn concerns(&self, _action: &Action) -> bool {
        true
    }

    fn applies(&self, _trace: &Trace) -> bool {
        true
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        // The browser itself says so when a client without a network wants to connect: that is no error of the page.
        let was_offline = trace.schedule.events.iter().any(|event| matches!(event, Event::Cut { .. }));
        let expected = |error: &PageError| is_polite(error) || was_offline && error.kind == ErrorKind::NoConnection;
        let known =
            |error: &PageError| expected(error) || trace.known_errors.iter().any(|text| same_shape(text, &error.text));
        let clients = trace.observations.iter().enumerate().map(|(at, seen)| (ClientId(at).to_string(), seen));
        let late_joiners =
            trace.late_joiners.iter().map(|late_joiner| (late_joiner.name.clone(), &late_joiner.observation));
        for (name, observation) in clients.chain(late_joiners) {
            let new = observation.errors.iter().find(|error| error.during_concurrent && !known(error));
            if let Some(error) = new {
                let first_line = error.text.lines().next().unwrap_or_default();
                let summary = format!("{name} raises an error: {first_line}");
                return Verdict::Fail(Difference { kind: DifferenceKind::Error, summary });
            }
        }
        Verdict::Pass
    }
}

/// A server that says no to one of two users, as it would if they took turns, works: 409 for what is taken, 404 for what is
/// gone. The browser logs that by itself. A server that fails (5xx) does not work.
fn is_polite(error: &PageError) -> bool {
    matches!(error.kind, ErrorKind::Refused(400..=499))
}

/// Equal but for the digits: ids, positions and times in a message differ from run to run.
fn same_shape(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    letters(one) == letters(other)
}
