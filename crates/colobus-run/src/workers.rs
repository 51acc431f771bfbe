//! [`Workers`]: threads with a world each, which work through a list of jobs. A world that dies is replaced and its job
//! tried again; a job of which nothing can be said is tried once more in a fresh world.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use colobus_world::WorldError;

use crate::{RunError, StopSignal};

/// How often a job may cost a world its life before it is given up.
const ATTEMPTS: usize = 3;

/// Opens a world for a worker.
type Open<'a, W> = dyn Fn() -> Result<Box<W>, WorldError> + Sync + 'a;

/// Worlds, kept from one list of jobs to the next.
pub struct Workers<'a, W: ?Sized> {
    open: &'a Open<'a, W>,
    worlds: Vec<Mutex<Option<Box<W>>>>,
    restarts: AtomicUsize,
    /// Whether a world was replaced to have one of another kind.
    moved: AtomicBool,
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
pub(crate) struct Work<F, D> {
    pub run: F,
    pub doubt: D,
}

impl<'a, W: ?Sized + Send> Workers<'a, W> {
    pub fn new(open: &'a Open<'a, W>, count: usize) -> Workers<'a, W> {
        let worlds = (0..count.max(1)).map(|_| Mutex::new(None)).collect();
        Workers { open, worlds, restarts: AtomicUsize::new(0), moved: AtomicBool::new(false) }
    }

    /// How many worlds died and were replaced so far.
    pub fn restarts(&self) -> usize {
        self.restarts.load(Ordering::SeqCst)
    }

    /// Does something once in the world of the first worker, which is kept for what follows.
    pub fn once<R: Send>(
        &self,
        stop: &StopSignal,
        work: impl Fn(&mut W) -> Result<R, WorldError> + Sync,
    ) -> Result<R, RunError> {
        let work = Work { run: |world: &mut W, (): &()| work(world), doubt: |_: &R| None };
        let mut world = self.worlds[0].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match self.attempt(&mut world, &(), &work, stop)? {
            Done::Result(result) => Ok(result),
            Done::Unknown(reason) => Err(WorldError::Interrupted(reason).into()),
            Done::Stopped => Err(WorldError::Stopped.into()),
        }
    }

    /// Does something once in a world that fits. If no open one does, the world of the first worker is replaced, once for all calls: the
    /// next one may. `None` if there is no such world, or if it fails there.
    pub(crate) fn in_another<R>(
        &self,
        fits: impl Fn(&W) -> bool,
        work: impl Fn(&mut W) -> Result<R, WorldError>,
    ) -> Option<R> {
        let attempt = |slot: &Mutex<Option<Box<W>>>| {
            let mut world = slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let done = work(world.as_mut().filter(|world| fits(world))?);
            if let Err(WorldError::Died(_)) = done {
                *world = None;
                self.restarts.fetch_add(1, Ordering::SeqCst);
            }
            done.ok()
        };
        if let Some(done) = self.worlds.iter().find_map(&attempt) {
            return Some(done);
        }
        if self.moved.swap(true, Ordering::SeqCst) {
            return None;
        }
        {
            let mut world = self.worlds[0].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            // Its place is given back first: there may be no other that is free.
            *world = None;
            *world = (self.open)().ok();
        }
        attempt(&self.worlds[0])
    }

    /// Works through `jobs` from front to back. `receive` gets each result, with the job's index, on the calling thread
    /// and in the order of completion; it may break off, and then gets no more. A stop signal ends the work after the
    /// jobs under way.
    pub(crate) fn run<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        stop: &StopSignal,
        work: Work<impl Fn(&mut W, &J) -> Result<R, WorldError> + Sync, impl Fn(&R) -> Option<String> + Sync>,
        mut receive: impl FnMut(usize, Done<R>) -> Result<ControlFlow<()>, RunError>,
    ) -> Result<(), RunError> {
        let (next, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for (number, slot) in self.worlds[..self.worlds.len().min(jobs.len())].iter().enumerate() {
                let (sender, work, next, enough) = (sender.clone(), &work, &next, &enough);
                scope.spawn(move || {
                    let _span = tracing::info_span!("worker", number).entered();
                    let mut world = slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    while !enough.load(Ordering::SeqCst) && !stop.is_set() {
                        let index = next.fetch_add(1, Ordering::SeqCst);
                        let Some(job) = jobs.get(index) else { break };
                        let done = self.attempt(&mut world, job, work, stop);
                        let failed = done.is_err();
                        if sender.send((index, done)).is_err() || failed {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // Leaving this loop drops the receiver: workers end with their present job, whose result is dropped.
            let received =
                receiver.into_iter().map(|(index, done)| receive(index, done?)).find_map(|flow| match flow {
                    Ok(ControlFlow::Continue(())) => None,
                    Ok(ControlFlow::Break(())) => Some(Ok(())),
                    Err(error) => Some(Err(error)),
                });
            enough.store(true, Ordering::SeqCst);
            received.unwrap_or(Ok(()))
        })
    }

    fn attempt<J, R>(
        &self,
        slot: &mut Option<Box<W>>,
        job: &J,
        work: &Work<impl Fn(&mut W, &J) -> Result<R, WorldError>, impl Fn(&R) -> Option<String>>,
        stop: &StopSignal,
    ) -> Result<Done<R>, RunError> {
        let (mut died, mut deaths, mut is_retry) = (String::new(), 0, false);
        while deaths < ATTEMPTS {
            let ran = match slot {
                Some(world) => (work.run)(world.as_mut(), job),
                None => (self.open)().and_then(|world| (work.run)(slot.insert(world).as_mut(), job)),
            };
            let done = match ran {
                Ok(result) if is_retry || (work.doubt)(&result).is_none() => return Ok(Done::Result(result)),
                Ok(result) => Done::Result(result),
                Err(WorldError::Stopped) => return Ok(Done::Stopped),
                Err(WorldError::Interrupted(reason)) if is_retry => return Ok(Done::Unknown(reason)),
                Err(WorldError::Interrupted(reason)) => Done::Unknown(reason),
                Err(WorldError::Died(reason)) => {
                    *slot = None;
                    self.restarts.fetch_add(1, Ordering::SeqCst);
                    (died, deaths) = (reason, deaths + 1);
                    continue;
                }
                Err(fatal) => return Err(fatal.into()),
            };
            if stop.is_set() {
                return Ok(done);
            }
            // The world may be to blame.
            (*slot, is_retry) = (None, true);
        }
        Ok(Done::Unknown(format!("the browser died {ATTEMPTS} times during this: {died}")))
    }
}
