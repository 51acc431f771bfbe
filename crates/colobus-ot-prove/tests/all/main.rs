//! Proofs, and their agreement with the model checker. They need `z3`; `make setup` installs it.

mod agreement;
mod proofs;
