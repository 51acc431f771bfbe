//! What each command does. A new command is a file here, its arguments in [`crate::args`] and a line below.

mod accept;
mod caught;
mod check;
mod demo;
mod doctor;
mod explore;
mod export;
mod finding;
mod init;
mod learn;
mod list;
mod merge;
mod mock;
mod race;
mod reach;
mod record;
mod replay;
mod replay_recording;
mod schema;
mod send;
mod serve_demo;
mod shown_at_end;
mod stumble;
mod traffic;

use std::process::ExitCode;

pub use demo::is_demo;
pub use init::template;
#[cfg(test)]
pub use replay::planned;
pub use replay_recording::read as read_recording;

use crate::args::Command;
use crate::ot;

pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Check(args) => check::run(&args),
        Command::Accept(args) => accept::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Import(args) => export::import(&args),
        Command::Record(args) => record::run(&args),
        Command::Send(args) => send::send(&args),
        Command::Open(args) => send::open(&args),
        Command::Stumble(args) => stumble::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Race(args) => race::run(&args),
        Command::Reach(args) => reach::run(&args),
        Command::Learn(args) => learn::run(&args),
        Command::Mock(args) => mock::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Schema => schema::run(),
        Command::List(args) => list::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::ServeDemo(args) => serve_demo::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Ot(args) => ot::run(args),
    }
}
