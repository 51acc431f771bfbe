//! [`Logins`]: what the logins of clients left in a browser, kept for all worlds of a run. Clients begin every document with it;
//! it is never told: [`Logins::hide`] takes it out of texts, [`Logins::redaction`] out of recorded traffic.

mod perform;

use std::fs;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use colobus_browser::StorageState;
use colobus_har::Redaction;
use colobus_model::{Application, ClientId, Login, Step};
use colobus_record::without_secrets;

use super::BrowserWorld;
use colobus_world::WorldError;

/// Shorter beginnings of a secret at the end of a text stand there by chance.
const SHORTEST_BEGINNING: usize = 8;

pub struct Logins {
    application: Arc<Application>,
    /// Variables that steps ask for, and their values.
    variables: Vec<(String, String)>,
    /// By the number of the login; nothing as long as its steps have not been performed.
    states: Mutex<Vec<Option<Arc<StorageState>>>>,
    /// Held by the world that performs steps, so that each is performed once.
    turn: tokio::sync::Mutex<()>,
}

impl Logins {
    /// Reads the variables and files that the logins of an application name.
    pub fn read(application: &Arc<Application>) -> Result<Logins, WorldError> {
        let mut variables = Vec::new();
        let mut states = Vec::new();
        for (number, login) in application.logins.iter().enumerate() {
            let cannot = |problem: String| {
                WorldError::CannotRun(format!("client {} cannot log in: {problem}", ClientId(number)))
            };
            states.push(match login {
                Login::Guest => Some(Arc::default()),
                Login::StorageState(path) => {
                    let text = fs::read_to_string(path).map_err(|error| error.to_string());
                    let state = text.and_then(|text| StorageState::parse(&text));
                    Some(Arc::new(state.map_err(|problem| cannot(format!("{}: {problem}", path.display())))?))
                }
                Login::Steps { steps, .. } => {
                    for variable in steps.iter().flat_map(asked_for) {
                        let value = std::env::var(&variable).map_err(|_| {
                            cannot(format!("the environment variable {variable} is not set, which its steps type"))
                        })?;
                        variables.push((variable, value));
                    }
                    None
                }
            });
        }
        Ok(Logins { application: application.clone(), variables, states: Mutex::new(states), turn: Default::default() })
    }

    /// What the client with this number begins with; nothing if clients do not log in.
    pub fn of_client(&self, client: ClientId) -> Option<Arc<StorageState>> {
        self.states().get(self.application.login_number(client.0)?)?.clone()
    }

    /// What steps left is of no use any more: the application was started again.
    pub fn forget(&self) {
        for (state, login) in self.states().iter_mut().zip(&self.application.logins) {
            if matches!(login, Login::Steps { .. }) {
                *state = None;
            }
        }
    }

    /// The text without anything that logins keep secret.
    pub fn hide(&self, text: &str) -> String {
        let secrets = self.secrets();
        let text = without_secrets(text, &secrets);
        // A text that was cut may end within a secret.
        let Some(cut) = text.strip_suffix('…') else { return text };
        let begins = |(_, secret): &(String, String)| {
            let lengths = (SHORTEST_BEGINNING..secret.len()).rev();
            lengths.into_iter().filter_map(|end| secret.get(..end)).find_map(|beginning| cut.strip_suffix(beginning))
        };
        secrets.iter().find_map(begins).map_or(text.clone(), |rest| format!("{rest}…"))
    }

    /// Takes all that logins keep secret out of recorded traffic.
    pub fn redaction(&self) -> Redaction {
        self.secrets().iter().fold(Redaction::standard(), |redaction, (_, value)| redaction.value(value))
    }

    /// What stands for each secret, and the secret.
    fn secrets(&self) -> Vec<(String, String)> {
        let mut secrets = self.variables.clone();
        for (number, state) in self.states().iter().enumerate() {
            let name = format!("LOGIN_OF_{}", ClientId(number));
            let values = state.iter().flat_map(|state| state.secrets());
            secrets.extend(values.map(|value| (name.clone(), value)));
        }
        secrets
    }

    /// The step with the values of the variables that it asks for.
    fn filled(&self, step: &Step) -> Step {
        let fill = |text: String, (name, value): &(String, String)| text.replace(&format!("{{{name}}}"), value);
        let filled = step.inserted_text().map(|text| self.variables.iter().fold(text, fill));
        filled.and_then(|text| step.with_inserted_text(text)).unwrap_or_else(|| step.clone())
    }

    fn states(&self) -> MutexGuard<'_, Vec<Option<Arc<StorageState>>>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn asked_for(step: &Step) -> Vec<String> {
    let text = step.inserted_text().unwrap_or_default();
    colobus_record::variables_in(&text).into_iter().map(str::to_string).collect()
}

impl BrowserWorld {
    /// Performs the steps of logins that no world of this run has performed yet.
    pub(super) async fn ensure_logins(&self) -> Result<(), WorldError> {
        let logins = &self.shared.logins;
        if logins.states().iter().all(Option::is_some) {
            return Ok(());
        }
        let _turn = logins.turn.lock().await;
        for (number, login) in self.shared.application.logins.iter().enumerate() {
            let is_known = logins.states()[number].is_some();
            if let (false, Login::Steps { url, steps }) = (is_known, login) {
                let state = self.log_in(ClientId(number), url, steps).await?;
                logins.states()[number] = Some(Arc::new(state));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logins() -> Logins {
        let state =
            r#"{ "cookies": [{ "name": "sid", "value": "s3cret-of-the-session", "domain": "a", "path": "/" }] }"#;
        let states = vec![Some(Arc::new(StorageState::parse(state).unwrap()))];
        let variables = vec![("COLOBUS_SECRET_PIN".to_string(), "hunter2".to_string())];
        Logins { variables, states: Mutex::new(states), ..no_logins() }
    }

    fn no_logins() -> Logins {
        let application = serde_json::json!({
            "url": "http://127.0.0.1:1/?doc={doc}", "launch": null, "reset": "fresh_document", "hosts": [], "ready": null,
            "focus": null, "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true, "state": null,
            "viewport": { "width": 20, "height": 20 },
            "settle": { "quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0 }
        });
        Logins::read(&Arc::new(serde_json::from_value(application).unwrap())).unwrap()
    }

    #[test]
    fn texts_lose_what_is_secret_also_where_they_are_cut() {
        let logins = logins();
        let hidden = logins.hide("{\"pin\":\"hunter2\",\"sid\":\"s3cret-of-the-session\"}");
        assert_eq!(hidden, "{\"pin\":\"$COLOBUS_SECRET_PIN\",\"sid\":\"$LOGIN_OF_A\"}");
        assert_eq!(logins.hide("sid=s3cret-of-the-…"), "sid=…");
        assert_eq!(logins.hide("a s3cret of mine…"), "a s3cret of mine…");
    }

    #[test]
    fn steps_are_filled_in_with_the_values_of_variables() {
        let typing = Step::Type("{COLOBUS_SECRET_PIN} {COLOBUS_SECRET_OTHER}".to_string());
        assert_eq!(asked_for(&typing), ["COLOBUS_SECRET_PIN", "COLOBUS_SECRET_OTHER"]);
        assert_eq!(logins().filled(&typing), Step::Type("hunter2 {COLOBUS_SECRET_OTHER}".to_string()));
    }
}
