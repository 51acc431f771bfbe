//! [`Recorder`]: turns what happens in tabs into the lines of a recording.

mod frames;
mod history;
mod page_messages;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use colobus_browser::DialogAnswer;
use colobus_har::Redaction;
use colobus_record::{DialogKind, Event, Line, Recording, Viewport, Who, fold, without_values};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::notice::{TabNotice, What, notify};
use super::windows::Windows;
use colobus_world::WorldError;
use frames::FramePaths;
use history::{History, Went};
pub(crate) use page_messages::element;

/// How long what was told may take to be written down.
const HEARD_LIMIT: Duration = Duration::from_secs(10);

/// Records a [`Windows`] from the moment it is made.
pub struct Recorder {
    written: Arc<Mutex<Written>>,
}

#[derive(Default)]
struct Written {
    lines: Vec<Line>,
    last: Option<Instant>,
    /// The names of fields with secrets: their values are taken out of addresses as well.
    secret_fields: BTreeSet<String>,
    /// What was typed into them, known only if traffic is recorded, and kept in order to remove it there.
    secret_values: Vec<String>,
    unreadable: usize,
}

/// What is known of the tabs so far.
#[derive(Default)]
struct Listener {
    frames: FramePaths,
    histories: HashMap<Who, History>,
    announced: BTreeSet<Who>,
    leaving: BTreeSet<Who>,
}

impl Recorder {
    pub fn start(windows: &Windows) -> Recorder {
        let written = Arc::<Mutex<Written>>::default();
        let listened = written.clone();
        if let Some(mut notices) = windows.listen() {
            windows.runtime.spawn(async move {
                let mut listener = Listener::default();
                while let Some(notice) = notices.recv().await {
                    listener.hear(notice, &listened).await;
                }
            });
        }
        Recorder { written }
    }

    /// Everything that has happened so far, as people say it.
    pub fn recording(&self, windows: &Windows, viewport: Viewport) -> Result<Recording, WorldError> {
        windows.wait(async {
            for tab in windows.tabs.all() {
                // Then the page has told all that it had to tell before.
                if !tab.page.is_closed() {
                    let _ = tab.page.catch_up().await;
                }
                let (sender, heard) = oneshot::channel();
                notify(&windows.tabs, &tab, What::Heard(sender));
                let _ = timeout(HEARD_LIMIT, heard).await;
            }
        });
        let lines = self.written.lock().unwrap_or_else(PoisonError::into_inner).lines.clone();
        Ok(Recording { viewport, lines: fold(lines) })
    }

    /// How many messages of the recorder's script could not be read: what a user did may be missing.
    pub fn unreadable_messages(&self) -> usize {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).unreadable
    }

    /// What must not be written of the traffic: what users entered as secrets.
    pub fn redaction(&self) -> Redaction {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let fields = written.secret_fields.iter().fold(Redaction::standard(), |all, field| all.field(field));
        written.secret_values.iter().fold(fields, |all, value| all.value(value))
    }
}

impl Written {
    /// A secret field has another value: a longer or shorter one while the user types.
    fn hide(&mut self, value: &str) {
        match self.secret_values.last_mut() {
            _ if value.is_empty() => {}
            Some(last) if value.starts_with(&*last) || last.starts_with(value) => *last = value.to_string(),
            _ => self.secret_values.push(value.to_string()),
        }
    }

    fn write(&mut self, who: Who, event: Event, at: Instant) {
        let since = self.last.map_or(Duration::ZERO, |last| at.saturating_duration_since(last));
        self.last = Some(at);
        let after_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let event = match event {
            Event::Open(url) => Event::Open(without_values(&url, &self.secret_fields)),
            Event::Arrive(url) => Event::Arrive(without_values(&url, &self.secret_fields)),
            Event::Popup(url) => Event::Popup(without_values(&url, &self.secret_fields)),
            other => other,
        };
        let mut line = Line::new(who, event, after_ms);
        // The question whether to leave is answered before the tab is seen to leave, and asked because the user wants to.
        if leaves(&line.event)
            && let Some(last) = self.lines.last_mut().filter(|last| last.who == who && allows_to_leave(&last.event))
        {
            std::mem::swap(&mut last.event, &mut line.event);
        }
        self.lines.push(line);
    }
}

fn leaves(event: &Event) -> bool {
    matches!(event, Event::Open(_) | Event::Reload | Event::Back | Event::Forward | Event::Close)
}

fn allows_to_leave(event: &Event) -> bool {
    matches!(event, Event::Dialog { kind: DialogKind::BeforeUnload, accept: true, .. })
}

impl Listener {
    async fn hear(&mut self, notice: TabNotice, written: &Mutex<Written>) {
        let TabNotice { tab, at, what } = notice;
        let write = |event: Event| written.lock().unwrap_or_else(PoisonError::into_inner).write(tab.who, event, at);
        match what {
            What::RecorderMessage { message, .. } if message["kind"] == "leaving" => {
                self.leaving.insert(tab.who);
            }
            What::RecorderMessage { context, message } => {
                if let Some(field) = message["field"].as_str().filter(|field| !field.is_empty()) {
                    let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
                    written.secret_fields.insert(field.to_string());
                }
                if message["kind"] == "hide" {
                    let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
                    return match message["value"].as_str() {
                        Some(value) => written.hide(value),
                        None => written.unreadable += 1,
                    };
                }
                let around = self.frames.paths(&tab.page, context).await;
                match page_messages::event(&message, &around) {
                    Some(event) => write(event),
                    None => written.lock().unwrap_or_else(PoisonError::into_inner).unreadable += 1,
                }
            }
            What::NavigationRequested => {
                self.leaving.insert(tab.who);
            }
            What::Closed => {
                if self.histories.contains_key(&tab.who) {
                    write(Event::Close);
                }
            }
            What::Answered { kind: DialogKind::BeforeUnload, answer: DialogAnswer { accept: false, .. } } => {
                // The page stays. What the user tried with a button of the window is not known, and changed nothing.
                if self.leaving.remove(&tab.who) {
                    write(Event::Dialog { kind: DialogKind::BeforeUnload, accept: false, text: None });
                }
            }
            What::Answered { kind, answer: DialogAnswer { accept, text } } => {
                write(Event::Dialog { kind, accept, text })
            }
            What::Navigated { url, within_document, kind } => {
                let by_page = self.leaving.remove(&tab.who);
                let went = self.histories.entry(tab.who).or_default().arrive(&url, kind);
                if tab.is_popup && self.announced.insert(tab.who) {
                    return write(Event::Popup(url));
                }
                match went {
                    _ if url == "about:blank" => {}
                    Went::Back if !by_page => write(Event::Back),
                    Went::Forward if !by_page => write(Event::Forward),
                    Went::Reloaded if !by_page => write(Event::Reload),
                    _ if within_document => {}
                    Went::On if !by_page => write(Event::Open(url)),
                    _ => write(Event::Arrive(url)),
                }
            }
            What::Heard(answer) => {
                // The caller may have given up.
                let _ = answer.send(());
            }
        }
    }
}
