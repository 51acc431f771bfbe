//! Who the clients are: how each of them logs in.

use colobus_driver::StorageState;
use colobus_model::{Login, PORT};

use super::Resolver;
use crate::config::address::parse_url;
use crate::config::file;

impl Resolver<'_> {
    pub(super) fn logins(&mut self, clients: &[file::Client], app: &file::App) -> Vec<Login> {
        clients.iter().enumerate().map(|(index, client)| self.login(&format!("client.{index}"), client, app)).collect()
    }

    fn login(&mut self, path: &str, client: &file::Client, app: &file::App) -> Login {
        let key = |key: &str| format!("{path}.{key}");
        let has_steps = !client.steps.is_empty();
        if client.url.is_some() && !has_steps {
            self.wrong(&key("url"), "nothing is done on this page", "add the steps that log in, or leave it out");
        }
        if let Some(url) = &client.url {
            self.accept(&key("url"), "this URL", parse_url(&url.replace(PORT, "1")));
        }
        for (index, step) in client.steps.iter().enumerate() {
            let path = format!("{path}.steps.{index}");
            self.step(&path, step, app.viewport);
            if step.tokens() > 0 {
                self.wrong(&path, "`{token}` is a word that is looked for in the end", "a login types what it needs");
            }
        }
        let Some(name) = &client.storage_state else {
            let url = client.url.as_ref().unwrap_or(&app.url).clone();
            return if has_steps { Login::Steps { url, steps: client.steps.clone() } } else { Login::Guest };
        };
        if has_steps {
            let message = "this client logs in twice";
            self.wrong(&key("storage_state"), message, "leave this out, or the steps");
        }
        let file = self.folder.join(name);
        let read = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        if let Err(problem) = read.and_then(|text| StorageState::parse(&text)) {
            let message = format!("`{name}` cannot be read");
            self.wrong(&key("storage_state"), message, problem);
        }
        Login::StorageState(file)
    }
}
