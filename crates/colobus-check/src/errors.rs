//! The check `new-errors`: a concurrent run raises no errors that no sequential run raised.

use std::collections::BTreeSet;

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
        match new_errors(trace).next() {
            None => Verdict::Pass,
            Some((name, error)) => {
                let first_line = error.text.lines().next().unwrap_or_default();
                let summary = format!("{name} raises an error: {first_line}");
                Verdict::Fail(Difference { kind: DifferenceKind::Error, summary })
            }
        }
    }
}

/// The statuses of requests that the server refused (4xx), if nothing else is new; whether users who take turns get them as well
/// has to be tried.
pub fn refusals_alone(trace: &Trace) -> Option<BTreeSet<u16>> {
    let status = |(_, error): (String, &PageError)| match error.kind {
        ErrorKind::Refused(status @ 400..=499) => Some(status),
        _ => None,
    };
    let statuses: BTreeSet<u16> = new_errors(trace).map(status).collect::<Option<_>>()?;
    (!statuses.is_empty()).then_some(statuses)
}

/// Errors of the concurrent part that are not known and not expected, and whose they are.
fn new_errors(trace: &Trace) -> impl Iterator<Item = (String, &PageError)> {
    // The browser itself says so when a client without a network wants to connect: that is no error of the page.
    let was_offline = trace.schedule.events.iter().any(|event| matches!(event, Event::Cut { .. }));
    let expected =
        move |error: &PageError| is_for_the_later(error) || was_offline && error.kind == ErrorKind::NoConnection;
    let known =
        move |error: &PageError| expected(error) || trace.known_errors.iter().any(|text| same_shape(text, &error.text));
    let clients = trace.observations.iter().enumerate().map(|(at, seen)| (ClientId(at).to_string(), seen));
    let late_joiners =
        trace.late_joiners.iter().map(|late_joiner| (late_joiner.name.clone(), &late_joiner.observation));
    let errors = clients.chain(late_joiners).flat_map(|(name, seen)| {
        seen.errors.iter().filter(|error| error.during_concurrent).map(move |error| (name.clone(), error))
    });
    errors.filter(move |(_, error)| !known(error))
}

/// A server that tells one of two users that the other was faster works: what is wanted is gone (404, 410), taken or changed (409,
/// 412, 428), locked (423), or wanted too often (429). The browser logs that by itself.
fn is_for_the_later(error: &PageError) -> bool {
    matches!(error.kind, ErrorKind::Refused(404 | 409 | 410 | 412 | 423 | 428 | 429))
}

/// Equal but for the digits: ids, positions and times in a message differ from run to run.
fn same_shape(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    letters(one) == letters(other)
}
