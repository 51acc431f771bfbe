//! The program as a user runs it, from refused configurations to whole searches. One test program, so that it is linked once
//! and a test that waits for a browser leaves the processor to another one.

mod agreement;
mod bad_input;
mod bug_report;
mod closed_pipe;
mod command_line;
mod configuration;
mod connect;
mod contributing;
mod demo;
mod ending;
mod exchanged;
mod exercised;
mod exits;
mod expectation;
mod explore;
mod exported;
mod faults;
mod grid;
mod headed;
mod layering;
mod learn;
mod log;
mod login;
mod ot_prove;
mod performed;
mod promises;
mod race;
mod reach;
mod recorded;
mod sandbox;
mod shop;
mod strangers;
mod stumble;
mod subjects;
mod traffic;
