//! [`Recorded`]: a run together with its traffic. Produced by stages and pages that are asked for it, consumed by the run loop, which
//! writes the traffic beside the finding.

/// A run whose traffic was recorded.
#[derive(Clone, Debug)]
pub struct Recorded<T> {
    pub run: T,
    /// The text of a HAR file, without secrets.
    pub har: String,
}
