//! [`RecordingProxy`]: a proxy for programs that are no browsers, which records their traffic. It serves what this process
//! started, and goes everywhere.

use std::io::Write;
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::time::Duration;

use colobus_har::Redaction;
use colobus_proxy::{AllowList, ProcessTree, Proxy, ProxyOptions, RunAuthority};
use tempfile::NamedTempFile;
use tokio::runtime::Runtime;
use tokio::time::timeout;

use crate::traffic::TrafficLog;
use colobus_world::WorldError;

/// How long the last answers may take to be recorded after the program has ended.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

pub struct RecordingProxy {
    // The proxy ends before the runtime that it lives in.
    proxy: Proxy,
    log: TrafficLog,
    certificate: NamedTempFile,
    runtime: Runtime,
}

impl RecordingProxy {
    pub fn start() -> Result<RecordingProxy, WorldError> {
        let cannot = |error: &dyn std::fmt::Display| WorldError::CannotRun(error.to_string());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| cannot(&error))?;
        let authority = Arc::new(RunAuthority::new().map_err(|error| cannot(&error))?);
        let certificate = NamedTempFile::new().and_then(|mut file| {
            file.write_all(authority.certificate_file().as_bytes())?;
            Ok(file)
        });
        let certificate = certificate.map_err(|error| cannot(&error))?;
        let log = TrafficLog::default();
        let options = ProxyOptions {
            allow: AllowList::everywhere(),
            owner: Some(ProcessTree::below(process::id())),
            tls: Some(authority),
            tap: Some(log.tap()),
            ..ProxyOptions::default()
        };
        let proxy = runtime.block_on(Proxy::start(options)).map_err(|error| cannot(&error))?;
        Ok(RecordingProxy { proxy, log, certificate, runtime })
    }

    /// Its address, as programs take it.
    pub fn url(&self) -> String {
        format!("http://{}", self.proxy.address())
    }

    /// What a program has to trust so that its encrypted traffic is recorded: a file (PEM) that is there as long as the proxy.
    pub fn certificate(&self) -> &Path {
        self.certificate.path()
    }

    /// All that was said, without secrets, as the text of a HAR file.
    pub fn finish(self) -> String {
        let answered = async {
            let mut seen = 0;
            while !self.proxy.in_flight().is_empty() {
                seen = self.proxy.changed(seen).await;
            }
        };
        // What is not answered by then never will be.
        let _ = self.runtime.block_on(async { timeout(LAST_ANSWERS, answered).await });
        self.log.take_har(&Redaction::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_this_machine_is_served() {
        let proxy = RecordingProxy::start().unwrap();
        assert!(proxy.proxy.address().ip().is_loopback(), "{}", proxy.url());
    }
}
