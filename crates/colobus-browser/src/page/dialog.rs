//! Dialogs that a page opens: `alert`, `confirm`, `prompt`, and the question whether to leave.

use super::page_events::{Notice, PageEvents};
use crate::protocol::page;

/// A dialog that waits for its answer.
pub struct DialogOpening<'a> {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: &'a str,
    pub message: &'a str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogAnswer {
    pub accept: bool,
    /// The answer to a `prompt`.
    pub text: Option<String>,
}

impl DialogOpening<'_> {
    /// The question whether to leave is answered yes, because it is Colobus that wants to leave; all others are dismissed.
    pub fn default_answer(&self) -> DialogAnswer {
        DialogAnswer { accept: self.kind == "beforeunload", text: None }
    }
}

impl PageEvents {
    pub(super) fn dialog_opened(&self, opening: &page::JavaScriptDialogOpening) {
        self.state().dialog = Some(opening.r#type.clone());
        if !self.policy.acts() {
            return;
        }
        let dialog = DialogOpening { kind: &opening.r#type, message: &opening.message };
        let DialogAnswer { accept, text } = self.listener.dialog(&dialog);
        if let Some(session) = self.session() {
            drop(session.send(page::HandleJavaScriptDialog { accept, prompt_text: text }));
        }
    }

    pub(super) fn dialog_closed(&self, closed: &page::JavaScriptDialogClosed) {
        let kind = {
            let mut state = self.state();
            state.dialogs_closed += 1;
            state.dialog.take()
        };
        let Some(kind) = kind else { return };
        let accept = closed.result;
        let text = Some(&closed.user_input).filter(|_| kind == "prompt" && accept).cloned();
        self.listener.notice(Notice::DialogClosed { kind, answer: DialogAnswer { accept, text } });
    }
}
