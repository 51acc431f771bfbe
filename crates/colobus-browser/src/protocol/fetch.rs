//! Requests that stop until they are let through.

use super::{Done, commands, messages};

commands! {
    Enable = "Fetch.enable" { patterns: Vec<Pattern> } -> Done;
    Disable = "Fetch.disable" {} -> Done;
    ContinueRequest<'a> = "Fetch.continueRequest" { request_id: &'a str } -> Done;
}

#[derive(Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    pub url_pattern: &'static str,
}

messages! {
    RequestPaused {
        request_id: String,
        frame_id: String,
        resource_type: String,
        /// The name of the same request in the domain of the network.
        network_id: Option<String>,
    }
}
