//! What an exported test asserts: exactly what the checks that failed demand, so that it fails on the application with the bug
//! and passes once that is repaired.

use std::collections::{BTreeMap, BTreeSet};

use colobus_check::{Check, Checks, EarlyAnswer, Judgement, Symptom, may_reorder};
use colobus_model::{Aspect, CheckId, Difference, Part, Trace};
use serde_json::json;

use crate::{Runner, literal};

/// The checks that failed in a trace.
pub struct Demands<'a> {
    trace: &'a Trace,
    judgement: Judgement,
    failed: Vec<&'static dyn Check>,
    runner: Runner,
}

impl<'a> Demands<'a> {
    pub fn of(trace: &'a Trace, checks: Checks, runner: Runner) -> Demands<'a> {
        let judgement = checks.judge(trace);
        let failed = judgement.failed().filter_map(|(check, _)| checks.find(check)).collect();
        Demands { trace, judgement, failed, runner }
    }

    /// Every check that failed, with what it found.
    pub fn failures(&self) -> impl Iterator<Item = (&CheckId, &Difference)> {
        self.judgement.failed()
    }

    fn has(&self, symptom: Symptom) -> bool {
        self.failed.iter().any(|check| check.symptom() == symptom)
    }

    /// Whether the functions of `verdict.js` are needed.
    pub fn beyond_comparing(&self) -> bool {
        use Symptom::{ClientsDiffer, LateJoinerDiffers, NewError, OnlyInColobus};
        let plain = |symptom| matches!(symptom, ClientsDiffer(_) | LateJoinerDiffers | NewError | OnlyInColobus);
        self.failed.iter().any(|check| !plain(check.symptom()))
    }

    /// Whether the same is run once more without the neutral actions.
    pub fn needs_baseline(&self) -> bool {
        self.has(Symptom::NeutralChanges)
    }

    /// What a third user sees too early.
    pub fn early_answer(&self) -> Option<EarlyAnswer> {
        self.has(Symptom::AnswerTooEarly).then(|| colobus_check::early_answer(self.trace)).flatten()
    }

    /// Checks that failed and that the test does not ask.
    pub fn left_out(&self) -> Vec<CheckId> {
        let only_here = |check: &&&dyn Check| check.symptom() == Symptom::OnlyInColobus;
        self.failed.iter().filter(only_here).map(|check| check.id()).collect()
    }

    /// Which aspects of clients are compared: those that differ. Pixels, which depend on the machine, only if nothing else does;
    /// everything if nothing failed.
    pub fn aspects(&self) -> Vec<Aspect> {
        let differs = |aspect: &Aspect| self.failed.is_empty() || self.has(Symptom::ClientsDiffer(*aspect));
        let asked = [Aspect::State, Aspect::Dom, Aspect::Pixels].into_iter();
        let mut aspects: Vec<Aspect> =
            asked.filter(|aspect| self.trace.judged_by.contains(aspect)).filter(differs).collect();
        if aspects.len() > 1 {
            aspects.retain(|aspect| *aspect != Aspect::Pixels);
        }
        aspects
    }

    /// Whether errors fail the test: if they failed the check, or if nothing did.
    pub fn no_new_errors(&self) -> bool {
        self.failed.is_empty() || self.has(Symptom::NewError)
    }

    /// See [`Runner::equal`].
    pub fn equal(&self, actual: &str, expected: &str) -> String {
        self.runner.equal(actual, expected)
    }

    /// What must be true in the end, beyond clients that are equal.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.words());
        if self.has(Symptom::ReopenedDiffers) {
            lines.push("// A client that opens the document now has what the others have.".to_string());
            lines.push("const [theirs, lateJoiners] = await lookAfterwards(stage);".to_string());
            lines.push(self.equal("lateJoiners", "theirs"));
        }
        if self.needs_baseline() {
            lines.push("// What should change nothing has changed nothing.".to_string());
            let (with, without) = ("await documents(stage)", "expected");
            let reordered = may_reorder(self.trace);
            lines.push(match reordered {
                true => self.equal(&format!("letters({with})"), &format!("letters({without})")),
                false => self.equal(with, without),
            });
        }
        if self.has(Symptom::ViewDiffers) {
            let words = self.all_words();
            lines.push("// Every page shows what its document says.".to_string());
            let (shown, written) =
                (format!("await shownCounts(stage, {words})"), format!("await wordCounts(stage, {words})"));
            lines.push(self.equal(&shown, &written));
        }
        if self.has(Symptom::CaretMisplaced) {
            lines.push("// The carets of others are where their owners have them.".to_string());
            lines.push(self.equal("await misplacedCarets(stage)", "[]"));
        }
        if self.has(Symptom::InvariantBroken) {
            lines.push("// What is always true is true.".to_string());
            lines.push(self.equal("await brokenInvariants(stage)", "[]"));
        }
        lines
    }

    /// What was typed is there, as often as it must be.
    fn words(&self) -> Vec<String> {
        let demanded: Vec<_> = self.failed.iter().flat_map(|check| check.words(self.trace)).collect();
        let listed = |needed: bool| -> BTreeSet<&str> {
            demanded.iter().filter(|word| word.needed == needed).map(|word| word.word.as_str()).collect()
        };
        let mut lines = Vec::new();
        let (once, at_most_once) = (listed(true), listed(false));
        if !once.is_empty() {
            let authors = literal::value(&json!(self.authors(&once)));
            let expected = once.iter().map(|word| format!("{}: 1", literal::string(word)));
            let expected = format!("{{ {} }}", expected.collect::<Vec<_>>().join(", "));
            lines.push("// What users typed is there, once, in every client, unless it was refused.".to_string());
            lines.push(format!("for (const counts of await keptCounts(stage, {authors})) {{"));
            lines.push(format!("  {}", self.equal("counts", &expected)));
            lines.push("}".to_string());
        }
        if !at_most_once.is_empty() {
            let words = literal::value(&json!(at_most_once));
            lines.push("// Words that another user may delete must not appear twice.".to_string());
            lines.push(format!("for (const counts of await wordCounts(stage, {words})) {{"));
            lines.push(format!("  {}", self.equal("Object.values(counts).filter((count) => count > 1)", "[]")));
            lines.push("}".to_string());
        }
        lines
    }

    /// Who typed each of these words, in the concurrent part.
    fn authors<'w>(&self, words: &BTreeSet<&'w str>) -> BTreeMap<&'w str, Option<String>> {
        let tokens = &self.trace.tokens;
        let author = |word: &str| {
            let token = tokens.iter().find(|token| token.word == word)?;
            matches!(token.part, Part::Concurrent { .. }).then(|| token.client.to_string())
        };
        words.iter().map(|word| (*word, author(word))).collect()
    }

    fn all_words(&self) -> String {
        let words: Vec<&str> = self.trace.tokens.iter().map(|token| token.word.as_str()).collect();
        literal::value(&json!(words))
    }
}
