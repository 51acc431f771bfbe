//! [`LearnedServer`]: a [`StandIn`] as the proxy of a browser asks it. [`LearnedServers`]: those of all workers.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use colobus_driver::{Answer, Answerer, ServerStandIn};
use colobus_explore::StandIn;
use colobus_har::{Header, Request};
use colobus_learn::{Description, Schemas};
use colobus_run::{RunError, key_of};
use colobus_world::{AnswerPlan, GivenAnswer};

use super::messages::{allowed, learned, preflight, sharing};

pub struct LearnedServer(StandIn);

impl LearnedServer {
    pub fn new(description: &Description, schemas: &Schemas, seed: u64) -> anyhow::Result<Arc<LearnedServer>> {
        let stand_in = StandIn::new(description.clone(), schemas.clone(), seed);
        Ok(Arc::new(LearnedServer(stand_in.context("the server cannot be answered for as its description says")?)))
    }

    /// Answers what plans say, and nothing else.
    pub fn repeating() -> anyhow::Result<Arc<LearnedServer>> {
        LearnedServer::new(&Description::default(), &Schemas::default(), 0)
    }
}

impl fmt::Debug for LearnedServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LearnedServer")
    }
}

impl Answerer for LearnedServer {
    /// What has a body is looked at when that is here.
    fn wants(&self, request: &Request) -> bool {
        request.method != "GET" && request.method != "HEAD" || self.0.may_answer(&learned(request))
    }

    fn answer(&self, request: &Request) -> Option<Answer> {
        if let Some(asked) = preflight(request) {
            return self.0.may_answer(&learned(&asked)).then(|| allowed(request));
        }
        let given = self.0.answer(&learned(request))?;
        let mut headers = sharing(request);
        headers.extend(given.content_type.map(|content_type| Header::new("Content-Type", &content_type)));
        Some(Answer { status: given.status, headers, body: given.body.into_bytes() })
    }
}

impl ServerStandIn for LearnedServer {
    fn begin(&self, plan: &AnswerPlan) {
        self.0.begin(plan);
    }

    fn step(&self, seed: u64) {
        self.0.step(seed);
    }

    fn given(&self) -> Vec<GivenAnswer> {
        self.0.given()
    }
}

/// A server for each worker, which know the same constants.
pub struct LearnedServers {
    description: Description,
    schemas: Schemas,
    seed: u64,
    known: Mutex<(Vec<Arc<LearnedServer>>, Vec<String>)>,
}

impl LearnedServers {
    pub fn new(description: Description, schemas: Schemas, seed: u64) -> LearnedServers {
        LearnedServers { description, schemas, seed, known: Mutex::default() }
    }

    /// Of what the files say, not of where they are: an edited description is another server.
    pub fn digest(&self) -> Result<String, RunError> {
        let grammars: Vec<(&String, &str)> =
            self.schemas.grammars.iter().map(|(file, grammar)| (file, grammar.source())).collect();
        key_of(&(self.description.to_string(), &self.schemas.json, grammars))
    }

    pub fn open(&self) -> anyhow::Result<Arc<LearnedServer>> {
        let server = LearnedServer::new(&self.description, &self.schemas, self.seed)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        server.0.prefer(known.1.clone());
        known.0.push(server.clone());
        Ok(server)
    }

    /// What the page's scripts compare with: answers contain it more often from now on.
    pub fn prefer(&self, constants: Vec<String>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.0.iter().for_each(|server| server.0.prefer(constants.clone()));
        known.1 = constants;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_description_or_schema_is_another_server() {
        let digest = |text: &str, schemas: Schemas| {
            LearnedServers::new(Description::parse(text).unwrap(), schemas, 1).digest().unwrap()
        };
        let described = "URL http://shop/\nGET list() : @list.json\n";
        let schemas =
            |kind: &str| Schemas::of_json([("list.json".to_string(), serde_json::json!({ "type": kind }))].into());
        assert_eq!(digest(described, schemas("array")), digest(described, schemas("array")));
        assert_ne!(digest(described, schemas("array")), digest(described, schemas("object")));
        let edited = described.replace("GET list", "GET items");
        assert_ne!(digest(described, schemas("array")), digest(&edited, schemas("array")));
    }
}
