//! What should change nothing: the steps that `[checks] neutral` names, and actions that are followed by their inverse.

use colobus_model::{Action, Chord, KeyName, Step, Viewport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const BLUR: &str = include_str!("../../../../page/blur.js");
const FOCUS: &str = include_str!("../../../../page/focus.js");

/// Steps that should change nothing in any editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NeutralSteps {
    /// Control+Z, then Control+Shift+Z.
    UndoRedo,
    /// Tab, then Shift+Tab.
    IndentOutdent,
    /// The editor loses the focus and gets it back.
    BlurFocus,
    /// The window becomes smaller and gets its size back.
    Resize,
}

impl NeutralSteps {
    /// As an action of a user whose window has this size.
    pub fn action(self, viewport: Viewport) -> Action {
        let (undo, tab) = (Chord::plain(KeyName::Character('z')).with_control(), Chord::plain(KeyName::Tab));
        let press = |chords: &[Chord]| chords.iter().copied().map(Step::Press).collect();
        let (name, steps) = match self {
            // What comes back is selected in some editors.
            NeutralSteps::UndoRedo => {
                ("undo and redo", press(&[undo, undo.with_shift(), Chord::plain(KeyName::ArrowRight)]))
            }
            NeutralSteps::IndentOutdent => ("indent and outdent", press(&[tab, tab.with_shift()])),
            NeutralSteps::BlurFocus => {
                ("blur and focus", [BLUR, FOCUS].map(|script| Step::Evaluate(script.to_string())).to_vec())
            }
            NeutralSteps::Resize => ("resize and back", vec![Step::Resize(smaller(viewport)), Step::Resize(viewport)]),
        };
        Action { neutral: true, ..Action::new(name, steps) }
    }
}

fn smaller(Viewport { width, height }: Viewport) -> Viewport {
    Viewport { width: (width * 2 / 3).max(1), height: (height * 2 / 3).max(1) }
}

/// The action, and then its inverse. An undo key may take back more of one's own than the action, but never anything of
/// others; any other inverse leads back to where the action began.
pub fn followed_by(action: &Action, inverse: &Action) -> Action {
    let undoes = |step: &Step| matches!(step, Step::Press(chord) if is_undo(*chord));
    let neutral = !inverse.steps.iter().any(undoes);
    let steps = [&action.steps[..], &inverse.steps[..]].concat();
    Action { neutral, undone: true, ..Action::new(format!("{} then {}", action.name, inverse.name), steps) }
}

fn is_undo(chord: Chord) -> bool {
    chord.is_command() && matches!(chord.name, KeyName::Character('z' | 'Z'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_leads_back_and_an_undo_key_may_go_further() {
        let press = |name: &str, keys: &str| Action::new(name, vec![Step::Press(keys.parse().unwrap())]);
        let back = followed_by(&press("indent", "Tab"), &press("outdent", "Shift+Tab"));
        assert_eq!((back.name.as_str(), back.steps.len()), ("indent then outdent", 2));
        assert!(back.neutral && back.returns());
        let undone = followed_by(&press("indent", "Tab"), &press("undo", "Control+z"));
        assert!(!undone.neutral && undone.returns());
    }

    #[test]
    fn a_window_gets_its_size_back() {
        let size = Viewport { width: 640, height: 400 };
        let resize = NeutralSteps::Resize.action(size);
        assert_eq!(resize.steps, [Step::Resize(Viewport { width: 426, height: 266 }), Step::Resize(size)]);
        assert!(resize.neutral);
    }
}
