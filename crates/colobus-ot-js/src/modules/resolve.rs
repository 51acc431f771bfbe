//! Node's search: files beside the asking file, then `node_modules` of every folder above it.

use std::path::{Path, PathBuf};

use super::package::{Package, module_at};
use super::{Module, ResolveError, Style, exports};

/// Modules that only Node itself could provide; named so that the message can say so.
const NODE_MODULES: &[&str] = &[
    "assert",
    "buffer",
    "child_process",
    "crypto",
    "events",
    "fs",
    "http",
    "https",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "querystring",
    "stream",
    "string_decoder",
    "timers",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "worker_threads",
    "zlib",
];

/// What a user named on the command line: a file, a package's folder, or a package installed below `from`.
pub fn entry(named: &Path, from: &Path) -> Result<Module, ResolveError> {
    let path = from.join(named);
    if path.is_dir()
        && let Some(package) = Package::read(&path)?
    {
        return inside(&package, ".", Style::Require).or_else(|_| inside(&package, ".", Style::Import));
    }
    if let Some(file) = file_or_folder(&path)? {
        return module_at(&file);
    }
    let name = named.to_string_lossy();
    installed(&name, from, Style::Require)
        .or_else(|_| installed(&name, from, Style::Import))?
        .ok_or_else(|| ResolveError::NoEntry(name.into_owned()))
}

/// The module that `specifier` means in the file `from`.
pub fn resolve(specifier: &str, from: &Path, style: Style) -> Result<Module, ResolveError> {
    let folder = from.parent().unwrap_or(Path::new("."));
    let found = if specifier.starts_with("./")
        || specifier.starts_with("../")
        || matches!(specifier, "." | "..")
        || Path::new(specifier).is_absolute()
    {
        match beside(&folder.join(specifier), style)? {
            Some(file) => Some(module_at(&file)?),
            None => None,
        }
    } else if specifier.starts_with('#') {
        private(specifier, from, style)?
    } else {
        match installed(specifier, folder, style)? {
            None if is_builtin(specifier) => {
                return Err(ResolveError::Builtin {
                    specifier: specifier.to_owned(),
                    from: from.display().to_string(),
                });
            }
            found => found,
        }
    };
    found.ok_or_else(|| ResolveError::NotFound { specifier: specifier.to_owned(), from: from.display().to_string() })
}

fn is_builtin(specifier: &str) -> bool {
    let root = specifier.split('/').next().unwrap_or(specifier);
    specifier.starts_with("node:") || NODE_MODULES.contains(&root)
}

/// `import` wants the whole file name; `require` guesses endings and folders.
fn beside(path: &Path, style: Style) -> Result<Option<PathBuf>, ResolveError> {
    match style {
        Style::Import => Ok(path.is_file().then(|| path.to_owned())),
        Style::Require => file_or_folder(path),
    }
}

fn file_or_folder(path: &Path) -> Result<Option<PathBuf>, ResolveError> {
    if let Some(file) = with_ending(path) {
        return Ok(Some(file));
    }
    if !path.is_dir() {
        return Ok(None);
    }
    let main = Package::read(path)?.and_then(|package| package.main().map(|main| path.join(main)));
    Ok(main
        .and_then(|main| with_ending(&main).or_else(|| with_ending(&main.join("index"))))
        .or_else(|| with_ending(&path.join("index"))))
}

fn with_ending(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_owned());
    }
    let name = path.file_name()?.to_string_lossy().into_owned();
    [".js", ".json", ".cjs", ".mjs"]
        .iter()
        .map(|ending| path.with_file_name(format!("{name}{ending}")))
        .find(|file| file.is_file())
}

fn installed(specifier: &str, folder: &Path, style: Style) -> Result<Option<Module>, ResolveError> {
    let (name, subpath) = split_package(specifier);
    if name.is_empty() {
        return Ok(None);
    }
    for above in folder.ancestors().filter(|above| !above.ends_with("node_modules")) {
        let place = above.join("node_modules").join(name);
        if let Some(package) = Package::read(&place)? {
            return inside(&package, &subpath, style).map(Some);
        }
        if let Some(file) = file_or_folder(&place.join(&subpath))? {
            return module_at(&file).map(Some);
        }
    }
    Ok(None)
}

/// `@scope/name/a/b` is the package `@scope/name` and its subpath `./a/b`.
fn split_package(specifier: &str) -> (&str, String) {
    let slashes = if specifier.starts_with('@') { 2 } else { 1 };
    match specifier.match_indices('/').nth(slashes - 1) {
        Some((at, _)) => (&specifier[..at], format!(".{}", &specifier[at..])),
        None => (specifier, ".".to_owned()),
    }
}

fn inside(package: &Package, subpath: &str, style: Style) -> Result<Module, ResolveError> {
    let file = match package.manifest.get("exports") {
        Some(table) if !table.is_null() => exports::target(table, subpath, style)
            .map(|target| package.folder.join(target))
            .filter(|file| file.is_file()),
        _ => file_or_folder(&package.folder.join(subpath))?,
    };
    match file {
        Some(file) => module_at(&file),
        None => Err(ResolveError::NotExported {
            package: package.folder.display().to_string(),
            subpath: subpath.to_owned(),
        }),
    }
}

/// A package's own `#name` shorthand, from `imports`.
fn private(specifier: &str, from: &Path, style: Style) -> Result<Option<Module>, ResolveError> {
    let Some(package) = Package::around(from)? else {
        return Ok(None);
    };
    let target = package.manifest.get("imports").and_then(|table| exports::target(table, specifier, style));
    match target {
        Some(target) if target.starts_with("./") => {
            let file = package.folder.join(target);
            file.is_file().then(|| module_at(&file)).transpose()
        }
        Some(target) => installed(&target, &package.folder, style),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scoped_packages_keep_their_scope() {
        assert_eq!(split_package("ot-json0"), ("ot-json0", ".".into()));
        assert_eq!(split_package("ot-json0/lib/a"), ("ot-json0", "./lib/a".into()));
        assert_eq!(split_package("@a/b"), ("@a/b", ".".into()));
        assert_eq!(split_package("@a/b/c"), ("@a/b", "./c".into()));
    }
}
