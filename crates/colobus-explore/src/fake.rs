//! [`FakePage`]: a page in memory, for tests that need no browser. A [`FakeApp`] says which events each state offers, which
//! function of its script they enter, and under which condition they do more than usual.

use std::collections::BTreeMap;
use std::sync::Arc;

use colobus_model::BrowserPlace;
use colobus_record::{Element, Entry, Event, Hints, Hop, Path, PathStep};
use colobus_world::{
    AnswerPlan, ExplorablePage, FunctionRun, GivenAnswer, Offer, OfferKind, PageProblem, PageRun, PageStep,
    ProblemKind, RangeRun, Recorded, Script, ScriptName, ScriptRun, SeenProblem, Visit, WorldError,
};

/// An application: its one script, and its states, the first of which it begins in.
#[derive(Clone, Debug, Default)]
pub struct FakeApp {
    pub source: String,
    pub states: Vec<Vec<FakeEvent>>,
}

/// An event that a state offers.
#[derive(Clone, Debug)]
pub struct FakeEvent {
    pub kind: OfferKind,
    /// The id of its element, which names it.
    pub name: &'static str,
    /// The function that it enters; a block `/*NAME*/{ … }` of it runs only under a condition.
    pub function: &'static str,
    pub to: usize,
    pub when: Option<When>,
    /// The request that it sends.
    pub asks: Option<&'static str>,
}

/// More than usual.
#[derive(Clone, Debug)]
pub struct When {
    pub condition: Condition,
    /// The block that runs then.
    pub block: &'static str,
    pub to: usize,
    pub throws: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub enum Condition {
    /// A field contains this.
    Field(&'static str, &'static str),
    /// The answer has this text in it.
    Answer(&'static str),
    /// This event was performed before.
    After(&'static str),
}

impl FakeEvent {
    pub fn click(name: &'static str, function: &'static str, to: usize) -> FakeEvent {
        FakeEvent { kind: OfferKind::Click, name, function, to, when: None, asks: None }
    }

    pub fn field(name: &'static str, state: usize) -> FakeEvent {
        FakeEvent { kind: OfferKind::Fill, name, function: "", to: state, when: None, asks: None }
    }

    pub fn when(self, condition: Condition, block: &'static str, to: usize, throws: Option<&'static str>) -> FakeEvent {
        FakeEvent { when: Some(When { condition, block, to, throws }), ..self }
    }

    pub fn asking(self, request: &'static str) -> FakeEvent {
        FakeEvent { asks: Some(request), ..self }
    }
}

/// Opens the application afresh for every run.
#[derive(Clone, Debug)]
pub struct FakePage {
    app: Arc<FakeApp>,
    running: Running,
    answers: AnswerPlan,
    /// How many runs there were.
    pub runs: usize,
}

impl FakePage {
    pub fn new(app: Arc<FakeApp>) -> FakePage {
        FakePage { app, running: Running::default(), answers: AnswerPlan::default(), runs: 0 }
    }
}

impl FakePage {
    fn perform(&mut self, steps: &[PageStep], prefix: usize) -> Visit {
        let FakePage { app, running, answers: plan, .. } = self;
        let top = RangeRun { start: 0, end: app.source.len(), count: 1 };
        let mut visit = Visit { rested: true, ..Visit::default() };
        for (index, step) in steps.iter().enumerate() {
            if index == prefix {
                visit.before = vec![app.script_run(&std::mem::take(&mut running.ran))];
                running.ran.push(RangeRun { count: 0, ..top });
            }
            let answers = running.answers.len();
            if !app.perform(running, step, plan) {
                visit.stopped = Some("there is no such element".to_string());
                break;
            }
            visit.performed += 1;
            visit.answered_last = running.answers.len() > answers;
        }
        visit.after = vec![app.script_run(&running.ran)];
        visit.offers = app.states[running.state].iter().map(|event| event.offer(running)).collect();
        visit.scripts = vec![app.script()];
        (visit.problems, visit.answers) = (running.problems.clone(), running.answers.clone());
        visit
    }
}

/// The state of one run.
#[derive(Clone, Debug, Default)]
struct Running {
    state: usize,
    fields: BTreeMap<String, String>,
    done: Vec<&'static str>,
    problems: Vec<SeenProblem>,
    answers: Vec<GivenAnswer>,
    /// Ranges of the script that ran.
    ran: Vec<RangeRun>,
}

impl ExplorablePage for FakePage {
    fn run(&mut self, run: &PageRun) -> Result<Visit, WorldError> {
        self.runs += 1;
        let top = RangeRun { start: 0, end: self.app.source.len(), count: 1 };
        self.running = Running { ran: vec![top], ..Running::default() };
        self.answers = run.answers.clone();
        Ok(self.perform(&run.steps, run.prefix))
    }

    fn go_on(&mut self, steps: &[PageStep]) -> Result<Visit, WorldError> {
        self.running.problems.clear();
        let mut visit = self.perform(steps, 0);
        visit.before.clear();
        Ok(visit)
    }

    fn run_recorded(&mut self, run: &PageRun) -> Result<Recorded<Visit>, WorldError> {
        let performed: Vec<&str> = run.steps.iter().map(|step| step.label.as_str()).collect();
        Ok(Recorded { run: self.run(run)?, har: format!("traffic of {}", performed.join(", ")) })
    }

    fn browser(&self) -> BrowserPlace {
        BrowserPlace::here("fake")
    }
}

impl FakeApp {
    fn script(&self) -> Script {
        let name = ScriptName { url: "http://fake/app.js".into(), hash: "1".into() };
        Script { name, source: self.source.as_str().into(), line: 0, is_module: false }
    }

    fn script_run(&self, ran: &[RangeRun]) -> ScriptRun {
        let mut functions: Vec<FunctionRun> = Vec::new();
        for range in ran {
            functions.push(FunctionRun { name: String::new(), ranges: vec![*range] });
        }
        // Functions and blocks that did not run.
        for (start, end) in self.blocks() {
            if !ran.iter().any(|range| (range.start, range.end) == (start, end)) {
                let ranges = vec![RangeRun { start, end, count: 0 }];
                functions.push(FunctionRun { name: String::new(), ranges });
            }
        }
        ScriptRun { script: self.script().name, functions }
    }

    /// Functions, and blocks with a name.
    fn blocks(&self) -> Vec<(usize, usize)> {
        let begins = self.source.match_indices("function ").chain(self.source.match_indices("/*"));
        begins.filter_map(|(start, _)| Some((start, self.end_of(start)?))).collect()
    }

    fn named(&self, begin: &str) -> Option<RangeRun> {
        let start = self.source.find(begin)?;
        Some(RangeRun { start, end: self.end_of(start)?, count: 1 })
    }

    /// The end of the braces after a place.
    fn end_of(&self, start: usize) -> Option<usize> {
        let mut depth = 0;
        for (index, c) in self.source[start..].char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 1 => return Some(start + index + 1),
                '}' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Whether the step was possible.
    fn perform(&self, running: &mut Running, step: &PageStep, plan: &AnswerPlan) -> bool {
        let Some(line) = step.lines.iter().find(|line| line.event.element().is_some()) else { return false };
        let name = line.event.element().and_then(|element| element.target().attribute("id")).unwrap_or_default();
        let Some(event) = self.states[running.state].iter().find(|event| event.name == name) else { return false };
        if let Some(text) = step.lines.iter().find_map(|line| match &line.event {
            Event::Insert { text, .. } => Some(text.clone()),
            _ => None,
        }) {
            running.fields.insert(event.name.to_string(), text);
        }
        let answer = event.asks.map(|request| answer(request, step.seed, running, plan));
        let holds = |when: &&When| match &when.condition {
            Condition::Field(field, value) => running.fields.get(*field).is_some_and(|text| text == value),
            Condition::Answer(text) => answer.as_ref().is_some_and(|answer| answer.body.contains(text)),
            Condition::After(name) => running.done.contains(name),
        };
        let more = event.when.as_ref().filter(holds);
        running.ran.extend(self.named(&format!("function {}(", event.function)));
        running.state = more.map_or(event.to, |more| more.to);
        if let Some(more) = more {
            running.ran.extend(self.named(&format!("/*{}*/", more.block)));
            running.problems.extend(more.throws.map(|text| SeenProblem {
                problem: PageProblem { kind: ProblemKind::Uncaught, text: text.to_string() },
                place: None,
            }));
        }
        running.answers.extend(answer);
        running.done.push(event.name);
        true
    }
}

/// Seed zero and plans answer with a list; others with an empty one.
fn answer(request: &str, seed: u64, running: &Running, plan: &AnswerPlan) -> GivenAnswer {
    let number = running.answers.iter().filter(|known| known.request == request).count();
    let is_this = |known: &&GivenAnswer| known.request == request && known.number == number;
    if let Some(fixed) = plan.fixed.iter().find(is_this) {
        return fixed.clone();
    }
    let as_observed = seed == 0 || plan.usual.contains(&(request.to_string(), number));
    let body = if as_observed { "[1]" } else { "[]" }.to_string();
    let (request, operation) = (request.to_string(), String::new());
    GivenAnswer { request, number, operation, status: 200, content_type: None, body, as_observed }
}

impl FakeEvent {
    fn offer(&self, running: &Running) -> Offer {
        let step = PathStep {
            deep: false,
            tag: "button".to_string(),
            position: None,
            attributes: vec![("id".to_string(), self.name.to_string())],
        };
        let hops = vec![Hop { entry: Entry::Tab, path: Path { steps: vec![step] } }];
        Offer {
            kind: self.kind,
            element: Element { hops, hints: Hints::default() },
            size: (20.0, 10.0),
            name: self.name.to_string(),
            value: running.fields.get(self.name).cloned().unwrap_or_default(),
            input: "text".to_string(),
            choices: Vec::new(),
            form: 0,
            submits: self.kind == OfferKind::Click
                && self.when.as_ref().is_some_and(|when| matches!(when.condition, Condition::Field(..))),
            hears_change: false,
            to: None,
        }
    }
}
