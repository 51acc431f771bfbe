//! Rewrites a script from standard input, for a look at what becomes of it:
//! `echo 'a?.b.c' | cargo run -p colobus-script --example rewrite [module|handler|library|runtime]`.

use std::io::{Read, Write};

use colobus_script::{Kind, Options, rewrite, rewrite_library, runtime};

fn main() {
    let argument = std::env::args().nth(1);
    let kind = match argument.as_deref() {
        Some("runtime") => return print(&runtime()),
        Some("module") => Kind::Module,
        Some("handler") => Kind::HANDLER,
        _ => Kind::Script,
    };
    let mut source = String::new();
    std::io::stdin().read_to_string(&mut source).expect("standard input is readable UTF-8");
    let rewritten = match argument.as_deref() {
        Some("library") => rewrite_library(&source, kind, "library.js", &Options::default()),
        _ => rewrite(&source, kind, &Options::default()),
    };
    match rewritten {
        Ok(rewritten) => print(&rewritten.code),
        Err(reason) => {
            eprintln!("{reason}");
            std::process::exit(2);
        }
    }
}

fn print(text: &str) {
    // A reader that stops reading is no error.
    let _ = std::io::stdout().write_all(text.as_bytes());
}
