//! [`Extent`]: how much is measured.

use anyhow::bail;

pub struct Extent {
    /// How the table calls it.
    pub name: &'static str,
    /// Longest sequence of actions in the comparison of two phases with none.
    pub depth: usize,
    /// The comparison runs one of so many parts of the search without phase 1, and multiplies.
    pub naive_parts: usize,
    /// Numbers of workers are compared on one of so many parts of a search.
    pub worker_parts: usize,
    /// How often every single interaction is timed.
    pub rounds: usize,
    /// How many of them are timed with fixed waits, too: each takes a quarter of a minute.
    pub fixed_waits: usize,
    /// Further orders of each interaction when strategies are compared.
    pub orders: usize,
    /// Whether it is enough for docs/performance.md.
    pub is_documented: bool,
}

impl Extent {
    pub fn from_environment() -> anyhow::Result<Extent> {
        let usual = Extent {
            name: "Whole run",
            depth: 3,
            naive_parts: 20,
            worker_parts: 4,
            rounds: 10,
            fixed_waits: 3,
            orders: 12,
            is_documented: true,
        };
        match std::env::var("COLOBUS_BENCH").as_deref() {
            Err(_) | Ok("") => Ok(usual),
            Ok("quick") => Ok(Extent {
                name: "Quick run",
                depth: 2,
                naive_parts: 5,
                worker_parts: 10,
                rounds: 5,
                fixed_waits: 1,
                orders: 6,
                is_documented: false,
            }),
            Ok("full") => Ok(Extent { naive_parts: 1, ..usual }),
            Ok(other) => bail!("COLOBUS_BENCH is `{other}`: leave it out, or choose quick or full"),
        }
    }
}
