//! Where a module's source comes from: Node's resolution rules over `node_modules`, without Node.
//!
//! [`resolve`] turns a specifier into a [`Module`]: a file and how to read it. Nothing here runs JavaScript.

mod exports;
mod package;
mod resolve;

use std::path::PathBuf;

pub use resolve::{entry, resolve};

/// How the importing code asks: `require` and `import` see different branches of a package's `exports`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Require,
    Import,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    CommonJs,
    EsModule,
    Json,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub path: PathBuf,
    pub format: Format,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    #[error(
        "there is no file, folder or installed package `{0}`; give a path, or run npm install where the package is used"
    )]
    NoEntry(String),
    #[error("`{specifier}`, asked for by {from}, is nowhere to be found; is the package installed (npm install)?")]
    NotFound { specifier: String, from: String },
    #[error("`{specifier}`, asked for by {from}, is a module of Node itself, which the embedded engine does not have")]
    Builtin { specifier: String, from: String },
    #[error("the package in {package} does not export `{subpath}`; see `exports` in its package.json")]
    NotExported { package: String, subpath: String },
    #[error("{path} is not a valid package.json: {message}")]
    BadPackage { path: String, message: String },
    #[error("{path} cannot be read: {message}")]
    Unreadable { path: String, message: String },
}
