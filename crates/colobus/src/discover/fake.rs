//! [`FakePages`]: an application of one text or button, without a browser, as far as discovery looks at it.

use std::sync::{Arc, Mutex, Weak};

use colobus_model::{BrowserPlace, Caret, ClientId, Event, LateJoin, LateJoiner, Message, Observation, Step};
use colobus_world::{
    Button, Editable, ObserveOptions, Settled, StepOutcome, Survey, Touched, Traffic, World, WorldError,
};

/// What the application makes of the names of documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// One document for each name; it stands in the title.
    Documents,
    /// One text, shared by all who are there, and gone with the last of them.
    OneLiveText,
    /// One text that stays.
    OneKeptText,
    NothingShared,
    /// A button that reaches no other user.
    ButtonAlone,
    Empty,
    Missing,
}

type Text = Arc<Mutex<String>>;

pub struct FakePages {
    kind: Kind,
    /// The one text of those who are there.
    live: Arc<Mutex<Weak<Mutex<String>>>>,
    kept: Text,
    opened: Arc<Mutex<usize>>,
}

impl FakePages {
    pub fn new(kind: Kind) -> FakePages {
        FakePages { kind, live: Arc::default(), kept: Arc::default(), opened: Arc::default() }
    }

    pub fn open(&self) -> Box<dyn World> {
        let FakePages { kind, live, kept, opened } = self;
        let pages = FakePages { kind: *kind, live: live.clone(), kept: kept.clone(), opened: opened.clone() };
        Box::new(FakePage { pages, texts: Vec::new() })
    }

    pub fn survey(&self) -> Survey {
        let editables = vec![Editable { selector: "#text".into(), kind: "textarea".into(), area: 9 }];
        let buttons = vec![Button { selector: "#tip".into(), label: "Tip".into() }];
        let title = match self.kind {
            Kind::Documents => format!("document {}", self.opened.lock().unwrap()),
            _ => "pages".into(),
        };
        match self.kind {
            Kind::Empty => Survey { title, ..Survey::default() },
            Kind::ButtonAlone => Survey { title, buttons, ..Survey::default() },
            _ => Survey { title, editables, ..Survey::default() },
        }
    }

    /// The texts of two users who open a page with a new name.
    fn texts(&self) -> Vec<Text> {
        *self.opened.lock().unwrap() += 1;
        let shared: Text = match self.kind {
            Kind::OneLiveText => {
                let mut live = self.live.lock().unwrap();
                let text = live.upgrade().unwrap_or_default();
                *live = Arc::downgrade(&text);
                text
            }
            Kind::OneKeptText => self.kept.clone(),
            _ => Text::default(),
        };
        match self.kind {
            Kind::NothingShared | Kind::ButtonAlone => vec![Text::default(), Text::default()],
            _ => vec![shared.clone(), shared],
        }
    }
}

struct FakePage {
    pages: FakePages,
    /// Of each user.
    texts: Vec<Text>,
}

impl World for FakePage {
    fn browser(&self) -> BrowserPlace {
        BrowserPlace::here("a fake page")
    }

    fn begin(&mut self, _: usize) -> Result<Settled, WorldError> {
        if self.pages.kind == Kind::Missing {
            return Err(WorldError::CannotRun("404".into()));
        }
        // The users of the document before leave first.
        self.texts.clear();
        self.texts = self.pages.texts();
        Ok(Settled::Quiet)
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        let written = match step {
            Step::Type(word) => word,
            Step::Click(_) if self.pages.kind == Kind::ButtonAlone => "tip",
            _ => "",
        };
        self.texts[client.0].lock().unwrap().push_str(written);
        Ok(StepOutcome::Done)
    }

    fn observe(&mut self, client: ClientId, _: ObserveOptions) -> Result<Observation, WorldError> {
        let text = self.texts[client.0].lock().unwrap().clone();
        let screenshot = Some(colobus_model::Png(Arc::from(&[][..])));
        Ok(Observation { dom: Some(text.clone()), text: Some(vec![text]), screenshot, ..Observation::default() })
    }

    fn survey(&mut self, _: ClientId) -> Result<Survey, WorldError> {
        Ok(self.pages.survey())
    }

    fn hold(&mut self) -> Result<(), WorldError> {
        Ok(())
    }

    fn settle(&mut self) -> Result<Settled, WorldError> {
        Ok(Settled::Quiet)
    }

    fn settle_thoroughly(&mut self) -> Result<Settled, WorldError> {
        Ok(Settled::Quiet)
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        Ok(Vec::new())
    }

    fn is_poll(&mut self, _: &Event) -> bool {
        false
    }

    fn polls(&mut self) -> bool {
        false
    }

    fn waiting_message(&mut self, _: &Event) -> Option<Message> {
        None
    }

    fn happen(&mut self, _: &Event) -> Result<(), WorldError> {
        Ok(())
    }

    fn caret(&mut self, _: ClientId) -> Result<Option<Caret>, WorldError> {
        Ok(None)
    }

    fn place_caret(&mut self, _: ClientId, _: &Caret) -> Result<(), WorldError> {
        Ok(())
    }

    fn late_joiners(&mut self, _: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError> {
        Ok(Vec::new())
    }

    fn late_joiner(&mut self, _: ObserveOptions) -> Result<Option<LateJoin>, WorldError> {
        Ok(None)
    }

    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError> {
        (0..clients).map(|client| self.observe(ClientId(client), wanted)).collect()
    }

    fn traffic(&mut self) -> Vec<Traffic> {
        Vec::new()
    }

    fn touched(&mut self, _: ClientId, _: Option<&Step>) -> Result<Option<Touched>, WorldError> {
        Ok(None)
    }
}
