//! [`PORT`]: applications that listen wherever they are told get a free port when they are started, so that several runs
//! do not meet.

use crate::{Application, Launch, Login, Reset, WaitFor};

/// Stands for a free port, wherever an application that is started by us says where it listens.
pub const PORT: &str = "{port}";

impl Application {
    /// Whether a port has to be chosen before it can be started.
    pub fn wants_port(&self) -> bool {
        self.url.contains(PORT)
    }

    /// The application with this port wherever it asks for one.
    pub fn on_port(&self, port: u16) -> Application {
        let waits = match self.launch.as_ref().map(|launch| &launch.wait_for) {
            Some(WaitFor::ChosenPort) => Some(WaitFor::Port(port)),
            _ => None,
        };
        self.replaced(PORT, &port.to_string(), waits)
    }

    /// The application with [`PORT`] in the place of the one on which it is waited for: equal for applications that differ only
    /// in where they listen.
    pub fn on_any_port(&self) -> Application {
        match self.launch.as_ref().map(|launch| &launch.wait_for) {
            Some(WaitFor::Port(port)) => self.replaced(&port.to_string(), PORT, Some(WaitFor::ChosenPort)),
            _ => self.clone(),
        }
    }

    fn replaced(&self, port: &str, by: &str, waits: Option<WaitFor>) -> Application {
        let filled = |text: &String| text.replace(port, by);
        let filled_all = |texts: &[String]| texts.iter().map(filled).collect::<Vec<String>>();
        let launch = self.launch.as_ref().map(|launch| Launch {
            command: filled_all(&launch.command),
            directory: launch.directory.clone(),
            environment: launch.environment.iter().map(|(name, value)| (name.clone(), filled(value))).collect(),
            wait_for: match (&waits, &launch.wait_for) {
                (Some(waits), _) => waits.clone(),
                (None, WaitFor::Url(url)) => WaitFor::Url(filled(url)),
                (None, other) => other.clone(),
            },
            timeout_ms: launch.timeout_ms,
        });
        let reset = match &self.reset {
            Reset::Command { command, directory } => {
                Reset::Command { command: filled_all(command), directory: directory.clone() }
            }
            Reset::Request { method, url, body } => {
                Reset::Request { method: method.clone(), url: filled(url), body: body.clone() }
            }
            other => other.clone(),
        };
        let login = |login: &Login| match login {
            Login::Steps { url, steps } => Login::Steps { url: filled(url), steps: steps.clone() },
            other => other.clone(),
        };
        let logins = self.logins.iter().map(login).collect();
        Application { url: filled(&self.url), launch, reset, logins, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::application::tests::bare;

    fn application(port: &str, wait_for: WaitFor) -> Application {
        let launch = Launch {
            command: vec!["serve".into(), format!("--port={port}")],
            directory: ".".into(),
            environment: [("PORT".to_string(), port.to_string())].into(),
            wait_for,
            timeout_ms: 10_000,
        };
        let url = format!("http://127.0.0.1:{port}/?doc={{doc}}");
        Application { url, launch: Some(launch), ..bare() }
    }

    #[test]
    fn where_an_application_listens_makes_no_difference() {
        let anywhere = application(PORT, WaitFor::ChosenPort);
        for port in [8080, 9191] {
            let here = application(&port.to_string(), WaitFor::Port(port));
            assert_eq!(anywhere.on_port(port), here);
            assert_eq!(here.on_any_port(), anywhere);
        }
    }
}
