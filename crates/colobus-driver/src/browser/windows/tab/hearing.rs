//! What the browser says of a tab by itself.

use serde_json::{Value, json};

use super::Tab;
use crate::browser::protocol::EventSink;
use crate::browser::scripts;
use crate::browser::windows::script::BINDING;
use crate::browser::windows::tell::What;
use colobus_record::DialogKind;
use colobus_world::ProblemKind;

impl Tab {
    /// The first document of a pop-up hands its window on to the second, but not who listens there.
    fn hear_popup(&self) {
        if self.is_popup {
            let attach = json!({ "expression": scripts::call("recorder?.attach", &[]) });
            drop(self.session().send("Runtime.evaluate", attach));
        }
    }

    fn navigated(&self, frame: &Value) {
        if let Some(parent) = frame["parentId"].as_str() {
            self.state().parents.insert(frame["id"].as_str().unwrap_or_default().to_string(), parent.to_string());
            return;
        }
        let text = |name: &str| frame[name].as_str().unwrap_or_default().to_string();
        let url = format!("{}{}", text("url"), text("urlFragment"));
        {
            let mut state = self.state();
            state.main = Some(text("id"));
            state.document = Some(text("loaderId"));
            state.url = url.clone();
            state.departing = false;
            state.navigations += 1;
        }
        let way = std::mem::take(&mut self.state().way);
        self.tell(What::Navigated { url, within: false, way });
    }

    /// A page wants to go somewhere, here or in a tab of its own.
    fn requested(&self, params: &Value) {
        match params["disposition"].as_str() {
            Some("currentTab") if self.state().main.as_deref() == params["frameId"].as_str() => {
                self.tell(What::Wandering)
            }
            Some("newTab" | "newWindow") => self.opens(params),
            _ => {}
        }
    }

    fn opens(&self, params: &Value) {
        let url = params["url"].as_str().unwrap_or_default();
        self.shared.upgrade().iter().for_each(|shared| shared.expect_tab(self.who.client, url));
    }

    fn dialog(&self, params: &Value) {
        let kind = DialogKind::ALL.into_iter().find(|kind| params["type"] == kind.name());
        self.state().dialog = kind;
        let Some(shared) = self.shared.upgrade().filter(|shared| shared.options.play) else { return };
        // The question whether to leave is answered yes, unless the recording says otherwise.
        let default = (kind == Some(DialogKind::BeforeUnload), None);
        let (accept, text) = shared.dialog_answer(self.who).unwrap_or(default);
        let answer = json!({ "accept": accept, "promptText": text.unwrap_or_default() });
        drop(self.session().send("Page.handleJavaScriptDialog", answer));
    }

    fn dialog_closed(&self, params: &Value) {
        let kind = {
            let mut state = self.state();
            state.answered += 1;
            state.dialog.take()
        };
        let Some(kind) = kind else { return };
        let accept = params["result"] == true;
        let text = params["userInput"].as_str().filter(|_| kind == DialogKind::Prompt && accept);
        self.tell(What::Answered { kind, accept, text: text.map(str::to_string) });
    }
}

impl EventSink for Tab {
    fn event(&self, method: &str, params: &Value) {
        match method {
            "Runtime.bindingCalled" if params["name"] == BINDING => {
                let message = params["payload"].as_str().and_then(|text| serde_json::from_str(text).ok());
                let context = params["executionContextId"].as_i64().unwrap_or_default();
                if let Some(message) = message {
                    self.tell(What::Told { context, message });
                }
            }
            "Runtime.executionContextCreated" => {
                let context = &params["context"];
                if context["auxData"]["isDefault"] == true {
                    let frame = context["auxData"]["frameId"].as_str().unwrap_or_default().to_string();
                    self.state().contexts.push((context["id"].as_i64().unwrap_or_default(), frame));
                }
            }
            "Runtime.executionContextDestroyed" => {
                let id = params["executionContextId"].as_i64();
                // What its recorder told last may still have to be read: the frame of a context is kept for a while.
                let mut state = self.state();
                if state.contexts.len() > 200 {
                    state.contexts.retain(|(known, _)| Some(*known) != id);
                }
            }
            "Page.frameAttached" => {
                let text = |name: &str| params[name].as_str().unwrap_or_default().to_string();
                self.state().parents.insert(text("frameId"), text("parentFrameId"));
            }
            "Page.frameNavigated" => self.navigated(&params["frame"]),
            "Page.navigatedWithinDocument" if self.state().main.as_deref() == params["frameId"].as_str() => {
                let url = params["url"].as_str().unwrap_or_default().to_string();
                {
                    let mut state = self.state();
                    state.url = url.clone();
                    state.navigations += 1;
                }
                let way = std::mem::take(&mut self.state().way);
                self.tell(What::Navigated { url, within: true, way });
            }
            "Page.frameRequestedNavigation" => self.requested(params),
            "Page.windowOpen" => self.opens(params),
            "Page.frameStartedNavigating" if self.state().main.as_deref() == params["frameId"].as_str() => {
                self.state().way = params["navigationType"].as_str().unwrap_or_default().to_string();
            }
            "Page.domContentEventFired" => self.hear_popup(),
            "Page.frameStartedLoading" if self.state().main.as_deref() == params["frameId"].as_str() => {
                self.state().departing = true;
            }
            "Page.frameStoppedLoading" if self.state().main.as_deref() == params["frameId"].as_str() => {
                self.hear_popup();
                let mut state = self.state();
                state.departing = false;
                state.loaded = state.document.clone();
            }
            "Page.lifecycleEvent" if params["name"] == "load" => {
                let mut state = self.state();
                if state.main.as_deref() == params["frameId"].as_str() {
                    state.loaded = params["loaderId"].as_str().map(str::to_string);
                }
            }
            "Page.javascriptDialogOpening" => self.dialog(params),
            "Page.javascriptDialogClosed" => self.dialog_closed(params),
            "Input.dragIntercepted" => self.state().drag = Some(params["data"].clone()),
            "Inspector.targetCrashed" => {
                self.state().closed = true;
                self.session().abandon();
            }
            "Runtime.exceptionThrown" => {
                let details = &params["exceptionDetails"];
                let text = details["exception"]["description"].as_str().or(details["text"].as_str());
                self.problem(ProblemKind::Uncaught, text.unwrap_or("an exception"));
            }
            "Runtime.consoleAPICalled" if params["type"] == "error" || params["type"] == "assert" => {
                let printed = |argument: &Value| match &argument["value"] {
                    Value::String(text) => text.clone(),
                    Value::Null => argument["description"].as_str().unwrap_or_default().to_string(),
                    value => value.to_string(),
                };
                let arguments = params["args"].as_array().into_iter().flatten();
                self.problem(ProblemKind::Console, &arguments.map(printed).collect::<Vec<_>>().join(" "));
            }
            "Fetch.requestPaused" => self.paused(params),
            _ if method.starts_with("Network.") => self.network(method, params),
            _ => return,
        }
        self.shared.upgrade().iter().for_each(|shared| shared.moved());
    }

    fn ended(&self) {
        self.state().closed = true;
        self.shared.upgrade().iter().for_each(|shared| shared.moved());
    }
}
