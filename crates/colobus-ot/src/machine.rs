//! [`Machine`]: runs a [`Program`] for every assignment of signatures. All but the last operation are assigned one by
//! one, so that their part of the program runs once per partial assignment; the last one takes all its signatures at
//! once, a lane each.

use std::ops::ControlFlow;

use crate::document::{Document, Ink};
use crate::operation::{Kind, Op};
use crate::program::{FormId, Level, Program, TextId};
use crate::signature::Signature;
use crate::transformation::Transformation;

/// What is asked of a program's results; `true` means that something is wrong.
pub trait Goal: Send + Sync {
    /// Judge one assignment.
    fn fails<T: Transformation, D: Document>(&self, view: &View<'_, T, D>) -> bool;
}

/// The world a program runs in.
pub struct World<'w, T, D> {
    /// The function under test.
    pub function: &'w T,
    /// What users choose from.
    pub signatures: &'w [Signature],
    /// The document all sites start from.
    pub start: &'w D,
    /// What inserts leave in the document.
    pub ink: Ink,
}

/// A program with room for its results.
pub struct Machine<'w, T: Transformation, D, G> {
    world: &'w World<'w, T, D>,
    program: &'w Program<G>,
    forms: Vec<Op<T::Extra>>,
    texts: Vec<D>,
    lane_forms: Vec<Op<T::Extra>>,
    lane_texts: Vec<D>,
    laned_form: Vec<bool>,
    laned_text: Vec<bool>,
    choices: Vec<usize>,
}

/// The results for one assignment.
pub struct View<'m, T: Transformation, D> {
    forms: &'m [Op<T::Extra>],
    texts: &'m [D],
    lane_forms: &'m [Op<T::Extra>],
    lane_texts: &'m [D],
    laned_form: &'m [bool],
    laned_text: &'m [bool],
    width: usize,
    lane: usize,
}

impl<T: Transformation, D> View<'_, T, D> {
    /// A form of an operation.
    #[inline(always)]
    pub fn form(&self, id: FormId) -> Op<T::Extra> {
        if self.laned_form[id.0] { self.lane_forms[id.0 * self.width + self.lane] } else { self.forms[id.0] }
    }

    /// A document.
    #[inline(always)]
    pub fn text(&self, id: TextId) -> &D {
        if self.laned_text[id.0] { &self.lane_texts[id.0 * self.width + self.lane] } else { &self.texts[id.0] }
    }
}

/// One judged assignment: which signature each level chose, and whether the goal failed.
pub struct Judged<'m> {
    /// The choices, by level.
    pub choices: &'m [usize],
    /// Whether something is wrong.
    pub fails: bool,
}

impl<'w, T: Transformation, D: Document, G: Goal> Machine<'w, T, D, G> {
    /// A machine for one program.
    pub fn new(world: &'w World<'w, T, D>, program: &'w Program<G>) -> Self {
        let width = world.signatures.len();
        let blank = Op { kind: Kind::Nop, position: 0, character: 0, site: 0, id: 0, extra: Default::default() };
        let (forms, texts) = (program.forms.len(), program.texts.len());
        let mut laned_form = vec![false; forms];
        let mut laned_text = vec![false; texts];
        if let Some(last) = program.levels.last() {
            laned_form[last.original.0] = true;
            last.forms.iter().for_each(|(id, ..)| laned_form[id.0] = true);
            last.texts.iter().for_each(|(id, ..)| laned_text[id.0] = true);
        }
        Machine {
            world,
            program,
            forms: vec![blank; forms],
            texts: vec![world.start.clone(); texts],
            lane_forms: vec![blank; forms * width],
            lane_texts: vec![world.start.clone(); texts * width],
            laned_form,
            laned_text,
            choices: vec![0; program.levels.len()],
        }
    }

    /// Judge every assignment whose first choice is `first`, in lexicographic order.
    pub fn run<B>(&mut self, first: usize, judge: &mut impl FnMut(Judged<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.assign(0, Some(first), judge)
    }

    fn assign<B>(
        &mut self,
        depth: usize,
        only: Option<usize>,
        judge: &mut impl FnMut(Judged<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let program = self.program;
        let level = &program.levels[depth];
        let choices = only.map_or(0..self.world.signatures.len(), |only| only..only + 1);
        if depth + 1 == program.levels.len() {
            return self.assign_last(level, choices, judge);
        }
        for choice in choices {
            let signature = self.world.signatures[choice];
            self.choices[depth] = choice;
            self.forms[level.original.0] = self.generate(signature, level.operation);
            for &(form, a, b) in &level.forms {
                self.forms[form.0] = self.world.function.transform(self.forms[a.0], self.forms[b.0]);
            }
            for &(text, from, form) in &level.texts {
                let mut document = self.texts[from.0].clone();
                document.execute::<T, _>(self.forms[form.0], self.world.ink);
                self.texts[text.0] = document;
            }
            self.assign(depth + 1, None, judge)?;
        }
        ControlFlow::Continue(())
    }

    fn generate(&self, signature: Signature, operation: u8) -> Op<T::Extra> {
        signature.generate(self.world.function, self.program.order.owners[usize::from(operation)], operation)
    }

    fn assign_last<B>(
        &mut self,
        level: &Level,
        choices: std::ops::Range<usize>,
        judge: &mut impl FnMut(Judged<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let width = self.world.signatures.len();
        for lane in choices.clone() {
            self.lane_forms[level.original.0 * width + lane] =
                self.generate(self.world.signatures[lane], level.operation);
        }
        for &(form, a, b) in &level.forms {
            self.transform_lanes(form, a, b, choices.clone());
        }
        for &(text, from, form) in &level.texts {
            self.execute_lanes(text, from, form, choices.clone());
        }
        let depth = self.program.levels.len() - 1;
        for lane in choices {
            self.choices[depth] = lane;
            let view = View::<T, D> {
                forms: &self.forms,
                texts: &self.texts,
                lane_forms: &self.lane_forms,
                lane_texts: &self.lane_texts,
                laned_form: &self.laned_form,
                laned_text: &self.laned_text,
                width,
                lane,
            };
            let fails = self.program.goal.fails(&view);
            judge(Judged { choices: &self.choices, fails })?;
        }
        ControlFlow::Continue(())
    }

    fn transform_lanes(&mut self, form: FormId, a: FormId, b: FormId, lanes: std::ops::Range<usize>) {
        let width = self.world.signatures.len();
        let function = self.world.function;
        let (operands, results) = self.lane_forms.split_at_mut(form.0 * width);
        let results = &mut results[lanes.clone()];
        let lane_of = |id: FormId| &operands[id.0 * width..][..width][lanes.clone()];
        match (self.laned_form[a.0], self.laned_form[b.0]) {
            (true, true) => {
                for ((result, &a), &b) in results.iter_mut().zip(lane_of(a)).zip(lane_of(b)) {
                    *result = function.transform(a, b);
                }
            }
            (true, false) => {
                let b = self.forms[b.0];
                for (result, &a) in results.iter_mut().zip(lane_of(a)) {
                    *result = function.transform(a, b);
                }
            }
            (false, _) => {
                let a = self.forms[a.0];
                for (result, &b) in results.iter_mut().zip(lane_of(b)) {
                    *result = function.transform(a, b);
                }
            }
        }
    }

    fn execute_lanes(&mut self, text: TextId, from: TextId, form: FormId, lanes: std::ops::Range<usize>) {
        let width = self.world.signatures.len();
        let ink = self.world.ink;
        let (operands, results) = self.lane_texts.split_at_mut(text.0 * width);
        let results = &mut results[lanes.clone()];
        let texts = &operands[from.0 * width..][..width][lanes.clone()];
        let ops = &self.lane_forms[form.0 * width..][..width][lanes];
        let run = |text: &D, op: Op<T::Extra>| {
            let mut document = text.clone();
            document.execute::<T, _>(op, ink);
            document
        };
        match (self.laned_text[from.0], self.laned_form[form.0]) {
            (true, true) => {
                for ((result, text), &op) in results.iter_mut().zip(texts).zip(ops) {
                    *result = run(text, op);
                }
            }
            (true, false) => {
                let op = self.forms[form.0];
                for (result, text) in results.iter_mut().zip(texts) {
                    *result = run(text, op);
                }
            }
            (false, _) => {
                let text = &self.texts[from.0];
                for (result, &op) in results.iter_mut().zip(ops) {
                    *result = run(text, op);
                }
            }
        }
    }
}
