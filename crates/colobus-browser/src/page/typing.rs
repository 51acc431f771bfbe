//! Keyboard, input methods and the clipboard, as trusted events.

use colobus_model::{Chord, Key, Modifiers};
use colobus_world::WorldError;
use serde_json::{Value, json};

use super::Page;
use crate::keyboard::{Stroke, events, strokes};
use crate::protocol::input::{DispatchKeyEvent, ImeSetComposition, InsertText, KeyEventKind};
use crate::protocol::{Done, Reply};

/// One event of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyStroke {
    pub kind: KeyEventKind,
    /// What `KeyboardEvent.key` says.
    pub key: String,
    /// What `KeyboardEvent.code` says.
    pub code: String,
    pub virtual_code: u32,
    /// What it writes, if it goes down and writes.
    pub text: Option<String>,
    /// What `KeyboardEvent.location` says: 1 for the left one of two.
    pub location: u32,
    /// The modifiers that are held: Alt 1, Control 2, Meta 4, Shift 8.
    pub modifiers: u32,
    /// Whether it is down already and repeats.
    pub repeats: bool,
}

impl KeyStroke {
    /// An event of this key while these modifiers are held.
    pub fn new(key: &Key, kind: KeyEventKind, held: Modifiers, text: Option<String>) -> KeyStroke {
        KeyStroke {
            kind,
            key: key.key.clone(),
            code: key.code.clone(),
            virtual_code: key.virtual_code,
            text,
            location: key.location(),
            modifiers: held.bits(),
            repeats: false,
        }
    }
}

impl KeyStroke {
    fn command(self) -> DispatchKeyEvent {
        let text = self.text.filter(|_| self.kind == KeyEventKind::KeyDown);
        DispatchKeyEvent {
            r#type: self.kind,
            modifiers: self.modifiers,
            key: Some(self.key),
            code: Some(self.code),
            windows_virtual_key_code: Some(self.virtual_code),
            location: Some(self.location),
            auto_repeat: Some(self.repeats),
            unmodified_text: text.clone(),
            text,
            commands: None,
        }
    }
}

impl Page {
    /// Presses and releases keys.
    pub async fn press(&self, chord: &Chord) -> Result<(), WorldError> {
        self.strike(&[Stroke::Key(*chord)]).await
    }

    /// Types a text, with the keys of a keyboard as far as it has them.
    pub async fn type_text(&self, text: &str) -> Result<(), WorldError> {
        self.strike(&strokes(text)).await
    }

    async fn strike(&self, strokes: &[Stroke]) -> Result<(), WorldError> {
        let mut replies: Vec<Reply<Done>> = Vec::new();
        for stroke in strokes {
            match stroke {
                Stroke::Key(chord) => {
                    replies.extend(events(chord).into_iter().map(|event| self.session.send(event.command())));
                }
                Stroke::Insert(text) => replies.push(self.session.send(InsertText { text })),
            }
        }
        self.all_done(replies).await
    }

    /// One event of a key.
    pub async fn key(&self, stroke: KeyStroke) -> Result<(), WorldError> {
        self.call(stroke.command()).await.map(|_| ())
    }

    /// Inserts a text at once, as input methods do.
    pub async fn insert_text(&self, text: &str) -> Result<(), WorldError> {
        self.call(InsertText { text }).await.map(|_| ())
    }

    /// Composes a text in stages with an input method, and commits or, if nothing is committed, gives it up.
    pub async fn compose(&self, stages: &[String], commit: &str) -> Result<(), WorldError> {
        for stage in stages {
            let end = stage.encode_utf16().count();
            self.call(ImeSetComposition { text: stage, selection_start: end, selection_end: end }).await?;
        }
        if commit.is_empty() {
            let nothing = ImeSetComposition { text: "", selection_start: 0, selection_end: 0 };
            return self.call(nothing).await.map(|_| ());
        }
        self.insert_text(commit).await
    }

    /// Offers a text to the page as a paste, and inserts it if the page does not take it.
    pub async fn paste_text(&self, text: &str) -> Result<(), WorldError> {
        if self.ask("input.paste", &[json!(text)]).await? == Value::Bool(true) {
            self.insert_text(text).await?;
        }
        Ok(())
    }

    /// Pastes the clipboard as a menu does it: through the browser's editing command, without a key that the page could
    /// hear of.
    pub async fn paste_clipboard(&self) -> Result<(), WorldError> {
        let paste = DispatchKeyEvent {
            r#type: KeyEventKind::RawKeyDown,
            modifiers: 0,
            key: None,
            code: None,
            windows_virtual_key_code: None,
            location: None,
            auto_repeat: None,
            text: None,
            unmodified_text: None,
            commands: Some(vec!["paste"]),
        };
        self.call(paste).await.map(|_| ())
    }
}
