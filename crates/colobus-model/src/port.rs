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
        let digits = port.to_string();
        let filled = |text: &String| text.replace(PORT, &digits);
        let filled_all = |texts: &[String]| texts.iter().map(filled).collect::<Vec<String>>();
        let launch = self.launch.as_ref().map(|launch| Launch {
            command: filled_all(&launch.command),
            directory: launch.directory.clone(),
            environment: launch.environment.iter().map(|(name, value)| (name.clone(), filled(value))).collect(),
            wait_for: match &launch.wait_for {
                WaitFor::Url(url) => WaitFor::Url(filled(url)),
                WaitFor::Port(port) => WaitFor::Port(*port),
                WaitFor::ChosenPort => WaitFor::Port(port),
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
