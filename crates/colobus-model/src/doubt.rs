//! Why "nothing found" may mean "nothing searched": [`Report::doubts_about`] says what speaks against trusting a search.
//! Filled in by the run loop and by `merge`, shown by every renderer, and the reason for exit code 2.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Case, Report, Tally, UnknownCase};

/// What a user accepts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    /// Share of the planned cases of which nothing can be said, from 0 to 1.
    pub unknown: f64,
    /// Whether a search may end before everything was run.
    pub partial: bool,
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance { unknown: 0.05, partial: false }
    }
}

impl Report {
    /// Everything that is in doubt, a sentence each; nothing if the search can be trusted. Whether enough was exercised is
    /// not asked of a shard, only of all of them together.
    pub fn doubts_about(&self) -> Vec<String> {
        let (counts, nouns) = (&self.counts, self.search.nouns());
        let mut doubts = Vec::new();
        if self.shard.is_none() {
            doubts.extend(nothing_judged(&counts.interactions, nouns));
            doubts.extend(self.never_applied.iter().map(|action| self.never_applied_because(action)));
            doubts.extend(self.nothing_exercised());
            doubts.extend(self.nothing_to_do.iter().map(|reason| format!("there was nothing to do: {reason}")));
        }
        doubts.extend(self.not_as_recorded.iter().cloned());
        for gap in self.not_applicable.iter().filter(|gap| gap.threw) {
            doubts.push(format!("a script of the action `{}` threw: {}", gap.action, gap.reason));
        }
        doubts.extend(self.script_errors.iter().map(|error| format!("a script of the configuration threw: {error}")));
        let (of_sequences, of_others) =
            self.unknown.iter().partition::<Vec<_>, _>(|unknown| matches!(unknown.case, Case::Sequence { .. }));
        for (tally, what, unknown) in
            [(&counts.sequences, "sequences", of_sequences), (&counts.interactions, nouns, of_others)]
        {
            let doubt = too_many_unknown(tally, what, self.tolerance);
            doubts.extend(doubt.map(|doubt| doubt + &usual_reason(&unknown)));
        }
        if let Some(reason) = self.stopped.as_ref().filter(|_| !self.tolerance.partial) {
            let Tally { planned, .. } = counts.interactions;
            let ran = counts.interactions.ran();
            doubts.push(format!("the search ended after {ran} of {planned} {nouns}: {reason}"));
        }
        let unreduced = self.findings.iter().filter(|finding| !finding.reduced).count();
        if unreduced > 0 {
            doubts.push(format!("{unreduced} of the findings are neither reduced nor run again yet"));
        }
        doubts
    }

    fn never_applied_because(&self, action: &str) -> String {
        match self.not_applicable.iter().find(|gap| gap.action == action) {
            Some(gap) => format!("the action `{action}` could be performed nowhere: {}", gap.reason),
            None => format!("nothing is known of the action `{action}`: no execution of it could be judged"),
        }
    }

    /// Whether something was found that came back and whose cause is not accepted.
    pub fn has_confirmed_finding(&self) -> bool {
        let accepted = |id: usize| self.root_causes.iter().any(|cause| cause.id == id && cause.accepted.is_some());
        self.findings.iter().any(|finding| finding.is_confirmed() && !accepted(finding.root_cause))
    }
}

fn nothing_judged(tally: &Tally, nouns: &str) -> Option<String> {
    let Tally { planned, judged, not_applicable, unknown, not_run } = *tally;
    (judged == 0).then(|| {
        format!(
            "nothing was judged: of {planned} planned {nouns} {not_applicable} were not applicable, {unknown} unknown, {not_run} not run"
        )
    })
}

fn too_many_unknown(tally: &Tally, what: &str, tolerance: Tolerance) -> Option<String> {
    // What does not apply, or was not run, says nothing of those that were.
    let tried = tally.judged + tally.unknown;
    let share = tally.unknown as f64 / tried.max(1) as f64;
    (share > tolerance.unknown).then(|| {
        format!(
            "of {tried} {what} that were run {} are unknown ({:.1} %, accepted are {:.0} %)",
            tally.unknown,
            100.0 * share,
            100.0 * tolerance.unknown
        )
    })
}

/// Why most of these are unknown.
fn usual_reason(unknown: &[&UnknownCase]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    unknown.iter().for_each(|unknown| *counts.entry(&unknown.reason).or_default() += 1);
    let usual = counts.into_iter().max_by_key(|(_, count)| *count);
    usual.map_or(String::new(), |(reason, count)| format!(", {count} of them because: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ActionGap, Counts};

    fn report(interactions: Tally) -> Report {
        Report { counts: Counts { interactions, ..Counts::default() }, ..Report::default() }
    }

    fn clean() -> Report {
        report(Tally { planned: 100, judged: 96, unknown: 4, ..Tally::default() })
    }

    #[test]
    fn a_search_that_was_done_is_trusted() {
        assert_eq!(clean().doubts_about(), Vec::<String>::new());
    }

    #[test]
    fn every_reason_to_doubt_is_said() {
        let changed = |change: fn(&mut Report)| {
            let mut report = clean();
            change(&mut report);
            report.doubts_about().join("; ")
        };
        let unknown = "of 100 interactions that were run 6 are unknown (6.0 %, accepted are 5 %)";
        assert_eq!(changed(|r| (r.counts.interactions.judged, r.counts.interactions.unknown) = (94, 6)), unknown);
        assert_eq!(changed(|r| (r.counts.interactions.unknown, r.tolerance.unknown) = (20, 0.2)), "");
        let early = Tally { planned: 190, judged: 1, unknown: 3, not_run: 186, ..Tally::default() };
        let mut early = report(early);
        (early.stopped, early.tolerance.partial) = (Some("time".into()), true);
        let most = "of 4 interactions that were run 3 are unknown (75.0 %, accepted are 5 %)";
        assert_eq!(early.doubts_about(), [most]);
        let mut without_hub = report(Tally { planned: 100, judged: 94, unknown: 6, ..Tally::default() });
        let case = |number| Case::Interaction { prefix: Vec::new(), concurrent: vec![format!("type {number}")] };
        let reason = |number| if number == 1 { "the page moves" } else { "the hub is away" }.to_string();
        without_hub.unknown = (0..6).map(|number| UnknownCase { case: case(number), reason: reason(number) }).collect();
        let sequence = UnknownCase { case: Case::Sequence { actions: vec!["save".into()] }, reason: "slow".into() };
        without_hub.unknown.extend(vec![sequence; 9]);
        assert_eq!(without_hub.doubts_about(), [format!("{unknown}, 5 of them because: the hub is away")]);
        let stopped = "the search ended after 100 of 100 interactions: time";
        assert_eq!(changed(|r| r.stopped = Some("time".into())), stopped);
        assert_eq!(changed(|r| (r.stopped, r.tolerance.partial) = (Some("time".into()), true)), "");
        let gap = |threw| ActionGap {
            action: "save".into(),
            sequences: 0,
            interactions: 3,
            reason: "no button".into(),
            threw,
        };
        let mut never = clean();
        (never.never_applied, never.not_applicable) = (vec!["save".into()], vec![gap(false)]);
        assert_eq!(never.doubts_about(), ["the action `save` could be performed nowhere: no button"]);
        never.shard = Some((1, 2));
        assert_eq!(never.doubts_about(), Vec::<String>::new(), "another shard may have performed it");
        never.not_applicable = vec![gap(true)];
        assert_eq!(never.doubts_about(), ["a script of the action `save` threw: no button"]);
        let threw = "a script of the configuration threw: `state`: no editor";
        assert_eq!(changed(|r| r.script_errors = vec!["`state`: no editor".into()]), threw);
        let idle = "there was nothing to do: the page offers no event";
        assert_eq!(changed(|r| r.nothing_to_do = Some("the page offers no event".into())), idle);
        assert_eq!(changed(|r| r.not_as_recorded = vec!["it ends elsewhere".into()]), "it ends elsewhere");
        let nothing = report(Tally { planned: 3, not_applicable: 3, ..Tally::default() });
        assert_eq!(
            nothing.doubts_about(),
            ["nothing was judged: of 3 planned interactions 3 were not applicable, 0 unknown, 0 not run"]
        );
    }
}
