//! [`Policy`]: how a page is treated. A world's pages are held, those of recorded sessions are free.

use colobus_model::Viewport;

use crate::protocol::{
    Done, ProtocolError, Reply, Session, dom, emulation, input, inspector, log, network, page, runtime, target,
};

/// The name under which the recorder's script finds the way back to us. The script removes it before any page code runs.
pub const RECORDER_BINDING: &str = "__colobusTell";

/// The name under which a held page says that it registers a service worker. Its script removes it before any page code runs.
pub const SERVICE_WORKER_BINDING: &str = "__colobusServiceWorker";

#[derive(Clone, Debug)]
pub enum Policy {
    /// A page of a world. Its messages wait at the gate of its proxy, it stays on its document, its web workers are watched,
    /// and nothing that it opens gets in the way.
    Held { viewport: Viewport },
    /// A page whose events are released one by one: its requests stop, and its script owns its clock.
    Raced {
        viewport: Viewport,
        /// Runs in every document before any other script.
        script: String,
    },
    /// A page as users have it: it goes where it wants, and opens what it wants.
    Free(FreePolicy),
}

#[derive(Clone, Debug)]
pub struct FreePolicy {
    /// The size of the page; the window's if it is left out.
    pub viewport: Option<Viewport>,
    /// Whether its window is shown.
    pub headed: bool,
    /// Whether the player acts in it. If not, a person does, who also answers dialogs.
    pub play: bool,
    /// Runs in every document before any other script.
    pub script: String,
}

impl Policy {
    pub fn is_held(&self) -> bool {
        matches!(self, Policy::Held { .. })
    }

    /// Whether Colobus acts in the page, and answers its dialogs.
    pub fn acts(&self) -> bool {
        match self {
            Policy::Held { .. } | Policy::Raced { .. } => true,
            Policy::Free(free) => free.play,
        }
    }

    /// Prepares a new page. The commands are executed in this order, whether or not a caller waits
    /// for the answers.
    pub(crate) fn set_up(&self, session: &Session) -> SetUp {
        let mut replies = vec![
            session.send(page::Enable {}),
            session.send(page::SetLifecycleEventsEnabled { enabled: true }),
            session.send(runtime::Enable {}),
            session.send(log::Enable {}),
            session.send(inspector::Enable {}),
        ];
        // Nine of ten events are the network's. A held page has a proxy that counts: it is watched once it streams
        // ([`crate::Page::watch_network`]).
        if !self.is_held() {
            replies.push(session.send(network::Enable::WITHOUT_BODIES));
        }
        if self.acts() {
            replies.push(session.send(page::SetInterceptFileChooserDialog { enabled: true }));
            // The system's own drag and drop would wait for a mouse that does not exist.
            replies.push(session.send(input::SetInterceptDrags { enabled: true }));
        }
        match self {
            Policy::Held { viewport } => replies.extend([
                session.send(page::SetBypassCsp { enabled: true }),
                session.send(runtime::AddBinding { name: SERVICE_WORKER_BINDING }),
                session.send(metrics(*viewport)),
                session.send(emulation::SetFocusEmulationEnabled { enabled: true }),
                session.send(target::SetAutoAttach::to(&[target::TargetKind::Worker])),
            ]),
            Policy::Raced { viewport, script } => {
                drop(session.send(page::AddScriptToEvaluateOnNewDocument { source: script }));
                replies.extend([
                    session.send(page::SetBypassCsp { enabled: true }),
                    session.send(network::SetBypassServiceWorker { bypass: true }),
                    session.send(network::SetCacheDisabled { cache_disabled: true }),
                    session.send(metrics(*viewport)),
                    session.send(emulation::SetFocusEmulationEnabled { enabled: true }),
                ]);
            }
            Policy::Free(free) => {
                replies.push(session.send(dom::Enable {}));
                replies.push(session.send(runtime::AddBinding { name: RECORDER_BINDING }));
                drop(session.send(page::AddScriptToEvaluateOnNewDocument { source: &free.script }));
                replies.extend(free.viewport.map(|viewport| session.send(metrics(viewport))));
                if free.play || !free.headed {
                    replies.push(session.send(emulation::SetFocusEmulationEnabled { enabled: true }));
                }
                replies.push(session.send(runtime::RunIfWaitingForDebugger {}));
            }
        }
        SetUp(replies)
    }
}

pub(crate) fn metrics(size: Viewport) -> emulation::SetDeviceMetricsOverride {
    emulation::SetDeviceMetricsOverride {
        width: size.width,
        height: size.height,
        device_scale_factor: 1,
        mobile: false,
    }
}

/// The answers to the commands that prepare a page.
pub(crate) struct SetUp(Vec<Reply<Done>>);

impl SetUp {
    pub async fn done(self) -> Result<(), ProtocolError> {
        for reply in self.0 {
            reply.done().await?;
        }
        Ok(())
    }
}
