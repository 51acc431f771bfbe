//! [`GridError`]: why a hub could not be used, and what to do about it.

/// A hub, or a session of it, does not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    #[error("`{0}` is not the address of a Selenium Grid: give one such as http://hub:4444 or https://grid.example")]
    Address(String),
    #[error(
        "the address of the Grid has a name or a password in it, which others would see: leave them out, and set COLOBUS_GRID_USER to `name:password`"
    )]
    PasswordInAddress,
    #[error(
        "no Selenium Grid could be reached at {url}: {problem}; is the hub running, and does it accept connections from here?"
    )]
    Unreachable { url: String, problem: String },
    #[error("the Grid at {url} wants a password: set COLOBUS_GRID_USER to `name:password`")]
    Unauthorized { url: String },
    #[error("the Grid at {url} refuses the name and password in COLOBUS_GRID_USER: correct them")]
    Refused { url: String },
    #[error("what {url} answers is not what a Selenium Grid says ({problem}); is it the address of the hub?")]
    Garbage { url: String, problem: String },
    #[error(
        "no node of the Grid at {url} has a browser with DevTools (Chrome, Chromium, Edge): {nodes}\n  start one: java -jar \
         selenium-server.jar node --hub {url}"
    )]
    NoBrowsers { url: String, nodes: String },
    #[error("the Grid at {url} opened no session: {problem}")]
    NoSession { url: String, problem: String },
    #[error(
        "the Grid at {url} opened a session without a DevTools endpoint (se:cdp){}: only Chrome, Chromium and Edge have one, and the node must not \
         switch it off",
        node.as_deref().map(|node| format!(", on {node}")).unwrap_or_default()
    )]
    NoDevTools { url: String, node: Option<String> },
}
