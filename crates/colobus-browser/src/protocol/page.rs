//! Documents of a page: loading, history, dialogs, pictures.

use super::{Done, commands, messages};

commands! {
    Enable = "Page.enable" {} -> Done;
    SetLifecycleEventsEnabled = "Page.setLifecycleEventsEnabled" { enabled: bool } -> Done;
    SetBypassCsp = "Page.setBypassCSP" { enabled: bool } -> Done;
    SetInterceptFileChooserDialog = "Page.setInterceptFileChooserDialog" { enabled: bool } -> Done;
    AddScriptToEvaluateOnNewDocument<'a> = "Page.addScriptToEvaluateOnNewDocument" { source: &'a str } -> ScriptAdded;
    RemoveScriptToEvaluateOnNewDocument<'a> = "Page.removeScriptToEvaluateOnNewDocument" { identifier: &'a str } -> Done;
    Navigate<'a> = "Page.navigate" { url: &'a str } -> Navigated;
    Reload = "Page.reload" {} -> Done;
    BringToFront = "Page.bringToFront" {} -> Done;
    GetNavigationHistory = "Page.getNavigationHistory" {} -> NavigationHistory;
    NavigateToHistoryEntry = "Page.navigateToHistoryEntry" { entry_id: i64 } -> Done;
    HandleJavaScriptDialog = "Page.handleJavaScriptDialog" { accept: bool, prompt_text: Option<String> } -> Done;
    CaptureScreenshot = "Page.captureScreenshot" {
        format: &'static str,
        optimize_for_speed: bool,
        capture_beyond_viewport: bool,
    } -> Screenshot;
    GetResourceTree = "Page.getResourceTree" {} -> ResourceTree;
    GetResourceContent<'a> = "Page.getResourceContent" { frame_id: &'a str, url: &'a str } -> ResourceContent;
}

/// How a page gets to an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NavigationType {
    Reload,
    ReloadBypassingCache,
    HistorySameDocument,
    HistoryDifferentDocument,
    /// To a new address.
    #[default]
    #[serde(other)]
    Other,
}

impl NavigationType {
    pub fn is_reload(self) -> bool {
        matches!(self, NavigationType::Reload | NavigationType::ReloadBypassingCache)
    }

    /// Whether it goes back or forward.
    pub fn is_in_history(self) -> bool {
        matches!(self, NavigationType::HistorySameDocument | NavigationType::HistoryDifferentDocument)
    }
}

messages! {
    ScriptAdded { identifier: String }
    Navigated {
        /// The new document; nothing if the address is a place in the present one.
        loader_id: Option<String>,
        error_text: Option<String>,
    }
    NavigationHistory { current_index: i64, entries: Vec<HistoryEntry> }
    HistoryEntry { id: i64, url: String }
    Screenshot {
        /// In base 64.
        data: String,
    }
    ResourceTree { frame_tree: FrameResources }
    FrameResources {
        frame: Frame,
        #[serde(default)]
        child_frames: Vec<FrameResources>,
        resources: Vec<Resource>,
    }
    Resource { url: String, r#type: super::network::ResourceType }
    ResourceContent { content: String }

    FrameAttached { frame_id: String, parent_frame_id: String }
    FrameNavigated { frame: Frame }
    Frame {
        id: String,
        /// Nothing for the main frame.
        parent_id: Option<String>,
        loader_id: String,
        url: String,
        url_fragment: Option<String>,
        #[serde(default)]
        mime_type: String,
    }
    NavigatedWithinDocument { frame_id: String, url: String }
    /// Page code or a user wants a frame to go somewhere.
    FrameRequestedNavigation { frame_id: String, url: String, disposition: String }
    FrameStartedNavigating { frame_id: String, navigation_type: NavigationType }
    FrameStartedLoading { frame_id: String }
    FrameStoppedLoading { frame_id: String }
    DomContentEventFired {}
    LifecycleEvent { frame_id: String, loader_id: String, name: String }
    WindowOpen { url: String }
    JavaScriptDialogOpening { message: String, r#type: String }
    JavaScriptDialogClosed { result: bool, user_input: String }
}
