//! [`Workers`]: threads with a world each, which work through a list of jobs. A world that dies is replaced and its job
//! tried again by the next worker that has time; a job of which nothing can be said is tried once more in another world. A world
//! that is much slower than the others is replaced as well.

mod job_queue;
mod paces;
mod worker;

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use colobus_world::WorldError;

use crate::{RunError, StopSignal};
use job_queue::JobQueue;
use paces::Paces;
use worker::Worker;

/// How often a job may cost a world its life before it is given up.
pub(crate) const ATTEMPTS: usize = 3;

/// How long another worker may wait for a world before one that has nothing to do gives its own back: the places of a Grid may be taken.
const GIVE_BACK_AFTER: Duration = Duration::from_secs(5);

/// Opens a world for a worker.
type Open<'a, W> = dyn Fn() -> Result<Box<W>, WorldError> + Sync + 'a;

/// Worlds, kept from one list of jobs to the next.
pub struct Workers<'a, W: ?Sized> {
    open: &'a Open<'a, W>,
    worlds: Vec<Mutex<Option<Box<W>>>>,
    restarts: AtomicUsize,
    paces: Paces,
    give_back_after: Duration,
}

/// What became of a job.
pub(crate) enum Done<R> {
    Result(R),
    /// The job could not be finished, and why.
    Unknown(String),
    /// The run was stopped before it was finished.
    Stopped,
}

/// How a job is done, and why nothing can be said of a result, if so.
pub(crate) struct Work<F, D, P> {
    pub run: F,
    pub doubt: D,
    /// How long an execution took, in milliseconds, if that may be the fault of the world.
    pub pace: P,
}

/// What a worker for which no job is left does while others still work; `false` if there is nothing to do for it.
pub(crate) type SpareWork<'a, W> = dyn Fn(&mut W) -> Result<bool, WorldError> + Sync + 'a;

/// It does not matter how long it takes.
pub(crate) fn no_pace<W: ?Sized, R>(_: &W, _: &R) -> Option<f64> {
    None
}

/// Workers without a job wait for the others.
pub(crate) fn no_spare_work<W: ?Sized>(_: &mut W) -> Result<bool, WorldError> {
    Ok(false)
}

impl<'a, W: ?Sized + Send> Workers<'a, W> {
    pub fn new(open: &'a Open<'a, W>, count: usize) -> Workers<'a, W> {
        let worlds = (0..count.max(1)).map(|_| Mutex::new(None)).collect();
        let (restarts, paces) = (AtomicUsize::new(0), Paces::default());
        Workers { open, worlds, restarts, paces, give_back_after: GIVE_BACK_AFTER }
    }

    pub fn count(&self) -> usize {
        self.worlds.len()
    }

    /// How many worlds died or were too slow, and were replaced so far.
    pub fn restarts(&self) -> usize {
        self.restarts.load(Ordering::SeqCst)
    }

    /// Does something once in the world of the first worker, which is kept for what follows.
    pub fn once<R: Send>(
        &self,
        stop: &StopSignal,
        work: impl Fn(&mut W) -> Result<R, WorldError> + Sync,
    ) -> Result<R, RunError> {
        let work = Work { run: |world: &mut W, (): &()| work(world), doubt: |_: &R| None, pace: no_pace };
        let mut done = Done::Stopped;
        self.run(&[()], stop, (work, &no_spare_work), |_, result| {
            done = result;
            Ok(ControlFlow::Continue(()))
        })?;
        match done {
            Done::Result(result) => Ok(result),
            Done::Unknown(reason) => Err(WorldError::Interrupted(reason).into()),
            Done::Stopped => Err(WorldError::Stopped.into()),
        }
    }

    /// Does something once in an open world that fits. `None` if there is none, or if it fails there.
    pub(crate) fn in_open<R>(
        &self,
        fits: impl Fn(&W) -> bool,
        work: impl Fn(&mut W) -> Result<R, WorldError>,
    ) -> Option<R> {
        self.worlds.iter().find_map(|slot| {
            let mut world = slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let done = work(world.as_mut().filter(|world| fits(world))?);
            if let Err(WorldError::Died(_)) = done {
                *world = None;
                self.restarts.fetch_add(1, Ordering::SeqCst);
            }
            done.ok()
        })
    }

    /// Replaces all worlds by one, which may be of another kind. Their places are given back first: there may be no other that is free.
    pub(crate) fn replace(&self) {
        self.close();
        *self.worlds[0].lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = (self.open)().ok();
    }

    /// Ends all worlds: what follows may need their places.
    pub(crate) fn close(&self) {
        thread::scope(|scope| {
            for slot in &self.worlds {
                scope.spawn(move || drop(slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()));
            }
        });
    }

    /// Works through `jobs` from front to back. `receive` gets each result, with the job's index, on the calling thread
    /// and in the order of completion; it may break off, and then gets no more. A stop signal ends the work after the
    /// jobs under way. Workers without a job turn to the spare work as long as others have one.
    pub(crate) fn run<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        stop: &StopSignal,
        (work, spare): (
            Work<
                impl Fn(&mut W, &J) -> Result<R, WorldError> + Sync,
                impl Fn(&R) -> Option<String> + Sync,
                impl Fn(&W, &R) -> Option<f64> + Sync,
            >,
            &SpareWork<'_, W>,
        ),
        mut receive: impl FnMut(usize, Done<R>) -> Result<ControlFlow<()>, RunError>,
    ) -> Result<(), RunError> {
        let queue = JobQueue::new(jobs.len());
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for (number, slot) in self.worlds[..self.worlds.len().min(jobs.len())].iter().enumerate() {
                let (sender, work, queue) = (sender.clone(), &work, &queue);
                let worker = Worker { workers: self, number, queue, jobs, stop, sender };
                scope.spawn(move || {
                    let _span = tracing::info_span!("worker", number).entered();
                    let mut world = slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    worker.work(&mut world, work, spare);
                });
            }
            drop(sender);
            // Leaving this loop drops the receiver: workers end with their present job, whose result is dropped.
            let received = receiver
                .into_iter()
                .map(|done| done.and_then(|(index, done)| receive(index, done)))
                .find_map(|flow| match flow {
                    Ok(ControlFlow::Continue(())) => None,
                    Ok(ControlFlow::Break(())) => Some(Ok(())),
                    Err(error) => Some(Err(error)),
                });
            queue.end();
            received.unwrap_or(Ok(()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Barrier, Condvar};

    /// A Grid with few places.
    #[derive(Default)]
    struct Places {
        free: Mutex<isize>,
        changed: Condvar,
        opened: AtomicUsize,
        /// The first of them is on a node that has too much to do.
        first_is_slow: bool,
    }

    struct Place {
        of: &'static Places,
        /// How long executions take there.
        took_ms: f64,
    }

    impl Places {
        fn with(free: isize) -> &'static Places {
            Box::leak(Box::new(Places { free: Mutex::new(free), ..Places::default() }))
        }

        /// Waits until there is one.
        fn open(&'static self) -> Result<Box<Place>, WorldError> {
            let free = self.free.lock().unwrap();
            *self.changed.wait_while(free, |free| *free <= 0).unwrap() -= 1;
            let is_first = self.opened.fetch_add(1, Ordering::SeqCst) == 0;
            Ok(Box::new(Place { of: self, took_ms: if is_first && self.first_is_slow { 900.0 } else { 100.0 } }))
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            *self.of.free.lock().unwrap() += 1;
            self.of.changed.notify_all();
        }
    }

    /// Runs so many jobs, and says which ended how.
    fn run(
        workers: &Workers<Place>,
        jobs: usize,
        execute: impl Fn(usize) -> Result<bool, WorldError> + Sync,
    ) -> Vec<(usize, String)> {
        let work = Work {
            run: |_: &mut Place, job: &usize| execute(*job),
            doubt: |is_certain: &bool| (!is_certain).then(|| "doubted".to_string()),
            pace: |place: &Place, _: &bool| Some(place.took_ms),
        };
        let (jobs, mut ended): (Vec<usize>, _) = ((0..jobs).collect(), Vec::new());
        let stop = StopSignal::default();
        let ran = workers.run(&jobs, &stop, (work, &no_spare_work), |index, done| {
            let told = match done {
                Done::Result(is_certain) => is_certain.to_string(),
                Done::Unknown(reason) => reason,
                Done::Stopped => "stopped".to_string(),
            };
            ended.push((index, told));
            Ok(ControlFlow::Continue(()))
        });
        ran.unwrap();
        ended.sort();
        ended
    }

    fn all_true(jobs: usize) -> Vec<(usize, String)> {
        (0..jobs).map(|job| (job, "true".to_string())).collect()
    }

    #[test]
    fn workers_for_which_there_is_no_place_hold_no_job_back() {
        let places = Places::with(1);
        let open = || places.open();
        let workers = Workers { give_back_after: Duration::from_millis(20), ..Workers::new(&open, 3) };
        assert_eq!(run(&workers, 20, |_| Ok(true)), all_true(20));
        assert_eq!(workers.restarts(), 0);
    }

    #[test]
    fn the_job_of_a_world_that_dies_is_done_by_another_that_is_there() {
        let places = Places::with(2);
        let open = || places.open();
        let workers = Workers { give_back_after: Duration::from_millis(20), ..Workers::new(&open, 2) };
        let (begun, both) = (Mutex::new(0), Condvar::new());
        let died = AtomicBool::new(false);
        let executed = run(&workers, 8, |job| {
            if job < 2 && !died.load(Ordering::SeqCst) {
                // Both have a job; then one of them dies, and its place is gone with it.
                *begun.lock().unwrap() += 1;
                both.notify_all();
                drop(both.wait_while(begun.lock().unwrap(), |begun| *begun < 2).unwrap());
                if job == 0 && !died.swap(true, Ordering::SeqCst) {
                    *places.free.lock().unwrap() -= 1;
                    return Err(WorldError::Died("killed".into()));
                }
            }
            Ok(true)
        });
        assert_eq!((executed, workers.restarts()), (all_true(8), 1));
    }

    #[test]
    fn a_world_that_is_much_slower_than_others_is_given_back_and_replaced() {
        let places: &Places =
            Box::leak(Box::new(Places { free: Mutex::new(2), first_is_slow: true, ..Places::default() }));
        let open = || places.open();
        let workers = Workers::new(&open, 2);
        // Both workers have jobs until the end: one waits for the other.
        let both = Barrier::new(2);
        let executed = run(&workers, 40, |_| {
            both.wait();
            Ok(true)
        });
        assert_eq!(executed, all_true(40), "what it has done counts");
        assert_eq!((places.opened.load(Ordering::SeqCst), workers.restarts()), (3, 1));
    }

    #[test]
    fn one_world_replaces_all_where_there_is_one_place() {
        let places = Places::with(1);
        let open = || places.open();
        let workers = Workers { give_back_after: Duration::from_millis(20), ..Workers::new(&open, 3) };
        run(&workers, 3, |_| Ok(true));
        workers.replace();
        assert_eq!(workers.in_open(|_| true, |_| Ok(1)), Some(1));
        assert_eq!(workers.in_open(|_| false, |_| Ok(1)), None);
    }

    #[test]
    fn what_is_doubted_is_executed_once_more_and_what_dies_three_times_is_unknown() {
        let places = Places::with(2);
        let open = || places.open();
        let workers = Workers::new(&open, 2);
        let executions = Mutex::new(vec![0; 4]);
        let ended = run(&workers, 4, |job| {
            let mut executions = executions.lock().unwrap();
            executions[job] += 1;
            match job {
                1 => Ok(executions[job] > 1),
                2 => Ok(false),
                3 => Err(WorldError::Died("killed".into())),
                _ => Ok(true),
            }
        });
        let told: Vec<&str> = ended.iter().map(|(_, told)| told.as_str()).collect();
        assert_eq!(told, ["true", "true", "false", "the browser died 3 times during this: killed"]);
        assert_eq!(*executions.lock().unwrap(), [1, 2, 2, 3]);
    }

    #[test]
    fn jobs_are_unknown_if_no_world_can_be_had() {
        let open = || Err(WorldError::Died("the hub is away".into()));
        let workers: Workers<Place> = Workers::new(&open, 2);
        let ended = run(&workers, 3, |_| Ok(true));
        assert_eq!(ended.len(), 3);
        assert!(ended.iter().all(|(_, told)| told.contains("the hub is away")), "{ended:?}");
    }
}
