//! Servers' interfaces: learned from traffic, written down, compared, and answered in the place of the server.

mod arbitrary;
mod diff;
mod figures;
mod fuzzed;
mod har;
mod language;
mod mock;
mod openapi;
mod properties;
mod relaxng;
mod robust;
mod samples;
mod schemathesis;
mod secrets;
mod truth;
