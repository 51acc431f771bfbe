//! The search: many programs, all assignments, all cores, and a result that does not depend on how many cores there are.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use crate::document::{Document, Ink, Nibbles, Wide};
use crate::glyphs::Glyphs;
use crate::machine::{Goal, Machine, World};
use crate::program::Program;
use crate::setting::Setting;
use crate::signature::Signature;
use crate::transformation::Transformation;

/// How to search; nothing here changes a verdict.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many threads to use.
    pub threads: usize,
    /// Stop after about this many evaluations (fast model) or states (the others) with what is known by then.
    pub limit: Option<u64>,
    /// Bytes that the states of the symbolic and concrete models may take; the search stops there like at a limit.
    pub memory: u64,
    /// Let one causal order stand for all its renamings of sites. Refused where it would be unsound.
    pub symmetry: bool,
    /// Where to report progress.
    pub watch: Option<std::sync::Arc<Watch>>,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: available_threads(), limit: None, memory: 4 << 30, symmetry: false, watch: None }
    }
}

/// One thread per core.
pub fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Progress of a running search, to be read from another thread.
#[derive(Debug, Default)]
pub struct Watch {
    /// Evaluations or states so far.
    pub done: AtomicU64,
    /// How many there will be at most; 0 while unknown.
    pub total: AtomicU64,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At the first failure in the canonical order.
    FirstFailure,
    /// Never: count all failures.
    Exhausted,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Assignments judged, up to and including the first failure if that was the end.
    pub evaluations: u64,
    /// Failures among them.
    pub failures: u64,
    /// The first failure in the canonical order.
    pub first: Option<Failure>,
    /// Programs judged completely.
    pub programs: usize,
    /// Whether a limit ended the search early.
    pub limited: bool,
}

/// A failing assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The program's index.
    pub program: usize,
    /// The signature of each operation.
    pub signatures: Vec<Signature>,
}

/// Judge every assignment of a setting's signatures in every program.
pub fn search<T: Transformation, G: Goal>(
    function: &T,
    setting: &Setting,
    ink: Ink,
    programs: &[Program<G>],
    until: Until,
    options: &Options,
) -> Tally {
    let cells = Glyphs::of(setting).1;
    let cells = match ink {
        Ink::Character => cells,
        Ink::Identity => Ink::leave_identities(&cells, setting.total()),
    };
    let largest = cells.iter().copied().max().unwrap_or(0).max(setting.alphabet);
    if setting.longest() <= Nibbles::CAPACITY && usize::from(largest) <= Nibbles::LARGEST {
        search_in(function, setting, ink, &Nibbles::new(&cells), programs, until, options)
    } else {
        search_in(function, setting, ink, &Wide::new(&cells), programs, until, options)
    }
}

/// What one item of work, a program with its first choice made, came to.
#[derive(Default)]
struct Share {
    evaluations: AtomicU64,
    failures: AtomicU64,
    first: std::sync::OnceLock<Vec<usize>>,
}

fn search_in<T: Transformation, D: Document, G: Goal>(
    function: &T,
    setting: &Setting,
    ink: Ink,
    start: &D,
    programs: &[Program<G>],
    until: Until,
    options: &Options,
) -> Tally {
    let signatures = setting.signatures();
    let world = World { function, signatures: &signatures, start, ink };
    let width = signatures.len();
    let per_item = (width as u64).saturating_pow(setting.total() as u32 - 1);
    let wanted = programs.len() * width;
    let allowed = options.limit.map_or(wanted, |limit| wanted.min((limit / per_item.max(1)).max(1) as usize));
    let shares: Vec<Share> = (0..allowed).map(|_| Share::default()).collect();
    let next = AtomicUsize::new(0);
    let failed = AtomicUsize::new(usize::MAX);
    let work = || {
        loop {
            let item = next.fetch_add(1, Ordering::Relaxed);
            if item >= allowed || item > failed.load(Ordering::Relaxed) {
                break;
            }
            let share = &shares[item];
            run_item(&world, &programs[item / width], item % width, until, share);
            if until == Until::FirstFailure && share.first.get().is_some() {
                failed.fetch_min(item, Ordering::Relaxed);
            }
            if let Some(watch) = &options.watch {
                watch.done.fetch_add(share.evaluations.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        (1..options.threads.min(allowed)).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let end = failed.load(Ordering::Relaxed);
    let counted = &shares[..allowed.min(end.saturating_add(1))];
    let first = counted.iter().enumerate().find_map(|(item, share)| {
        let choices = share.first.get()?;
        let program = item / width;
        Some(Failure { program, signatures: by_operation(&programs[program], choices, &signatures) })
    });
    Tally {
        evaluations: counted.iter().map(|share| share.evaluations.load(Ordering::Relaxed)).sum(),
        failures: counted.iter().map(|share| share.failures.load(Ordering::Relaxed)).sum(),
        first,
        programs: if end == usize::MAX { allowed / width } else { end / width },
        limited: allowed < wanted && end == usize::MAX,
    }
}

fn run_item<T: Transformation, D: Document, G: Goal>(
    world: &World<'_, T, D>,
    program: &Program<G>,
    first: usize,
    until: Until,
    share: &Share,
) {
    let (mut evaluations, mut failures) = (0, 0);
    let _ = Machine::new(world, program).run(first, &mut |judged| {
        evaluations += 1;
        if judged.fails {
            failures += 1;
            share.first.get_or_init(|| judged.choices.to_vec());
            if until == Until::FirstFailure {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    share.evaluations.store(evaluations, Ordering::Relaxed);
    share.failures.store(failures, Ordering::Relaxed);
}

/// Choices are made level by level; people think operation by operation.
fn by_operation<G>(program: &Program<G>, choices: &[usize], signatures: &[Signature]) -> Vec<Signature> {
    let mut by_operation = vec![signatures[0]; choices.len()];
    for (level, &choice) in program.levels.iter().zip(choices) {
        by_operation[usize::from(level.operation)] = signatures[choice];
    }
    by_operation
}
