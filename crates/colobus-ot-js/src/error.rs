//! Why a check could not be run at all. What a type does wrong while it is checked is a finding instead.

use crate::failure::Failure;
use crate::modules::ResolveError;
use crate::subject::SupplyError;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    #[error("{path} cannot be loaded: it {failure}")]
    Load { path: String, failure: Failure },
    #[error(
        "{path} has no operation type: an object with apply and transform (exported: {exported}); name it with --type"
    )]
    NoType { path: String, exported: String },
    #[error("{path} exports several operation types ({names}); choose one with --type")]
    SeveralTypes { path: String, names: String },
    #[error("the operation type in {path} lacks the function {missing}")]
    LacksFunction { path: String, missing: String },
    #[error("`{wanted}` in {path} is not an operation type (missing or not exported: {missing})")]
    NotAType { path: String, wanted: String, missing: String },
    #[error(
        "no built-in description of operations fits the type {name}; give --operations FILE.json or --generator FILE.js, \
         or choose one of: {known}"
    )]
    NoDescription { name: String, known: String },
    #[error("there is no built-in description `{name}`; there are: {known}")]
    UnknownDescription { name: String, known: String },
    #[error("the description in {path} cannot be used: {problem}")]
    BadDescription { path: String, problem: String },
    #[error("there is no kind of operation `{name}` to exclude; this description has: {known}")]
    UnknownKind { name: String, known: String },
    #[error("there is no law `{name}`; the laws are: {known}")]
    UnknownLaw { name: String, known: String },
    #[error("the type cannot be held to the law `{0}`: it lacks the function that the law is about")]
    AbsentLaw(String),
    #[error("{path} holds no case: {problem}")]
    BadCase { path: String, problem: String },
    #[error("the case in {path} cannot be run: {reason}")]
    Inapplicable { path: String, reason: String },
    #[error("{path} cannot be read: {message}")]
    Unreadable { path: String, message: String },
    #[error(transparent)]
    Supply(#[from] SupplyError),
    #[error("a thread of the check ended unexpectedly; please report this with the command that led to it")]
    Thread,
}
