//! [`Login`]: how a client gets to be a user whom the application knows. Configurations produce logins, worlds perform them.
//! A login names its secrets, and never holds one.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Application, Step};

/// How one client logs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Login {
    /// It does not.
    Guest,
    /// Steps that are performed once in a run, beginning on the page at `url`. What they leave in the browser is kept.
    Steps { url: String, steps: Vec<Step> },
    /// A file with cookies and local storage, in the format of Playwright's `storageState`.
    StorageState(PathBuf),
}

impl Application {
    /// How the client with this number logs in. Clients beyond the list, such as late joiners, log in as the first one does.
    pub fn login_number(&self, client: usize) -> Option<usize> {
        let first = (!self.logins.is_empty()).then_some(0)?;
        Some(if client < self.logins.len() { client } else { first })
    }

    /// Whether it matters which of so many clients performs an action.
    pub fn tells_clients_apart(&self, clients: usize) -> bool {
        let login = |client: usize| self.login_number(client).map(|number| &self.logins[number]);
        (1..clients).any(|client| login(client) != login(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::application::tests::bare;

    #[test]
    fn clients_beyond_the_list_log_in_as_the_first() {
        let alice = Login::StorageState("alice.json".into());
        let application = Application { logins: vec![alice.clone(), Login::Guest], ..bare() };
        let numbers: Vec<Option<usize>> = (0..4).map(|client| application.login_number(client)).collect();
        assert_eq!(numbers, [Some(0), Some(1), Some(0), Some(0)]);
        assert!(application.tells_clients_apart(2));
        assert!(!application.tells_clients_apart(1));
        assert!(!Application { logins: vec![alice.clone(), alice], ..bare() }.tells_clients_apart(3));
        assert_eq!(bare().login_number(0), None);
        assert!(!bare().tells_clients_apart(2));
    }
}
