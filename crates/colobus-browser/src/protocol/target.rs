//! Pages and workers as the browser lists them, and the contexts (isolated profiles) that they live in.

use super::{Done, commands, messages};

commands! {
    CreateBrowserContext = "Target.createBrowserContext" {
        dispose_on_detach: bool,
        proxy_server: Option<String>,
        proxy_bypass_list: Option<&'static str>,
    } -> ContextCreated;
    DisposeBrowserContext<'a> = "Target.disposeBrowserContext" { browser_context_id: &'a str } -> Done;
    CreateTarget<'a> = "Target.createTarget" {
        url: &'a str,
        browser_context_id: Option<&'a str>,
        new_window: bool,
    } -> TargetCreatedReply;
    CloseTarget<'a> = "Target.closeTarget" { target_id: &'a str } -> Done;
    GetTargets = "Target.getTargets" {} -> Targets;
    AttachToTarget<'a> = "Target.attachToTarget" { target_id: &'a str, flatten: bool } -> AttachedReply;
    DetachFromTarget<'a> = "Target.detachFromTarget" { session_id: &'a str } -> Done;
    SetDiscoverTargets = "Target.setDiscoverTargets" { discover: bool } -> Done;
    SetAutoAttach = "Target.setAutoAttach" {
        auto_attach: bool,
        wait_for_debugger_on_start: bool,
        flatten: bool,
        filter: Vec<TargetFilter>,
    } -> Done;
}

impl SetAutoAttach {
    /// Announces targets of these kinds, each of which waits until it is let go.
    pub fn to(kinds: &[TargetKind]) -> SetAutoAttach {
        let filter = kinds.iter().map(|kind| TargetFilter { r#type: *kind, exclude: false }).collect();
        SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true, filter }
    }
}

#[derive(Debug, serde::Serialize)]
pub struct TargetFilter {
    pub r#type: TargetKind,
    pub exclude: bool,
}

/// What a browser can be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    Page,
    Worker,
    SharedWorker,
    /// What nothing of ours depends on.
    #[serde(other)]
    Other,
}

messages! {
    ContextCreated { browser_context_id: String }
    TargetCreatedReply { target_id: String }
    Targets { target_infos: Vec<TargetInfo> }
    AttachedReply { session_id: String }

    TargetInfo {
        target_id: String,
        r#type: TargetKind,
        url: String,
        opener_id: Option<String>,
        browser_context_id: Option<String>,
    }
    TargetCreated { target_info: TargetInfo }
    AttachedToTarget {
        session_id: String,
        target_info: TargetInfo,
        waiting_for_debugger: bool,
    }
    DetachedFromTarget { session_id: String }
}
