//! How it is said that an application which we started exits. Worlds say it, as an error of every page or as the reason why nothing can be
//! said of an execution; a search recognises it: what makes an application exit is a finding.

const SAID: &str = "the application exits (";

/// With its exit status.
pub fn exits(status: &str) -> String {
    format!("{SAID}{status})")
}

/// Whether a reason says that the application exits.
pub fn is_exit(reason: &str) -> bool {
    reason.starts_with(SAID)
}
