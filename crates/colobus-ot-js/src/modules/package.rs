//! The parts of a package.json that decide which file a specifier means.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Format, Module, ResolveError};

pub(super) struct Package {
    pub folder: PathBuf,
    pub manifest: Value,
}

impl Package {
    /// The package whose package.json lies in `folder`, if there is one.
    pub fn read(folder: &Path) -> Result<Option<Package>, ResolveError> {
        let path = folder.join("package.json");
        if !path.is_file() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).map_err(|error| ResolveError::Unreadable {
            path: path.display().to_string(),
            message: error.to_string(),
        })?;
        let bad = |message: String| ResolveError::BadPackage { path: path.display().to_string(), message };
        let manifest: Value = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if !manifest.is_object() {
            return Err(bad("it must hold an object".to_owned()));
        }
        let folder = folder.to_owned();
        Ok(Some(Package { folder, manifest }))
    }

    /// The nearest package around a file.
    pub fn around(file: &Path) -> Result<Option<Package>, ResolveError> {
        for folder in file.ancestors().skip(1) {
            if folder.ends_with("node_modules") {
                break;
            }
            if let Some(package) = Package::read(folder)? {
                return Ok(Some(package));
            }
        }
        Ok(None)
    }

    pub fn main(&self) -> Option<&str> {
        self.manifest.get("main").and_then(Value::as_str)
    }

    fn is_es_module(&self) -> bool {
        self.manifest.get("type").and_then(Value::as_str) == Some("module")
    }
}

/// A found file, with links followed as Node does, and its format.
pub(super) fn module_at(file: &Path) -> Result<Module, ResolveError> {
    let path = file
        .canonicalize()
        .map_err(|error| ResolveError::Unreadable { path: file.display().to_string(), message: error.to_string() })?;
    let format = match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => Format::Json,
        Some("mjs") => Format::EsModule,
        Some("cjs") => Format::CommonJs,
        _ if Package::around(&path)?.is_some_and(|package| package.is_es_module()) => Format::EsModule,
        _ => Format::CommonJs,
    };
    Ok(Module { path, format })
}
