//! What rewriting costs: time and growth of real libraries, and how much slower they run under Node.
//! `cargo bench -p colobus-script`, after `scripts/install-packages crates/colobus-script/tests/packages`.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use colobus_script::{Kind, Options, constants, rewrite, rewrite_library, runtime};

const SOURCES: [(&str, &str); 5] = [
    ("jquery", "jquery/dist/jquery.js"),
    ("jquery, minified", "jquery/dist/jquery.min.js"),
    ("react-dom, development", "react-dom/umd/react-dom.development.js"),
    ("react-dom, production", "react-dom/umd/react-dom.production.min.js"),
    ("mithril", "mithril/mithril.js"),
];
const ROUNDS: usize = 7;

fn main() {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/node_modules");
    println!(
        "{:<24} {:>9} {:>9} {:>8} {:>8} {:>10} {:>11} {:>11}",
        "script", "bytes", "rewrite", "growth", "sites", "constants", "load x", "as library"
    );
    for (name, path) in SOURCES {
        let Ok(source) = std::fs::read_to_string(packages.join(path)) else {
            println!("{name:<24} is not installed: scripts/install-packages crates/colobus-script/tests/packages");
            continue;
        };
        let rewritten = rewrite(&source, Kind::Script, &Options::default()).expect("real libraries parse");
        let rewriting = fastest(|| drop(rewrite(&source, Kind::Script, &Options::default())));
        let reading = fastest(|| drop(constants(&source, false)));
        let library = rewrite_library(&source, Kind::Script, name, &Options::default()).expect("real libraries parse");
        let plain = loading(&source, false);
        let slower = |code: &str| match (loading(code, true), plain) {
            (Some(rewritten), Some(plain)) => format!("{:.1}", rewritten / plain),
            _ => "no node".to_string(),
        };
        println!(
            "{name:<24} {:>9} {:>6.1} ms {:>8.2} {:>8} {:>7.1} ms {:>11} {:>11}",
            source.len(),
            milliseconds(rewriting),
            rewritten.code.len() as f64 / source.len() as f64,
            rewritten.sites.len(),
            milliseconds(reading),
            slower(&rewritten.code),
            slower(&library.code),
        );
    }
    println!("runtime: {} bytes", runtime().len());
}

fn fastest(run: impl Fn()) -> Duration {
    let time = |_| {
        let started = Instant::now();
        run();
        started.elapsed()
    };
    (0..ROUNDS).map(time).min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Milliseconds to compile and run a script in a page without layout, as measured by Node.
fn loading(code: &str, with_runtime: bool) -> Option<f64> {
    let folder = tempfile::tempdir().ok()?;
    let script = folder.path().join("script.js");
    let prelude = folder.path().join("runtime.js");
    std::fs::write(&script, code).ok()?;
    std::fs::write(&prelude, if with_runtime { runtime() } else { String::new() }).ok()?;
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/load.js");
    let output = Command::new("node").arg(program).arg(prelude).arg(script).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
