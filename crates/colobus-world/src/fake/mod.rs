//! A world in memory, for tests of everything above the driver: a shared plain text ([`text`]) that really merges
//! concurrent edits, on an application that passes them on ([`world`]), drawn as little blocks. It takes bugs and faults, so
//! that searches, reductions, journals and reports are tested in milliseconds.

mod picture;
mod slot;
mod text;
mod world;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use colobus_model::LearnedSettling;

use crate::{Touched, World, WorldError, WorldFactory};
use world::{FakeWorld, Properties};

/// What is wrong with the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FakeBug {
    /// Text that two clients insert at one place comes out in different orders.
    InsertOrder,
    /// The same, but only in the first document with two clients that a factory opens.
    InsertOrderOnce,
    /// Text that two clients insert at one place comes out in different orders, but shown so late that it is seen only once a reaction has come late ([`FakeFactory::late_after`]).
    InsertOrderShownLate,
    /// The same, but only once the text has a second line.
    InsertOrderBelowFirstLine,
    /// The same, but only if the others' text reaches A when it knows of one of its own edits that it has arrived, and
    /// of the next not yet.
    InsertOrderBetweenAcknowledgements,
    /// In the first document with two clients that a factory opens, what flows reaches A in another order: what others wrote comes right
    /// behind the first of its acknowledgements. No bug.
    OvertakesOnce,
    /// The same in every document.
    Overtakes,
    /// The application drops what is inserted by a client that has not seen the newest insertion, also for its author.
    DropsUnseenInserts,
    /// Of edits of two clients that are under way at the same time, the application does not pass one on.
    LosesWhatMeets,
    /// Every page says whose it is: no bug.
    GreetsItsUser,
    /// The same, in an element that has neither id nor class.
    GreetsWithoutClass,
    /// Every character is a message of its own, with its author in its text, who is "You" in their own page; no `state` tells what belongs to all of them: no bug.
    LabelsMessages,
    /// What happens at the same time reaches all but the first client only after a long silence, until a world has been that patient: no bug.
    ReactsAfterALongSilence,
    /// All but the first client miss the last character of the text, whatever happens.
    CutsForOthers,
    /// A client that opens the document later does not get its last character.
    CutsForLateJoiners,
    /// A client that comes while others act does not get the last edit that reached the application before.
    LateJoinersMissTheLastEdit,
    /// An edit that is sent again because its acknowledgement takes long is passed on again.
    AppliesRetriesAgain,
    /// Pages poll, and show the answer however old it is.
    ShowsStalePolls,
    /// A client that is told of a deletion while it has edits of its own throws.
    ErrorOnRemoteDelete,
    /// The application answers 400 to an edit of a client that has not seen the newest insertion.
    RefusesUnseenInserts,
    /// The application answers 400 to every edit beside one of another client, also if that came long before: no bug.
    RefusesEverySecond,
    /// The application keeps every edit to itself: only its author is told that it arrived.
    TellsNobody,
    /// The configuration's script for the document throws as soon as there is a text.
    StateThrows,
}

/// What executes in fake worlds.
const BROWSER: &str = "a fake";

/// Makes fake worlds and counts what happens to them.
#[derive(Default)]
pub struct FakeFactory {
    pub bugs: Vec<FakeBug>,
    /// Steps that worlds may still perform before one of them dies, once.
    pub dies_after: Option<usize>,
    /// Steps that worlds may still perform before one of them comes to nothing, once: its network is gone for a while.
    pub interrupted_after: Option<usize>,
    /// How many documents with two clients are opened before a reaction is seen that came late, once.
    pub late_after: Option<usize>,
    /// The number, from 0, of the document with several clients in which the application exits when one hears of another's edit.
    pub exits_in: Option<usize>,
    /// `[[sometimes]]` properties by name: they hold while the text of a client contains this.
    pub sometimes: Vec<(&'static str, &'static str)>,
    /// What every event is said to have touched, true or not.
    pub touched: Option<Touched>,
    /// Nodes on which worlds are opened in turn; here if there are none.
    pub nodes: Vec<&'static str>,
    opened: AtomicUsize,
    silences: Arc<LongSilences>,
    steps: Arc<AtomicUsize>,
    begins: Arc<Mutex<Vec<usize>>>,
    script_errors: Arc<Mutex<BTreeSet<String>>>,
    recalled: Mutex<LearnedSettling>,
}

impl FakeFactory {
    pub fn with_bugs(bugs: &[FakeBug]) -> FakeFactory {
        FakeFactory { bugs: bugs.to_vec(), ..FakeFactory::default() }
    }

    /// A world that goes elsewhere as soon as a document is opened.
    pub fn open_interrupted(&self) -> Box<dyn World> {
        Box::new(self.world(None).leaving())
    }

    fn world(&self, dies_after: Option<usize>) -> FakeWorld {
        let properties = Properties {
            sometimes: self.sometimes.clone(),
            touched: self.touched.clone(),
            script_errors: self.script_errors.clone(),
        };
        let counters = (self.steps.clone(), self.begins.clone());
        let mut world = FakeWorld::new(self.bugs.clone(), dies_after, counters, properties);
        world.silences = self.silences.clone();
        world.interrupted_after = self.interrupted_after;
        world.exits_in = self.exits_in;
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        world.browser.node = self.nodes.get(number % self.nodes.len().max(1)).map(ToString::to_string);
        world
    }

    /// How often a world settled through a long silence.
    pub fn long_silences(&self) -> usize {
        self.silences.count.load(Ordering::SeqCst)
    }

    /// How many documents were opened with this many clients.
    pub fn begins(&self, clients: usize) -> usize {
        let begins = self.begins.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        begins.iter().filter(|count| **count == clients).count()
    }
}

/// What the worlds of a factory know of long silences.
#[derive(Default)]
struct LongSilences {
    count: AtomicUsize,
    /// Whether something came during one: from then on every world is that patient.
    came_late: AtomicBool,
}

impl WorldFactory for FakeFactory {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        Ok(Box::new(self.world(self.dies_after).late_after(self.late_after)))
    }

    fn browser(&self) -> String {
        BROWSER.into()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        Ok(format!("{:?}", self.bugs))
    }

    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    fn script_errors(&self) -> Vec<String> {
        self.script_errors.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).iter().cloned().collect()
    }

    fn learned(&self) -> LearnedSettling {
        let late = self.late_after.is_some_and(|after| self.begins(2) > after);
        let recalled = self.recalled.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
        let mut learned = LearnedSettling { late: usize::from(late), ..recalled };
        if late {
            learned.lags.insert("told".into(), Duration::from_millis(500));
        }
        learned
    }

    fn recall(&self, earlier: LearnedSettling) {
        self.recalled.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(earlier);
    }
}
