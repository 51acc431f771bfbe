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

impl RemoteObject {
    /// The value as JSON. What JSON has no word for comes as the text that JavaScript has for it; `undefined` as null.
    pub fn into_json(self) -> Value {
        self.value.or(self.unserializable_value.map(Value::String)).unwrap_or_default()
    }

    /// Whether JavaScript takes the value for true.
    pub fn is_truthy(&self) -> bool {
        match (&self.value, self.unserializable_value.as_deref()) {
            (_, Some(number)) => !matches!(number, "NaN" | "-0" | "0n"),
            (None | Some(Value::Null), None) => false,
            (Some(Value::Bool(value)), None) => *value,
            (Some(Value::Number(number)), None) => number.as_f64() != Some(0.0),
            (Some(Value::String(text)), None) => !text.is_empty(),
            (Some(Value::Array(_) | Value::Object(_)), None) => true,
        }
    }
}

messages! {
    Evaluation {
        result: RemoteObject,
        exception_details: Option<ExceptionDetails>,
    }
    RemoteObject {
        value: Option<Value>,
        /// `NaN`, `Infinity`, `-Infinity`, `-0` and big integers such as `5n`, which JSON has no word for.
        unserializable_value: Option<String>,
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::RemoteObject;

    fn answered(object: Value) -> (Value, bool) {
        let object: RemoteObject = serde_json::from_value(object).unwrap();
        let truthy = object.is_truthy();
        (object.into_json(), truthy)
    }

    #[test]
    fn numbers_that_json_has_no_word_for_are_true_where_javascript_says_so() {
        for (number, truthy) in
            [("Infinity", true), ("-Infinity", true), ("5n", true), ("NaN", false), ("-0", false), ("0n", false)]
        {
            let object = json!({ "type": "number", "unserializableValue": number, "description": number });
            assert_eq!(answered(object), (json!(number), truthy), "{number}");
        }
    }

    #[test]
    fn values_are_true_as_javascript_has_it() {
        for truthy in [json!(true), json!(1), json!("0"), json!([]), json!({})] {
            assert_eq!(answered(json!({ "value": truthy })), (truthy, true));
        }
        for falsy in [json!(false), json!(0), json!(0.0), json!(""), json!(null)] {
            assert_eq!(answered(json!({ "value": falsy })), (falsy, false));
        }
        assert_eq!(answered(json!({ "type": "undefined" })), (Value::Null, false));
    }
}
