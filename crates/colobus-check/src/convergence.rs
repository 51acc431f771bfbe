//! The checks `convergence-…`: once everything has settled, all clients show the same pixels, DOM or document.

use colobus_compare::{Changed, CompareError, changed, dom};
use colobus_model::{Action, Aspect, CheckId, ClientId, Difference, DifferenceKind, Observation, Trace, Verdict};

use crate::{Check, DemandedWord, Evidence, Symptom, TextContent};

/// All clients are equal in terms of one aspect.
pub struct Convergence {
    aspect: Aspect,
    id: CheckId,
    demand: &'static str,
    kinds: &'static [DifferenceKind],
}

/// How pages can differ, seen from outside.
const SEEN: &[DifferenceKind] = &[DifferenceKind::Text, DifferenceKind::Markup, DifferenceKind::Pixels];

pub static PIXELS: Convergence = Convergence {
    aspect: Aspect::Pixels,
    id: CheckId::new("convergence-pixels"),
    demand: "all clients show the same pixels, once everything has settled",
    kinds: SEEN,
};

pub static DOM: Convergence = Convergence {
    aspect: Aspect::Dom,
    id: CheckId::new("convergence-dom"),
    demand: "all clients have the same DOM, once everything has settled",
    kinds: SEEN,
};

pub static STATE: Convergence = Convergence {
    aspect: Aspect::State,
    id: CheckId::new("convergence-state"),
    demand: "all clients hold the same document, once everything has settled",
    kinds: &[DifferenceKind::State],
};

impl Check for Convergence {
    fn id(&self) -> CheckId {
        self.id.clone()
    }

    fn demand(&self) -> &'static str {
        self.demand
    }

    fn applies_where(&self) -> &'static str {
        match self.aspect {
            Aspect::Pixels => "by default, or if `[judge] convergence` lists it",
            Aspect::Dom => "if `[judge] convergence` lists it",
            Aspect::State => "if `[app]` has `state`, unless `[judge] convergence` lists others",
        }
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        self.kinds
    }

    fn symptom(&self) -> Symptom {
        Symptom::ClientsDiffer(self.aspect)
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

    fn applies(&self, trace: &Trace) -> bool {
        trace.judged_by.contains(&self.aspect)
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        all_equal_first(trace, self.aspect)
    }
}

fn all_equal_first(trace: &Trace, aspect: Aspect) -> Verdict {
    let ignored = trace.ignored_rectangles();
    let Some((first, others)) = trace.observations.split_first() else {
        return Verdict::Unknown("the trace has no observations".into());
    };
    if others.len() + 1 != trace.interaction.clients() {
        return Verdict::Unknown(format!(
            "{} of {} clients were observed",
            trace.observations.len(),
            trace.interaction.clients()
        ));
    }
    for (index, other) in others.iter().enumerate() {
        let pair = (ClientId(0), ClientId(index + 1));
        match changed(first, other, aspect, &ignored) {
            Err(error) => return unknown(error),
            Ok(difference) if difference.is_empty() => {}
            Ok(difference) => return Verdict::Fail(describe(pair, first, other, &difference, aspect)),
        }
    }
    Verdict::Pass
}

fn unknown(error: CompareError) -> Verdict {
    Verdict::Unknown(error.to_string())
}

fn describe(
    (a, b): (ClientId, ClientId),
    first: &Observation,
    other: &Observation,
    changed: &Changed,
    aspect: Aspect,
) -> Difference {
    let doms = first.dom.as_ref().zip(other.dom.as_ref());
    let kind = match aspect {
        Aspect::State => DifferenceKind::State,
        _ => doms.and_then(|(one, other)| dom::difference_kind(one, other)).unwrap_or(DifferenceKind::Pixels),
    };
    let place = match changed {
        Changed::Pixels(set) => set
            .bounds()
            .map(|area| format!("{} pixels in {}x{} at ({}, {})", set.len(), area.width, area.height, area.x, area.y)),
        Changed::Lines(_) => None,
    };
    let summary = match (kind, doms) {
        (DifferenceKind::Text, Some((one, other))) => {
            let (one, other) = differing_part(&dom::text_lines(one), &dom::text_lines(other));
            format!("{a} shows “{one}” where {b} shows “{other}”")
        }
        (DifferenceKind::Markup, _) => format!("{a} and {b} show the same text with different formatting"),
        (DifferenceKind::State, _) => {
            format!("{a} and {b} hold different documents{}", texts_of_documents(first, other))
        }
        _ => format!("{a} and {b} have equal DOMs and look different"),
    };
    Difference { kind, summary: place.map_or(summary.clone(), |place| format!("{summary} ({place})")) }
}

/// What the documents say where they say different things.
fn texts_of_documents(one: &Observation, other: &Observation) -> String {
    let text = |seen| TextContent::in_document(seen).map(|document| document.passages().join("\n"));
    match (text(one), text(other)) {
        (Some(one), Some(other)) if one != other => {
            let (one, other) = differing_part(&one, &other);
            format!(": “{one}” and “{other}”")
        }
        _ => String::new(),
    }
}

/// The texts without what they share at both ends, with a few characters of context from the same line, cut to a
/// readable length.
fn differing_part(one: &str, other: &str) -> (String, String) {
    const CONTEXT: usize = 8;
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let shorter = one.len().min(other.len());
    let before = (0..shorter).take_while(|i| one[*i] == other[*i]).count();
    let after = (0..shorter - before).take_while(|i| one[one.len() - 1 - i] == other[other.len() - 1 - i]).count();
    let part = |text: &[char]| {
        let same_line = |character: &&char| **character != '\n';
        let lead = text[..before].iter().rev().take_while(same_line).take(CONTEXT).count();
        let trail = text[text.len() - after..].iter().take_while(same_line).take(CONTEXT).count();
        let (start, end) = (before - lead, text.len() - after + trail);
        let cut: String = text[start..end].iter().take(60).map(|c| if *c == '\n' { '⏎' } else { *c }).collect();
        let more = |hidden: bool| if hidden { "…" } else { "" };
        format!("{}{cut}{}", more(lead == CONTEXT), more(end - start > 60 || trail == CONTEXT))
    };
    (part(&one), part(&other))
}
