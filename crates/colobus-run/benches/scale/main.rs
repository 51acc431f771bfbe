//! How the cost of a search grows, on the fake world: with actions, depth, clients and failures, up to 100,000 interactions, and
//! what it takes to resume them. What is measured is the tool alone, without browsers. Writes its section of docs/performance.md and
//! docs/scale.svg, unless COLOBUS_BENCH is `quick`. `-- 5 2` measures five actions at depth 2 only, and writes nothing. `-- workers` measures searches with up to 1,000
//! workers and writes docs/scale.md; `-- workers 10` does so with ten actions only, and writes nothing. `-- millions` plans and resumes ten
//! million interactions, and writes there as well; `-- millions 30` does so with thirty actions, and writes nothing.

mod case;
mod distant_worlds;
mod many_workers;
mod picture;
mod section;
mod ten_million;

use std::fs;
use std::path::Path;
use std::process::Command;

use case::{Case, Measured};
use many_workers::Crowd;

type Problem = Box<dyn std::error::Error>;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// So many actions at depth 2 are more than 100,000 interactions.
const ALL_ACTIONS: usize = 59;

/// The first process of a case is this program with this argument and the case.
const CHILD: &str = "case";

fn main() -> Result<(), Problem> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    match arguments.iter().map(String::as_str).collect::<Vec<&str>>()[..] {
        [CHILD, case] => println!("{}", serde_json::to_string(&Case::read(case)?.measure()?)?),
        ["crowd", crowd] => println!("{}", serde_json::to_string(&Crowd::read(crowd)?.measure()?)?),
        ["begin", actions, out] => {
            println!("{}", serde_json::to_string(&ten_million::begin(actions.parse()?, Path::new(out))?)?)
        }
        ["resume", actions, out] => {
            println!("{}", serde_json::to_string(&ten_million::resume(actions.parse()?, Path::new(out))?)?);
        }
        ["millions"] => ten_million::write_into(&Path::new(DOCS).join("scale.md"))?,
        ["millions", actions] => print!("{}", ten_million::table(actions.parse()?)?),
        ["workers", actions] => {
            let all = Crowd::all(actions.parse()?);
            print!("{}", many_workers::table(&all.iter().map(many_workers::measured).collect::<Result<Vec<_>, _>>()?));
        }
        ["workers"] => many_workers::write_into(&Path::new(DOCS).join("scale.md"), &Crowd::all(ALL_ACTIONS))?,
        [actions, depth] => {
            let case = Case { actions: actions.parse()?, depth: depth.parse()?, ..Case::default() };
            print!("{}", section::table(&[measured(&case)?]));
        }
        _ => {
            let all = Case::all().iter().map(measured).collect::<Result<Vec<Measured>, Problem>>()?;
            if std::env::var_os("COLOBUS_BENCH").is_some_and(|extent| extent == "quick") {
                print!("{}", section::table(&all));
                return Ok(());
            }
            section::write_into(&Path::new(DOCS).join("performance.md"), &all)?;
            fs::write(Path::new(DOCS).join("scale.svg"), picture::draw(&all))?;
        }
    }
    Ok(())
}

/// In a process of its own: the memory that a process once had it keeps.
fn measured(case: &Case) -> Result<Measured, Problem> {
    eprintln!("scale: {case}");
    let output = Command::new(std::env::current_exe()?).args([CHILD, &serde_json::to_string(case)?]).output()?;
    if !output.status.success() {
        return Err(format!("{case}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let measured: Measured = serde_json::from_slice(&output.stdout)?;
    eprintln!("scale:   {} interactions in {:.1} s", measured.interactions, measured.search_s);
    Ok(measured)
}
