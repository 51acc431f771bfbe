//! Requests that stop until they are let through or answered.

use super::{Done, commands, messages};

commands! {
    Enable = "Fetch.enable" { patterns: Vec<Pattern> } -> Done;
    Disable = "Fetch.disable" {} -> Done;
    ContinueRequest<'a> = "Fetch.continueRequest" {
        request_id: &'a str,
        /// Whether it stops again when its response is there.
        intercept_response: Option<bool>,
    } -> Done;
    FulfillRequest<'a> = "Fetch.fulfillRequest" {
        request_id: &'a str,
        response_code: u16,
        response_headers: Vec<Header>,
        /// In base 64.
        body: String,
    } -> Done;
    FailRequest<'a> = "Fetch.failRequest" { request_id: &'a str, error_reason: &'static str } -> Done;
    GetResponseBody<'a> = "Fetch.getResponseBody" { request_id: &'a str } -> ResponseBody;
}

#[derive(Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    pub url_pattern: &'static str,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Header {
    pub name: String,
    pub value: String,
}

messages! {
    RequestPaused {
        request_id: String,
        frame_id: String,
        resource_type: String,
        /// The name of the same request in the domain of the network.
        network_id: Option<String>,
        request: Request,
        /// Set if it stopped because its response is there.
        response_status_code: Option<u16>,
        response_headers: Option<Vec<Header>>,
        /// Why there is no response.
        response_error_reason: Option<String>,
    }
    Request {
        url: String,
        method: String,
        post_data: Option<String>,
    }
    ResponseBody { body: String, base64_encoded: bool }
}
