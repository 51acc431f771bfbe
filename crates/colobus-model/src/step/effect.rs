//! [`TextEffect`]: what a step does to the text of a document.

/// What a step does to the text, as far as that can be known without asking the application. Checks decide by it which
/// words may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEffect {
    Inserts,
    Deletes,
    /// Undoes or redoes the last change.
    Undoes,
    Selects,
    /// Moves the caret and changes nothing.
    Moves,
    Nothing,
    /// Only the application knows.
    Unknown,
}
