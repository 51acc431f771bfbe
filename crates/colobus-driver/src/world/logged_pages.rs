//! [`LoggedPages`]: pages of a world whose scripts are rewritten on their way, so that they log what they read and write
//! (`check --precise`). One for all proxies of a run; each client names the places of its page.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use colobus_browser::{Page, scripts};
use colobus_har::{Request, Response};
use colobus_model::Step;
use colobus_proxy::{Proxy, Rewriter as RewritesBodies};
use colobus_race::conflicts::Touched;
use colobus_race::model::EventName;
use colobus_script::Log;
use colobus_world::WorldError;
use serde_json::json;

use crate::race::{AccessNames, Rewriter, Source, needed_elements};

/// Places of one page need no event in their names: they are compared within one execution.
const EVENT: &str = "an event";

#[derive(Default)]
pub(crate) struct LoggedPages {
    rewriter: Mutex<Rewriter>,
}

impl fmt::Debug for LoggedPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoggedPages").finish_non_exhaustive()
    }
}

impl LoggedPages {
    fn rewriter(&self) -> MutexGuard<'_, Rewriter> {
        self.rewriter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a page has touched since it was asked last.
    pub async fn touched(
        &self,
        (page, proxy): (&Page, &Proxy),
        names: &Mutex<AccessNames>,
        step: Option<&Step>,
    ) -> Result<Touched, WorldError> {
        let answer = page.ask("touched", &[json!(step.map(needed_elements))]).await?;
        let log: Log = scripts::read("touched", answer)?;
        let rewriter = self.rewriter();
        let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
        let runs_unknown_code = matches!(step, Some(Step::Evaluate(_)))
            || rewriter.unparsed().next().is_some()
            || !proxy.not_rewritten().is_empty();
        let numbered = names.numbered(&EventName::from(EVENT), &log, &rewriter.sites);
        let mut touched = names.touched(&numbered, &rewriter.sites);
        touched.anything |= runs_unknown_code;
        Ok(touched)
    }

    /// Scripts that run as they are: nothing is left out because of what pages touch while there are any.
    pub fn notes(&self) -> Vec<String> {
        let note = |problem: &String| format!("--precise leaves out nothing: {problem}");
        self.rewriter().unparsed().map(note).collect()
    }
}

impl RewritesBodies for LoggedPages {
    fn wants_request(&self, _: &Request) -> bool {
        false
    }

    fn rewrite_request(&self, _: &Request) -> Option<Vec<u8>> {
        None
    }

    fn wants_response(&self, request: &Request, response: &Response) -> bool {
        response.status < 400 && source(request, response).is_some()
    }

    fn rewrite_response(&self, request: &Request, response: &Response) -> Option<Vec<u8>> {
        let source = source(request, response)?;
        Some(self.rewriter().rewritten(&request.url, &response.body.content, source, None).to_vec())
    }
}

/// What a response is to its page; `None` if it is data, or the script of a web worker, which has no log.
fn source(request: &Request, response: &Response) -> Option<Source> {
    let kind = response.media_type();
    let is_script = kind.ends_with("javascript") || kind.ends_with("ecmascript");
    match request.header("sec-fetch-dest") {
        Some("document" | "iframe" | "frame") if kind == "text/html" => Some(Source::Document),
        Some("script") if is_script => Some(Source::Script),
        Some(_) => None,
        // Told by browsers where they trust the address; elsewhere the kinds have to do.
        None if kind == "text/html" && request.header("accept").is_some_and(|accepted| accepted.contains(&kind)) => {
            Some(Source::Document)
        }
        None => is_script.then_some(Source::Script),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_har::Header;

    fn header(name: &str, value: &str) -> Header {
        Header { name: name.into(), value: value.into() }
    }

    fn source_of(asked: &[(&str, &str)], kind: &str) -> Option<Source> {
        let headers = asked.iter().map(|(name, value)| header(name, value)).collect();
        let request = Request { headers, ..Request::default() };
        source(&request, &Response { headers: vec![header("content-type", kind)], ..Response::default() })
    }

    #[test]
    fn documents_and_scripts_are_rewritten_and_data_is_not() {
        let to = |destination| [("sec-fetch-dest", destination)];
        assert_eq!(source_of(&to("document"), "text/html; charset=utf-8"), Some(Source::Document));
        assert_eq!(source_of(&to("script"), "text/javascript"), Some(Source::Script));
        assert_eq!(source_of(&to("empty"), "text/html"), None, "a part of a page that a script asks for");
        assert_eq!(source_of(&to("empty"), "application/json"), None);
        assert_eq!(source_of(&to("worker"), "text/javascript"), None);
        assert_eq!(source_of(&[("accept", "text/html,*/*")], "text/html"), Some(Source::Document));
        assert_eq!(source_of(&[("accept", "*/*")], "text/html"), None);
        assert_eq!(source_of(&[], "application/javascript"), Some(Source::Script));
    }
}
