//! [`Worker`]: one of the threads that work through a list of jobs.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::mpsc;

use colobus_world::WorldError;
use tracing::info;

use super::job_queue::{JobQueue, Taken, Task};
use super::{ATTEMPTS, Done, SpareWork, Work, Workers};
use crate::{RunError, StopSignal};

pub(super) struct Worker<'r, 'a, W: ?Sized, J, R> {
    pub workers: &'r Workers<'a, W>,
    pub number: usize,
    pub queue: &'r JobQueue,
    pub jobs: &'r [J],
    pub stop: &'r StopSignal,
    pub sender: mpsc::Sender<Result<(usize, Done<R>), RunError>>,
}

impl<W: ?Sized + Send, J, R> Worker<'_, '_, W, J, R> {
    /// Until no job is left, also none that another worker may give back.
    pub fn work(
        &self,
        world: &mut Option<Box<W>>,
        work: &Work<
            impl Fn(&mut W, &J) -> Result<R, WorldError>,
            impl Fn(&R) -> Option<String>,
            impl Fn(&W, &R) -> Option<f64>,
        >,
        spare: &SpareWork<'_, W>,
    ) {
        let mut failures = 0;
        while !self.stop.is_set() {
            // A worker without a world has no job, either: there may be no place for it, while others have time.
            let open = match world {
                Some(open) => open.as_mut(),
                None if self.queue.is_done() => return,
                None => match self.open(&mut failures) {
                    ControlFlow::Continue(opened) => {
                        *world = opened;
                        continue;
                    }
                    ControlFlow::Break(()) => return,
                },
            };
            match self.queue.take() {
                Taken::Task(task) => {
                    if let Next::FreshWorld = self.run(open, task, work) {
                        *world = None;
                    }
                }
                Taken::Over => {
                    if self.queue.others_lack_places_for(self.workers.give_back_after) {
                        *world = None;
                    }
                    return;
                }
                Taken::OthersWork => match spare(open) {
                    Ok(true) => {}
                    // What it was doing is done again later, by a worker that has nothing else to do.
                    Err(WorldError::Died(_)) => {
                        *world = None;
                        self.workers.restarts.fetch_add(1, Ordering::SeqCst);
                    }
                    Ok(false) | Err(_) => {
                        if self.queue.others_lack_places(self.workers.give_back_after) {
                            *world = None;
                            return;
                        }
                        self.queue.wait();
                    }
                },
            }
        }
    }

    /// A world, if there is one. While other workers have theirs a place may become free again; without any, a job becomes unknown.
    fn open(&self, failures: &mut usize) -> ControlFlow<(), Option<Box<W>>> {
        let opened = self.queue.opening(|| (self.workers.open)());
        let reason = match opened {
            Ok(world) => {
                *failures = 0;
                return ControlFlow::Continue(Some(world));
            }
            Err(WorldError::Stopped) => return ControlFlow::Break(()),
            Err(WorldError::Died(reason) | WorldError::Interrupted(reason)) => reason,
            Err(fatal) => {
                self.send(Err(fatal.into()));
                return ControlFlow::Break(());
            }
        };
        self.workers.restarts.fetch_add(1, Ordering::SeqCst);
        *failures += 1;
        if *failures < ATTEMPTS || self.queue.others_have_worlds() {
            return ControlFlow::Continue(None);
        }
        *failures = 0;
        if let Taken::Task(task) = self.queue.take() {
            self.finish(task.index, Done::Unknown(format!("no browser could be had {ATTEMPTS} times: {reason}")));
        }
        ControlFlow::Continue(None)
    }

    /// Executes a job. One that has to be executed again goes back to the others.
    fn run(
        &self,
        world: &mut W,
        mut task: Task,
        work: &Work<
            impl Fn(&mut W, &J) -> Result<R, WorldError>,
            impl Fn(&R) -> Option<String>,
            impl Fn(&W, &R) -> Option<f64>,
        >,
    ) -> Next {
        let index = task.index;
        let ran = (work.run)(world, &self.jobs[index]);
        let may_retry = !task.is_retry && !self.stop.is_set();
        let done = match ran {
            Ok(result) if may_retry && (work.doubt)(&result).is_some() => None,
            Ok(result) => Some(Done::Result(result)),
            Err(WorldError::Stopped) => Some(Done::Stopped),
            Err(WorldError::Interrupted(_)) if may_retry => None,
            Err(WorldError::Interrupted(reason)) => Some(Done::Unknown(reason)),
            Err(WorldError::Died(reason)) => {
                self.workers.restarts.fetch_add(1, Ordering::SeqCst);
                task.deaths += 1;
                if task.deaths < ATTEMPTS {
                    self.queue.give_back(task);
                } else {
                    let told = format!("the browser died {ATTEMPTS} times during this: {reason}");
                    self.finish(index, Done::Unknown(told));
                }
                return Next::FreshWorld;
            }
            Err(fatal) => {
                self.send(Err(fatal.into()));
                return Next::SameWorld;
            }
        };
        match done {
            Some(done) => {
                let is_slow = match &done {
                    Done::Result(result) => self.is_slow((work.pace)(world, result)),
                    Done::Unknown(_) | Done::Stopped => false,
                };
                self.finish(index, done);
                if is_slow { Next::FreshWorld } else { Next::SameWorld }
            }
            // The world may be to blame.
            None => {
                self.queue.give_back(Task { is_retry: true, ..task });
                Next::FreshWorld
            }
        }
    }

    /// Whether the world is much slower than the others, and has to be replaced.
    fn is_slow(&self, took_ms: Option<f64>) -> bool {
        let is_slow = took_ms.is_some_and(|took_ms| self.workers.paces.is_slow(self.number, took_ms));
        if is_slow {
            info!(target: "workers", took_ms, "its browser is much slower than others and is replaced");
            self.workers.restarts.fetch_add(1, Ordering::SeqCst);
        }
        is_slow
    }

    fn finish(&self, index: usize, done: Done<R>) {
        self.send(Ok((index, done)));
        self.queue.finished();
    }

    /// Tells the run. No more jobs are given if it does not listen any more, or if this ends it.
    fn send(&self, told: Result<(usize, Done<R>), RunError>) {
        let is_fatal = told.is_err();
        if self.sender.send(told).is_err() || is_fatal {
            self.queue.end();
        }
    }
}

/// In which world a worker goes on.
enum Next {
    SameWorld,
    FreshWorld,
}
