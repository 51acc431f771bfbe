//! [`SharedServers`]: a learned server for each world of a search. All clients of a world talk to the same one, which remembers
//! what they create, change and delete, and answers everyone alike; every document begins with a fresh one.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use colobus_driver::{Answer, Answerer, WorldStandIn, WorldStandIns};
use colobus_har::{Header, Request};
use colobus_learn::language::select;
use colobus_learn::mock::{MockError, Options};
use colobus_learn::schema::Preference;
use colobus_learn::{Description, Mock, Schemas};
use colobus_model::Application;

use super::description::read_description;
use super::messages::{allowed, learned, preflight, sharing};

#[derive(Debug)]
pub struct SharedServers(Arc<Server>);

/// What all of them answer by.
#[derive(Debug)]
struct Server {
    description: Description,
    schemas: Schemas,
    seed: u64,
}

#[derive(Debug)]
struct SharedServer {
    server: Arc<Server>,
    mock: Mutex<Mock>,
}

impl SharedServers {
    /// The server that a description describes. The seed is that of the application's own randomness.
    pub fn read(path: &Path, application: &Application) -> anyhow::Result<SharedServers> {
        let (description, schemas) = read_description(path)?;
        let server = Server { description, schemas, seed: application.deterministic.seed };
        server.mock().with_context(|| format!("cannot answer as {} says", path.display()))?;
        Ok(SharedServers(Arc::new(server)))
    }
}

impl Server {
    fn mock(&self) -> Result<Mock, MockError> {
        let options = Options {
            seed: self.seed,
            stateful: true,
            steady: true,
            preference: Preference::Seen,
            ..Options::default()
        };
        Mock::new(self.description.clone(), self.schemas.clone(), options)
    }
}

impl WorldStandIns for SharedServers {
    fn open(&self) -> Result<Arc<dyn WorldStandIn>, String> {
        let mock = self.0.mock().map_err(|error| error.to_string())?;
        Ok(Arc::new(SharedServer { server: self.0.clone(), mock: Mutex::new(mock) }))
    }

    fn describe(&self) -> String {
        format!("{}\n{:?}\n{}", self.0.description, self.0.schemas, self.0.seed)
    }
}

impl SharedServer {
    fn knows(&self, request: &Request) -> bool {
        select(&self.server.description, &self.server.schemas, &learned(request)).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Mock> {
        self.mock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answerer for SharedServer {
    /// What has a body is looked at when that is here.
    fn wants(&self, request: &Request) -> bool {
        request.method != "GET" && request.method != "HEAD" || self.knows(request)
    }

    fn answer(&self, request: &Request) -> Option<Answer> {
        if let Some(asked) = preflight(request) {
            return self.knows(&asked).then(|| allowed(request));
        }
        let reply = self.lock().answer(&learned(request));
        if reply.operation.is_none() && reply.status == 404 {
            return None;
        }
        let mut headers = sharing(request);
        headers.extend(reply.content_type.map(|content_type| Header::new("Content-Type", &content_type)));
        Some(Answer { status: reply.status, headers, body: reply.body })
    }
}

impl WorldStandIn for SharedServer {
    fn forget(&self) {
        // A description that was mocked once can be mocked again.
        if let Ok(fresh) = self.server.mock() {
            *self.lock() = fresh;
        }
    }
}
