//! The DevTools protocol as types: every command and event that Colobus uses, a file per domain. Nothing outside of this
//! module names one by a string. [`Session`] sends commands and delivers events; a reply or event that lacks a field is
//! a [`ProtocolError::Malformed`] that names the method and the field.

pub mod browser;
pub mod debugger;
pub mod dom;
pub mod dom_storage;
pub mod emulation;
mod event;
pub mod fetch;
pub mod input;
pub mod inspector;
pub mod log;
mod log_line;
pub mod network;
pub mod page;
pub mod profiler;
pub mod runtime;
mod session;
pub mod sources;
pub mod storage;
pub mod target;
#[cfg(test)]
mod tests;
mod well_formed;

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use event::Event;
pub use session::{EventSink, Reply, Session};
pub use well_formed::well_formed;

/// A command of the protocol: its fields are the parameters; those that are `None` are left out.
pub trait Command: Serialize {
    const METHOD: &'static str;
    type Reply: DeserializeOwned;
}

/// The reply of commands that say nothing but that they were executed.
#[derive(Debug, Deserialize)]
pub struct Done {}

#[derive(Debug, Clone, thiserror::Error)]
pub enum ProtocolError {
    #[error("the browser is gone")]
    Gone,
    #[error("the browser refused {method}: {message}")]
    Refused { method: &'static str, message: String },
    #[error("the browser did not answer {method} within {} ms", limit.as_millis())]
    TimedOut { method: &'static str, limit: Duration },
    #[error("the browser's message {method} cannot be read: {problem}; is this browser's version supported?")]
    Malformed { method: &'static str, problem: String },
}

/// Reads the text of a reply or of an event's parameters.
fn read<T: DeserializeOwned>(method: &'static str, text: &str) -> Result<T, ProtocolError> {
    serde_json::from_str(text).map_err(|error| {
        // The position is one in a text that the user does not see.
        let problem = error.to_string();
        let problem = problem.rsplit_once(" at line ").map_or(problem.as_str(), |(problem, _)| problem).to_string();
        ProtocolError::Malformed { method, problem }
    })
}

/// Declares commands: the type, the method, the parameters, and the type of the reply.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident $(<$life:lifetime>)? = $method:literal
        { $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? } -> $reply:ty;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, serde::Serialize)]
            #[serde(rename_all = "camelCase")]
            pub struct $name $(<$life>)? {
                $($(#[$field_doc])* pub $field: $type),*
            }

            impl $(<$life>)? $crate::protocol::Command for $name $(<$life>)? {
                const METHOD: &'static str = $method;
                type Reply = $reply;
            }
        )*
    };
}

/// Declares what the browser sends: replies, and parameters of events.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, serde::Deserialize)]
            #[serde(rename_all = "camelCase")]
            pub struct $name {
                $($(#[$field_doc])* pub $field: $type),*
            }
        )*
    };
}

use {commands, messages};
