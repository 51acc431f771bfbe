//! The check `model-and-view`: what a client shows is what its document says, word by word.

use colobus_model::{Action, CheckId, ClientId, Difference, DifferenceKind, Trace, Verdict};

use crate::{Check, DemandedWord, Evidence, Symptom, TextContent};

/// Every typed word stands on the screen as often as in the application's own document.
pub struct ModelAndView;

impl Check for ModelAndView {
    fn id(&self) -> CheckId {
        CheckId::new("model-and-view")
    }

    fn demand(&self) -> &'static str {
        "every typed word is shown as often as the document has it"
    }

    fn applies_where(&self) -> &'static str {
        "where there is `state` and actions type `{token}`"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::View]
    }

    fn symptom(&self) -> Symptom {
        Symptom::ViewDiffers
    }

    fn needs_late_joiner(&self) -> bool {
        false
    }

    fn evidence(&self, trace: &Trace) -> Evidence {
        Evidence { words: !trace.tokens.is_empty(), ..Evidence::default() }
    }

    fn concerns(&self, _action: &Action) -> bool {
        true
    }

    fn applies(&self, trace: &Trace) -> bool {
        trace.application.state.is_some() && !trace.tokens.is_empty()
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let mut seen_any = false;
        let mut hidden = None;
        for (index, observation) in trace.observations.iter().enumerate() {
            let both = TextContent::in_document(observation).zip(TextContent::on_screen(observation));
            let Some((document, screen)) = both else {
                return Verdict::Unknown("the document and the text of a client were not both observed".into());
            };
            for token in &trace.tokens {
                let (said, shown) = (document.count(&token.word), screen.count(&token.word));
                seen_any |= shown > 0;
                if said != shown && hidden.is_none() {
                    let (client, word) = (ClientId(index), &token.word);
                    hidden = Some(format!(
                        "{client}'s document has “{word}” {} and {client} shows it {}",
                        times(said),
                        times(shown)
                    ));
                }
            }
        }
        match hidden {
            // A page that draws its text, or formats the document in its own way, shows no words at all.
            Some(summary) if seen_any => Verdict::Fail(Difference { kind: DifferenceKind::View, summary }),
            _ => Verdict::Pass,
        }
    }
}

fn times(count: usize) -> String {
    match count {
        0 => "never".to_string(),
        1 => "once".to_string(),
        more => format!("{more} times"),
    }
}
