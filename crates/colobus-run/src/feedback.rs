//! [`Feedback`]: what an execution told its search besides its ending, as text. Every job of a run is kept until the end: a value
//! of JSON takes ten times the memory of its text, and most jobs tell what others have told ([`KnownFeedback`]). Made by the run loop, kept in the journal, handed to [`Search::learn`](crate::Search::learn).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::ser::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Feedback(Option<Arc<str>>);

impl Feedback {
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// `Null` if there is none. An error if it cannot be read back, as what is nested too deep.
    pub fn value(&self) -> serde_json::Result<Value> {
        self.0.as_deref().map_or(Ok(Value::Null), serde_json::from_str)
    }
}

/// Texts that were told, each once.
#[derive(Debug, Default)]
pub(crate) struct KnownFeedback(BTreeSet<Arc<str>>);

impl KnownFeedback {
    /// The same feedback, in memory that equal ones share.
    pub fn share(&mut self, Feedback(text): Feedback) -> Feedback {
        let Some(text) = text else { return Feedback(None) };
        match self.0.get(&text) {
            Some(known) => Feedback(Some(known.clone())),
            None => {
                self.0.insert(text.clone());
                Feedback(Some(text))
            }
        }
    }
}

impl From<&Value> for Feedback {
    fn from(value: &Value) -> Feedback {
        Feedback((!value.is_null()).then(|| value.to_string().into()))
    }
}

impl Serialize for Feedback {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Feedback {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Feedback, D::Error> {
        Value::deserialize(deserializer).map(|value| Feedback::from(&value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_goes_in_comes_out_and_is_json_in_the_journal() {
        for value in [json!(null), json!({ "crossed": true, "names": ["a \"quoted\" name"] }), json!(3)] {
            let feedback = Feedback::from(&value);
            assert_eq!((feedback.value().unwrap(), feedback.is_empty()), (value.clone(), value.is_null()));
            let written = serde_json::to_string(&feedback).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
            assert_eq!(serde_json::from_str::<Feedback>(&written).unwrap(), feedback);
        }
    }

    #[test]
    fn equal_feedback_is_in_memory_once() {
        let mut known = KnownFeedback::default();
        let [one, other, third] = [json!([1]), json!([1]), json!([2])].map(|value| known.share(Feedback::from(&value)));
        let text = |feedback: &Feedback| feedback.0.clone().unwrap();
        assert!(Arc::ptr_eq(&text(&one), &text(&other)));
        assert_eq!((one, third), (Feedback::from(&json!([1])), Feedback::from(&json!([2]))));
        assert!(known.share(Feedback::default()).is_empty());
    }

    #[test]
    fn what_cannot_be_read_back_is_an_error_and_not_nothing() {
        let nested = (0..200).fold(json!(1), |inner, _| json!([inner]));
        let feedback = Feedback::from(&nested);
        assert!(feedback.value().unwrap_err().to_string().contains("recursion limit"));
        serde_json::to_string(&feedback).unwrap_err();
    }
}
