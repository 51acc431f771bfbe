//! [`Action`]: `Ins(3,x)` and `Del(3)` as people write them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a user does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Action {
    /// Insert a character at a position.
    Ins(u8, char),
    /// Delete the character at a position.
    Del(u8),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Ins(position, character) => write!(f, "Ins({position},{character})"),
            Action::Del(position) => write!(f, "Del({position})"),
        }
    }
}

impl From<Action> for String {
    fn from(action: Action) -> Self {
        action.to_string()
    }
}

impl FromStr for Action {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let explained = || format!("`{written}` is not an operation; write Ins(POSITION,CHARACTER) or Del(POSITION)");
        let inner = |name: &str| written.trim().strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
        let parsed = match (inner("Ins"), inner("Del")) {
            (Some(arguments), _) => arguments.split_once(',').and_then(|(position, text)| {
                let mut characters = text.chars().skip_while(|c| *c == ' ' && text.chars().count() > 1);
                let character = characters.next()?;
                let position = position.trim().parse().ok()?;
                characters.next().is_none().then_some(Action::Ins(position, character))
            }),
            (_, Some(position)) => position.trim().parse().ok().map(Action::Del),
            _ => None,
        };
        parsed.ok_or_else(explained)
    }
}

impl TryFrom<String> for Action {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        written.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_as_it_is_written() {
        for action in
            [Action::Ins(0, '0'), Action::Ins(12, ' '), Action::Ins(3, ','), Action::Ins(3, ')'), Action::Del(7)]
        {
            assert_eq!(action.to_string().parse(), Ok(action));
        }
        assert_eq!("Ins(1, x)".parse(), Ok(Action::Ins(1, 'x')));
    }

    #[test]
    fn anything_else_is_explained() {
        for nonsense in ["", "Ins", "Ins()", "Ins(1)", "Ins(1,xy)", "Ins(-1,x)", "Del(300)", "Nop()", "Del(1"] {
            let error = nonsense.parse::<Action>().unwrap_err();
            assert!(error.contains("write Ins(POSITION,CHARACTER)"), "{error}");
        }
    }
}
