//! [`Searched`]: all orders of a page's events within a bound, executed and judged.

use std::time::{Duration, Instant};

use colobus_race::explore::{Explored, Next, Search, Settings, Status, Tally};
use colobus_race::model::{EventName, FinalState};
use colobus_race::recorded::RecordedPage;
use colobus_race::verdict::{Judge, Judgement, Outcome, group};
use colobus_world::RacePage;

pub fn names(order: &[EventName]) -> Vec<&str> {
    order.iter().map(EventName::as_str).collect()
}

/// What a user or a server sees.
fn visible(state: &FinalState) -> FinalState {
    FinalState { values: Default::default(), ..state.clone() }
}

/// What a search came to.
pub struct Searched {
    pub recorded: RecordedPage,
    pub judged: Vec<(Explored, Judgement)>,
    pub tally: Tally,
    /// How long the executions took, without the recording.
    pub took: Duration,
}

impl Searched {
    /// Records a page and executes all orders within a bound.
    pub fn new(page: &mut dyn RacePage, bound: usize) -> Searched {
        let recorded = page.record().unwrap();
        let recording = page.run(&recorded, &recorded.execution.order()).unwrap();
        assert_eq!(names(&recording.order()), names(&recorded.execution.order()), "the rewritten page does the same");
        assert_eq!(visible(&recording.outcome), visible(&recorded.execution.outcome));
        let begun = Instant::now();
        let mut search = Search::new(recording, Settings::within(bound));
        let (mut judged, judge) = (Vec::new(), Judge::default());
        while let Next::Run(plan) = search.next_plan() {
            let result = page.run(&recorded, &plan.order).map_err(|error| error.to_string());
            for explored in search.tell(plan.key, result) {
                if let Status::Failed { reason } = &explored.status {
                    panic!("{:?} could not be executed: {reason}", names(&explored.plan.order));
                }
                judged.extend(judge.judge_explored(&explored).map(|judgement| (explored, judgement)));
            }
        }
        Searched { recorded, judged, tally: search.tally(), took: begun.elapsed() }
    }

    /// `first / second: harms`, one line for each pair of source positions. Divergence counts: it hides what comes after.
    pub fn findings(&self) -> Vec<String> {
        let diverged = self.judged.iter().find(|(_, judgement)| matches!(judgement.outcome, Outcome::Diverged(_)));
        if let Some((explored, judgement)) = diverged {
            panic!("{:?} in {:?}", judgement.outcome, names(&explored.plan.order));
        }
        self.causes(|judgement| match &judgement.outcome {
            Outcome::Harmful(harms) => Some(format!(": {harms:?}")),
            _ => None,
        })
    }

    /// `first / second`: what is reported apart.
    pub fn apart(&self) -> Vec<String> {
        self.causes(|judgement| (judgement.outcome == Outcome::Apart).then(String::new))
    }

    /// The first order of each pair of source positions among those of which something is to be said.
    fn causes(&self, said: impl Fn(&Judgement) -> Option<String>) -> Vec<String> {
        let lines: Vec<(&Explored, String)> =
            self.judged.iter().filter_map(|(explored, judgement)| Some((explored, said(judgement)?))).collect();
        let groups = group(lines.iter().filter_map(|(explored, _)| explored.plan.reversals.last()));
        let line = |(_, members): &(_, Vec<usize>)| {
            let (explored, said) = &lines[members[0]];
            let reversal = explored.plan.reversals.last().unwrap();
            format!("{} / {}{said}", reversal.first, reversal.second)
        };
        groups.iter().map(line).collect()
    }
}
