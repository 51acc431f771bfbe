//! [`Workers`]: threads with a world each, which work through a list of jobs. A world that dies is replaced and its job
//! tried again; nothing that happens to one job harms the others.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use colobus_world::{World, WorldError, WorldFactory};

use crate::{RunError, StopSignal};

/// How often a job may cost a world its life before it is given up.
const ATTEMPTS: usize = 3;

/// Worlds, kept from one list of jobs to the next.
pub(crate) struct Workers<'a> {
    factory: &'a dyn WorldFactory,
    worlds: Vec<Mutex<Option<Box<dyn World>>>>,
    restarts: AtomicUsize,
}

/// What became of a job.
pub(crate) enum Done<R> {
    Result(R),
    /// The job could not be finished, and why.
    Unknown(String),
}

impl<'a> Workers<'a> {
    pub fn new(factory: &'a dyn WorldFactory, count: usize) -> Workers<'a> {
        let worlds = (0..count.max(1)).map(|_| Mutex::new(None)).collect();
        Workers { factory, worlds, restarts: AtomicUsize::new(0) }
    }

    /// How many worlds died and were replaced so far.
    pub fn restarts(&self) -> usize {
        self.restarts.load(Ordering::SeqCst)
    }

    /// Works through `jobs` from front to back. `receive` gets each result, with the job's index, on the calling thread
    /// and in the order of completion; it may break off, and then gets no more. A stop signal ends the work after the
    /// jobs under way.
    pub fn run<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        stop: &StopSignal,
        work: impl Fn(&mut dyn World, &J) -> Result<R, WorldError> + Sync,
        mut receive: impl FnMut(usize, Done<R>) -> Result<ControlFlow<()>, RunError>,
    ) -> Result<(), RunError> {
        let (next, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for slot in &self.worlds[..self.worlds.len().min(jobs.len())] {
                let (sender, work, next, enough) = (sender.clone(), &work, &next, &enough);
                scope.spawn(move || {
                    let mut world = slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    while !enough.load(Ordering::SeqCst) && !stop.is_set() {
                        let index = next.fetch_add(1, Ordering::SeqCst);
                        let Some(job) = jobs.get(index) else { break };
                        let done = self.attempt(&mut world, job, work);
                        let failed = done.is_err();
                        if sender.send((index, done)).is_err() || failed {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // Leaving this loop drops the receiver: workers end with their present job, whose result nobody wants.
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
        slot: &mut Option<Box<dyn World>>,
        job: &J,
        work: impl Fn(&mut dyn World, &J) -> Result<R, WorldError>,
    ) -> Result<Done<R>, RunError> {
        let mut died = String::new();
        for _ in 0..ATTEMPTS {
            let world = match slot {
                Some(world) => world,
                None => slot.insert(self.factory.open()?),
            };
            match work(world.as_mut(), job) {
                Ok(result) => return Ok(Done::Result(result)),
                Err(WorldError::Interrupted(reason)) => return Ok(Done::Unknown(reason)),
                Err(WorldError::Died(reason)) => {
                    *slot = None;
                    self.restarts.fetch_add(1, Ordering::SeqCst);
                    died = reason;
                }
                Err(fatal) => return Err(fatal.into()),
            }
        }
        Ok(Done::Unknown(format!("the browser died {ATTEMPTS} times during this: {died}")))
    }
}
