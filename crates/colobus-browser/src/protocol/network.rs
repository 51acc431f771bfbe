//! Requests and responses of a page.

use super::{Done, commands, messages};

commands! {
    Enable = "Network.enable" { max_total_buffer_size: u64, max_resource_buffer_size: u64 } -> Done;
    SetCacheDisabled = "Network.setCacheDisabled" { cache_disabled: bool } -> Done;
    SetBypassServiceWorker = "Network.setBypassServiceWorker" { bypass: bool } -> Done;
}

impl Enable {
    /// Events without copies of the bodies.
    pub const WITHOUT_BODIES: Enable = Enable { max_total_buffer_size: 0, max_resource_buffer_size: 0 };
}

/// What a page wants a resource for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub enum ResourceType {
    Document,
    Stylesheet,
    Image,
    Font,
    Script,
    #[serde(rename = "XHR")]
    Xhr,
    Fetch,
    EventSource,
    Ping,
    /// What nothing of ours depends on.
    #[serde(other)]
    Other,
}

messages! {
    RequestWillBeSent {
        request_id: String,
        request: Request,
        r#type: Option<ResourceType>,
    }
    Request { url: String }
    ResponseReceived { response: Response }
    Response { status: u16, url: String }
    DataReceived {}
    LoadingFinished { request_id: String }
    LoadingFailed {
        request_id: String,
        error_text: String,
        canceled: Option<bool>,
    }
    WebSocketCreated {}
}
