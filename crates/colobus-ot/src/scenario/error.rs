//! [`ScenarioError`]: why a scenario cannot have happened.

use super::Action;
use crate::setting::{MAX_ALPHABET, MAX_OPERATIONS};

/// Why a scenario cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// More operations or sites than can be told apart.
    #[error("{0} operations do not fit: a scenario has 1 to {MAX_OPERATIONS}")]
    Operations(usize),
    /// A site that cannot be.
    #[error("operation `{name}`: site {site} is not possible; sites are 1 to {MAX_OPERATIONS}")]
    Site {
        /// The operation.
        name: String,
        /// Its site.
        site: u8,
    },
    /// The same name twice.
    #[error("two operations are called `{0}`; names must differ")]
    SameName(String),
    /// A name that no site has.
    #[error("`{wanted}`, mentioned by {by}, is not among the operations ({known})")]
    UnknownName {
        /// The unknown name.
        wanted: String,
        /// Who mentions it.
        by: String,
        /// What there is.
        known: String,
    },
    /// Too many different characters.
    #[error("{0} different characters are inserted; at most {MAX_ALPHABET} are possible")]
    Alphabet(usize),
    /// A text that does not fit.
    #[error("the text could grow to {0} characters; at most {most} are possible", most = crate::setting::MAX_TEXT)]
    TextTooLong(usize),
    /// An operation that depends on itself.
    #[error("`{0}` would have happened before itself; look at the `after` lists")]
    Circular(String),
    /// Two operations of one user in no order.
    #[error("`{0}` and `{1}` are both of site {2} but neither is in the `after` list of the other")]
    UnorderedSite(String, String, u8),
    /// A trace that is not a permutation of the operations.
    #[error("the trace of {site} must have every operation once; `{name}` is there {times} times")]
    Incomplete {
        /// Whose trace.
        site: String,
        /// Which operation.
        name: String,
        /// How often.
        times: usize,
    },
    /// An effect before its cause.
    #[error("{site} executes `{effect}` before `{cause}`, which had happened before it was generated")]
    EffectBeforeCause {
        /// Whose trace.
        site: String,
        /// The operation executed too early.
        effect: String,
        /// Its cause.
        cause: String,
    },
    /// A user who had seen more than the operation's `after` list says.
    #[error(
        "{site} had executed `{seen}` when its user generated `{name}`, but `{seen}` is not in the `after` list of `{name}`"
    )]
    SeenTooMuch {
        /// Whose trace.
        site: String,
        /// The operation.
        name: String,
        /// What it does not know of.
        seen: String,
    },
    /// Two traces for one site.
    #[error("{0} has two traces; give one")]
    TwoTraces(String),
    /// A site that is not in the scenario.
    #[error("trace of site {0}: sites are 1 to {MAX_OPERATIONS}, and 0 (the server) only in a scenario with a server")]
    TraceSite(u8),
    /// Nothing to compare.
    #[error("a scenario needs the traces of at least two sites to compare")]
    TooFewTraces,
    /// A server scenario that misses a trace.
    #[error(
        "with a server, the traces of the server (site 0) and of every site with operations are needed; {0} is missing"
    )]
    MissingTrace(String),
    /// A client that receives operations in another order than the server sent them.
    #[error("the traces do not fit together: {0} cannot go on with `{1}`")]
    Stuck(String, String),
    /// An operation its user could not generate.
    #[error("`{name}`: {action} does not fit the text its user saw, which has {length} characters")]
    DoesNotFit {
        /// The operation.
        name: String,
        /// What the user is said to have done.
        action: Action,
        /// The length of the text.
        length: usize,
    },
}
