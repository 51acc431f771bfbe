//! Node's resolution, over a tree of files made for each test.

use std::path::{Path, PathBuf};

use colobus_ot_js::modules::{Format, ResolveError, Style, entry, resolve};

fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (path, text) in files {
        let file = root.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    root.canonicalize().unwrap()
}

fn found(root: &Path, specifier: &str, style: Style) -> (String, Format) {
    let module = resolve(specifier, &root.join("src/asking.js"), style).unwrap();
    (module.path.strip_prefix(root).unwrap().display().to_string(), module.format)
}

#[test]
fn require_guesses_endings_and_folders() {
    let root = tree(
        "endings",
        &[
            ("src/a.js", ""),
            ("src/b.json", "{}"),
            ("src/c/index.js", ""),
            ("src/d/package.json", r#"{"main": "lib/e"}"#),
            ("src/d/lib/e.js", ""),
        ],
    );
    assert_eq!(found(&root, "./a", Style::Require), ("src/a.js".into(), Format::CommonJs));
    assert_eq!(found(&root, "./b", Style::Require), ("src/b.json".into(), Format::Json));
    assert_eq!(found(&root, "./c", Style::Require), ("src/c/index.js".into(), Format::CommonJs));
    assert_eq!(found(&root, "./d", Style::Require), ("src/d/lib/e.js".into(), Format::CommonJs));
}

#[test]
fn import_wants_the_whole_name() {
    let root = tree("whole", &[("src/a.mjs", "")]);
    assert_eq!(found(&root, "./a.mjs", Style::Import), ("src/a.mjs".into(), Format::EsModule));
    let error = resolve("./a", &root.join("src/asking.js"), Style::Import).unwrap_err();
    assert!(matches!(error, ResolveError::NotFound { .. }), "{error}");
}

#[test]
fn the_nearest_node_modules_wins() {
    let root = tree(
        "nearest",
        &[
            ("node_modules/p/package.json", "{}"),
            ("node_modules/p/index.js", "outer"),
            ("src/node_modules/p/package.json", r#"{"type": "module", "main": "main.js"}"#),
            ("src/node_modules/p/main.js", "inner"),
            ("node_modules/@scope/q/package.json", "{}"),
            ("node_modules/@scope/q/deep/file.js", ""),
        ],
    );
    assert_eq!(found(&root, "p", Style::Require), ("src/node_modules/p/main.js".into(), Format::EsModule));
    assert_eq!(found(&root, "@scope/q/deep/file", Style::Require).0, "node_modules/@scope/q/deep/file.js");
}

#[test]
fn exports_and_imports_decide_where_they_exist() {
    let root = tree(
        "exports",
        &[
            ("package.json", r##"{"imports": {"#own": "./src/own.js", "#dep": "p"}}"##),
            ("src/own.js", ""),
            (
                "node_modules/p/package.json",
                r#"{"main": "ignored.js", "exports": {".": {"import": "./p.mjs", "require": "./p.cjs"}, "./parts/*": "./src/*.js"}}"#,
            ),
            ("node_modules/p/p.mjs", ""),
            ("node_modules/p/p.cjs", ""),
            ("node_modules/p/src/one.js", ""),
        ],
    );
    assert_eq!(found(&root, "p", Style::Import), ("node_modules/p/p.mjs".into(), Format::EsModule));
    assert_eq!(found(&root, "p", Style::Require), ("node_modules/p/p.cjs".into(), Format::CommonJs));
    assert_eq!(found(&root, "p/parts/one", Style::Require).0, "node_modules/p/src/one.js");
    assert_eq!(found(&root, "#own", Style::Require).0, "src/own.js");
    assert_eq!(found(&root, "#dep", Style::Require).0, "node_modules/p/p.cjs");
    let hidden = resolve("p/src/one.js", &root.join("src/asking.js"), Style::Require).unwrap_err();
    assert!(matches!(hidden, ResolveError::NotExported { .. }), "{hidden}");
}

#[test]
fn an_entry_is_a_file_a_folder_or_a_package() {
    let root = tree(
        "entry",
        &[
            ("a.js", ""),
            ("node_modules/p/package.json", r#"{"exports": {"import": "./p.mjs"}}"#),
            ("node_modules/p/p.mjs", ""),
        ],
    );
    for named in ["node_modules/p", "p"] {
        let module = entry(Path::new(named), &root).unwrap();
        assert_eq!(module.path, root.join("node_modules/p/p.mjs"));
    }
    assert_eq!(entry(Path::new("a"), &root).unwrap().path, root.join("a.js"));
    assert_eq!(entry(Path::new("b"), &root), Err(ResolveError::NoEntry("b".into())));
}

#[test]
fn a_broken_package_json_is_named() {
    let root = tree("broken", &[("node_modules/p/package.json", "{")]);
    let error = entry(Path::new("node_modules/p"), &root).unwrap_err();
    assert!(matches!(&error, ResolveError::BadPackage { path, .. } if path.ends_with("p/package.json")), "{error}");
}
