//! [`Event`]: what a browser says by itself. Events that are not listed here are not read at all.

use super::{ProtocolError, debugger, fetch, input, inspector, log, network, page, read, runtime, sources, target};

macro_rules! events {
    ($($method:literal => $name:ident($params:ty),)*) => {
        #[derive(Clone, Debug)]
        pub enum Event {
            $($name($params),)*
            /// Any other event of the network: something moved.
            NetworkMoved,
        }

        impl Event {
            pub(super) fn parse(method: &str, params: &str) -> Result<Option<Event>, ProtocolError> {
                match method {
                    $($method => read($method, params).map(|params| Some(Event::$name(params))),)*
                    _ if method.starts_with("Network.") => Ok(Some(Event::NetworkMoved)),
                    _ => Ok(None),
                }
            }
        }
    };
}

events! {
    "Debugger.paused" => Paused(debugger::Paused),
    "Debugger.scriptParsed" => ScriptParsed(sources::ScriptParsed),
    "Fetch.authRequired" => AuthRequired(fetch::AuthRequired),
    "Fetch.requestPaused" => RequestPaused(fetch::RequestPaused),
    "Input.dragIntercepted" => DragIntercepted(input::DragIntercepted),
    "Inspector.targetCrashed" => TargetCrashed(inspector::TargetCrashed),
    "Inspector.detached" => Detached(inspector::Detached),
    "Log.entryAdded" => LogEntryAdded(log::EntryAdded),
    "Network.requestWillBeSent" => RequestWillBeSent(network::RequestWillBeSent),
    "Network.responseReceived" => ResponseReceived(network::ResponseReceived),
    "Network.dataReceived" => DataReceived(network::DataReceived),
    "Network.loadingFinished" => LoadingFinished(network::LoadingFinished),
    "Network.loadingFailed" => LoadingFailed(network::LoadingFailed),
    "Network.webSocketCreated" => WebSocketCreated(network::WebSocketCreated),
    "Page.frameAttached" => FrameAttached(page::FrameAttached),
    "Page.frameNavigated" => FrameNavigated(page::FrameNavigated),
    "Page.navigatedWithinDocument" => NavigatedWithinDocument(page::NavigatedWithinDocument),
    "Page.frameRequestedNavigation" => FrameRequestedNavigation(page::FrameRequestedNavigation),
    "Page.frameStartedNavigating" => FrameStartedNavigating(page::FrameStartedNavigating),
    "Page.frameStartedLoading" => FrameStartedLoading(page::FrameStartedLoading),
    "Page.frameStoppedLoading" => FrameStoppedLoading(page::FrameStoppedLoading),
    "Page.domContentEventFired" => DomContentEventFired(page::DomContentEventFired),
    "Page.lifecycleEvent" => LifecycleEvent(page::LifecycleEvent),
    "Page.windowOpen" => WindowOpen(page::WindowOpen),
    "Page.javascriptDialogOpening" => JavaScriptDialogOpening(page::JavaScriptDialogOpening),
    "Page.javascriptDialogClosed" => JavaScriptDialogClosed(page::JavaScriptDialogClosed),
    "Runtime.exceptionThrown" => ExceptionThrown(runtime::ExceptionThrown),
    "Runtime.consoleAPICalled" => ConsoleApiCalled(runtime::ConsoleApiCalled),
    "Runtime.bindingCalled" => BindingCalled(runtime::BindingCalled),
    "Runtime.executionContextCreated" => ExecutionContextCreated(runtime::ExecutionContextCreated),
    "Runtime.executionContextDestroyed" => ExecutionContextDestroyed(runtime::ExecutionContextDestroyed),
    "Target.targetCreated" => TargetCreated(target::TargetCreated),
    "Target.attachedToTarget" => AttachedToTarget(target::AttachedToTarget),
    "Target.detachedFromTarget" => DetachedFromTarget(target::DetachedFromTarget),
}
