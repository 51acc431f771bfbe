//! Writes sample reports, to look at while the viewer is worked on: `cargo run --example sample_report -- FOLDER`.

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/all/sample/mod.rs"]
mod sample;

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder to write to")?);
    for (name, report) in
        [("found", sample::report()), ("quiet", sample::quiet_report()), ("hostile", sample::hostile_report())]
    {
        let place = folder.join(name);
        sample::write_evidence(&report, &place);
        colobus_report::write_files(&report, &place)?;
        println!("{}", place.join("report.html").display());
    }
    Ok(())
}
