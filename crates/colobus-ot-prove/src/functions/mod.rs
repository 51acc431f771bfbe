//! The functions of `colobus_ot::functions` on terms, one file each. A new one is a file and a line in [`prove`].

mod ellis;
mod imine;
mod ressel;
mod suleiman;
mod sun;
mod ttf;

pub use ellis::Ellis;
pub use imine::{Generated, Imine};
pub use ressel::Ressel;
pub use suleiman::{Met, Suleiman};
pub use sun::Sun;
pub use ttf::Ttf;

use colobus_ot::properties::tp::Law;
use colobus_solver::{Solver, SolverError};

use crate::law::Parameters;
use crate::proof::{self, Proof};

/// Prove a law of the function with a name, or find a counterexample; `None` if there is no function of that name here.
pub fn prove(
    name: &str,
    law: Law,
    parameters: Parameters,
    solver: &mut dyn Solver,
) -> Option<Result<Proof, SolverError>> {
    Some(match name {
        "ellis" => proof::law(&Ellis, law, parameters, solver),
        "imine" => proof::law(&Imine, law, parameters, solver),
        "ressel" => proof::law(&Ressel, law, parameters, solver),
        "suleiman" => proof::law(&Suleiman, law, parameters, solver),
        "sun" => proof::law(&Sun, law, parameters, solver),
        "ttf" => proof::law(&Ttf, law, parameters, solver),
        _ => return None,
    })
}

/// Prove that no transformation of the function with a name leads out of the text.
pub fn prove_inside(name: &str, solver: &mut dyn Solver) -> Option<Result<Proof, SolverError>> {
    Some(match name {
        "ellis" => proof::stays_inside(&Ellis, solver),
        "imine" => proof::stays_inside(&Imine, solver),
        "ressel" => proof::stays_inside(&Ressel, solver),
        "suleiman" => proof::stays_inside(&Suleiman, solver),
        "sun" => proof::stays_inside(&Sun, solver),
        "ttf" => proof::stays_inside(&Ttf, solver),
        _ => return None,
    })
}
