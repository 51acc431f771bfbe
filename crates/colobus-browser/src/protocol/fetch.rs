//! Requests that stop until they are let through or answered.

use super::{Done, commands, messages};

commands! {
    Enable = "Fetch.enable" {
        patterns: Vec<Pattern>,
        /// Whether challenges of proxies and servers stop, too.
        handle_auth_requests: bool,
    } -> Done;
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
    ContinueWithAuth<'a> = "Fetch.continueWithAuth" {
        request_id: &'a str,
        auth_challenge_response: AuthChallengeResponse<'a>,
    } -> Done;
    GetResponseBody<'a> = "Fetch.getResponseBody" { request_id: &'a str } -> ResponseBody;
}

#[derive(Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    pub url_pattern: &'static str,
}

#[derive(Debug, serde::Serialize)]
pub struct AuthChallengeResponse<'a> {
    /// `ProvideCredentials`, or `CancelAuth`.
    pub response: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<&'a str>,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Header {
    pub name: String,
    pub value: String,
}

messages! {
    AuthRequired { request_id: String, auth_challenge: AuthChallenge }
    AuthChallenge {
        /// `Server` or `Proxy`.
        source: Option<String>,
    }
    RequestPaused {
        request_id: String,
        frame_id: String,
        resource_type: super::network::ResourceType,
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
        /// Left out if it is long or holds files.
        post_data: Option<String>,
        has_post_data: Option<bool>,
    }
    ResponseBody { body: String, base64_encoded: bool }
}
