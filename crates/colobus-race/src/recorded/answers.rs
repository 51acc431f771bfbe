//! [`Answers`]: which recorded answer a request gets.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::digest;
use crate::model::{AddressMatch, Digest, compare_addresses};

/// What a server answered to one request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedAnswer {
    pub method: String,
    pub url: String,
    /// A hash of what was sent, 0 for nothing.
    #[serde(default)]
    pub sent: Digest,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// Decoded: without a content encoding.
    #[serde(serialize_with = "as_base64", deserialize_with = "from_base64")]
    pub body: Vec<u8>,
    /// Milliseconds from the request to the answer.
    pub latency: u64,
}

/// The answers of a recording, during one execution. Of equal requests each gets the next answer; the last one is given
/// again.
#[derive(Clone, Debug)]
pub struct Answers<'a> {
    recorded: &'a [RecordedAnswer],
    used: Vec<bool>,
}

/// How Chromium's boundaries begin.
const FORM_BOUNDARY: &str = "------WebKitFormBoundary";

impl RecordedAnswer {
    /// The hash of what a request sends. The boundary between the parts of a form, which browsers make up each time, is left out.
    pub fn digest_of(sent: &str) -> Digest {
        let boundary = sent.lines().next().filter(|line| line.starts_with(FORM_BOUNDARY));
        match boundary {
            _ if sent.is_empty() => 0,
            Some(boundary) => digest::text(&sent.replace(boundary, "")),
            None => digest::text(sent),
        }
    }

    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308) && self.header("location").is_some()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// How well a recorded request fits, the best first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Same,
    SameAgain,
    OtherBody,
    OtherBodyAgain,
    Alike(AddressMatch, bool),
}

impl<'a> Answers<'a> {
    pub fn new(recorded: &'a [RecordedAnswer]) -> Answers<'a> {
        Answers { recorded, used: vec![false; recorded.len()] }
    }

    /// The answer to a request; `None` if nothing like it was recorded.
    pub fn take(&mut self, method: &str, url: &str, sent: Digest) -> Option<&'a RecordedAnswer> {
        let fit = |index: usize| {
            let answer = &self.recorded[index];
            let again = self.used[index];
            if answer.method != method {
                return None;
            }
            Some(match compare_addresses(&answer.url, url)? {
                AddressMatch::Exact if answer.sent == sent && !again => Fit::Same,
                AddressMatch::Exact if answer.sent == sent => Fit::SameAgain,
                AddressMatch::Exact if !again => Fit::OtherBody,
                AddressMatch::Exact => Fit::OtherBodyAgain,
                // Two searches differ in their query alone: the answer to one is none to the other.
                AddressMatch::PathOnly => return None,
                how => Fit::Alike(how, again),
            })
        };
        // Of those that were used, the last one is given again.
        let place = |index: usize| if self.used[index] { self.recorded.len() - index } else { index };
        let best = (0..self.recorded.len()).filter_map(|index| Some((fit(index)?, place(index), index))).min()?;
        self.used[best.2] = true;
        Some(&self.recorded[best.2])
    }
}

fn as_base64<S: Serializer>(body: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&BASE64.encode(body))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    BASE64.decode(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(method: &str, url: &str, sent: &str, body: &str) -> RecordedAnswer {
        RecordedAnswer {
            method: method.into(),
            url: url.into(),
            sent: RecordedAnswer::digest_of(sent),
            status: 200,
            headers: Vec::new(),
            body: body.into(),
            latency: 5,
        }
    }

    #[test]
    fn equal_requests_get_their_answers_in_order_and_the_last_one_again() {
        let recorded = [answer("GET", "/n", "", "1"), answer("GET", "/n", "", "2")];
        let mut answers = Answers::new(&recorded);
        let mut next = || answers.take("GET", "/n", 0).map(|answer| String::from_utf8_lossy(&answer.body).into_owned());
        assert_eq!([next(), next(), next()].map(Option::unwrap), ["1", "2", "2"]);
    }

    #[test]
    fn what_is_sent_decides_between_requests_to_one_address() {
        let recorded = [answer("POST", "/save", "a", "A"), answer("POST", "/save", "b", "B")];
        let mut answers = Answers::new(&recorded);
        let found = answers.take("POST", "/save", RecordedAnswer::digest_of("b")).unwrap();
        assert_eq!(found.body, b"B");
        assert_eq!(answers.take("POST", "/save", RecordedAnswer::digest_of("c")).unwrap().body, b"A", "the one left");
        assert!(answers.take("GET", "/save", 0).is_none());
    }

    #[test]
    fn cache_busters_do_not_count_and_queries_do() {
        let recorded = [answer("GET", "/s?q=a&_=1", "", "a")];
        assert!(Answers::new(&recorded).take("GET", "/s?q=a&_=2", 0).is_some());
        assert!(Answers::new(&recorded).take("GET", "/s?q=b&_=1", 0).is_none());
    }

    #[test]
    fn bodies_are_written_and_read_back() {
        let one = RecordedAnswer { body: vec![0, 255, 7], ..answer("GET", "/image", "", "") };
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<RecordedAnswer>(&text).unwrap(), one);
    }
}
