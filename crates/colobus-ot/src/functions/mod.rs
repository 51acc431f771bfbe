//! The transformation functions of the literature, one file each. A new one is a file and a line in [`FUNCTIONS`].

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
