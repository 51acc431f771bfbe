//! Keys and texts: what writes becomes a text, key after key in one step; the rest is pressed by its name.

use colobus_model::{Chord, KeyName, Step, TOKEN};

use super::{Clipboard, Loss, Place, Translation};
use crate::{Key, Modifiers};

/// Keys by which a character comes about that a later line has.
const MAKING_OTHERS: [&str; 5] = ["Dead", "Process", "Unidentified", "Compose", "AltGraph"];

impl Translation {
    /// A key that goes down. `alone`: and up again, with nothing in between.
    pub(super) fn key(&mut self, place: Place, key: &Key, held: Modifiers, alone: bool) {
        // Of modifiers counts what is done while they are held, which says so itself.
        if key.is_modifier() && !alone || MAKING_OTHERS.contains(&key.key.as_str()) {
            return;
        }
        match key.character() {
            Some(character) if !held.make_commands() => self.text(place, character.encode_utf8(&mut [0; 4])),
            Some('v' | 'V') if self.clipboard.as_ref().is_some_and(|filled| filled.client == place.client) => {
                self.paste(place)
            }
            _ => self.press(place, key, held),
        }
    }

    fn press(&mut self, place: Place, key: &Key, held: Modifiers) {
        // A modifier that is pressed alone names itself as held.
        let modifiers = if key.is_modifier() { Modifiers::default() } else { held };
        match key.key.parse::<KeyName>() {
            Ok(name) => self.say(place, Step::Press(Chord { modifiers, name }), None),
            Err(_) => self.lose(place, Loss::grave("steps cannot press this key")),
        }
    }

    /// Goes on with the text that the same user is typing.
    pub(super) fn text(&mut self, place: Place, text: &str) {
        if let Some(entry) = self.entries.last_mut()
            && entry.client == place.client
            && let Some(Step::Type(begun)) = &mut entry.step
            && !format!("{begun}{text}").contains(TOKEN)
        {
            begun.push_str(text);
            return;
        }
        self.new_text(place, text);
    }

    pub(super) fn new_text(&mut self, place: Place, text: &str) {
        // In a step these words would stand for others.
        let (first, rest) = text.split_at(text.find(TOKEN).map_or(text.len(), |token| token + 1));
        if !first.is_empty() {
            self.say(place, Step::Type(first.to_string()), None);
            self.new_text(place, rest);
        }
    }

    pub(super) fn paste(&mut self, place: Place) {
        match self.clipboard.take_if(|filled| filled.client == place.client) {
            None => self.lose(place, Loss::grave("the recording does not say what was pasted")),
            Some(Clipboard { text, .. }) if text.is_empty() => {
                self.lose(place, Loss::grave("steps paste text, and there was none"));
            }
            Some(Clipboard { text, .. }) if text.contains(TOKEN) => {
                self.lose(place, Loss::grave("steps take {token} in it for something else"));
            }
            Some(Clipboard { text, formatted, .. }) => {
                self.say(place, Step::Paste(text), None);
                if formatted {
                    self.lose_a_part(place, Loss::harmless("steps paste text without its formatting"));
                }
            }
        }
    }
}
