//! JavaScript in pages and workers: evaluation, execution contexts, console, exceptions.

use serde_json::Value;

use super::{Done, commands, messages};

commands! {
    Enable = "Runtime.enable" {} -> Done;
    AddBinding<'a> = "Runtime.addBinding" { name: &'a str } -> Done;
    RunIfWaitingForDebugger = "Runtime.runIfWaitingForDebugger" {} -> Done;
    Evaluate<'a> = "Runtime.evaluate" {
        expression: &'a str,
        /// The main frame's if it is left out.
        context_id: Option<i64>,
        await_promise: bool,
        return_by_value: bool,
        user_gesture: bool,
    } -> Evaluation;
    CallFunctionOn<'a> = "Runtime.callFunctionOn" {
        object_id: &'a str,
        function_declaration: &'a str,
        return_by_value: bool,
    } -> Evaluation;
}

impl<'a> Evaluate<'a> {
    /// Awaits a promise and brings the value as JSON, as if the user had caused it.
    pub fn value(expression: &'a str, context_id: Option<i64>) -> Evaluate<'a> {
        Evaluate { expression, context_id, await_promise: true, return_by_value: true, user_gesture: true }
    }

    /// Brings a handle of the value.
    pub fn handle(expression: &'a str, context_id: Option<i64>) -> Evaluate<'a> {
        Evaluate { expression, context_id, await_promise: false, return_by_value: false, user_gesture: false }
    }
}

messages! {
    Evaluation {
        result: RemoteObject,
        exception_details: Option<ExceptionDetails>,
    }
    RemoteObject {
        value: Option<Value>,
        description: Option<String>,
        object_id: Option<String>,
    }
    ExceptionDetails {
        text: String,
        exception: Option<RemoteObject>,
        url: Option<String>,
        line_number: i64,
        column_number: i64,
    }
    StackTrace { call_frames: Vec<CallFrame> }
    CallFrame { url: String, line_number: i64, column_number: i64 }

    ExceptionThrown { exception_details: ExceptionDetails }
    ConsoleApiCalled {
        r#type: String,
        args: Vec<RemoteObject>,
        stack_trace: Option<StackTrace>,
    }
    BindingCalled { name: String, payload: String, execution_context_id: i64 }
    ExecutionContextCreated { context: ExecutionContext }
    ExecutionContext { id: i64, aux_data: Option<ContextData> }
    ContextData {
        /// Whether it is the one in which page code runs.
        is_default: Option<bool>,
        frame_id: Option<String>,
    }
    ExecutionContextDestroyed { execution_context_id: i64 }
}
