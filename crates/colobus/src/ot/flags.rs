//! Flags that several commands share, resolved to a [`Setting`] and to search [`Options`].

use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::{bail, ensure};
use colobus_ot::{Network, Options, Setting, Start, available_threads};

/// The world to check in.
#[derive(clap::Args, Clone, Debug)]
pub struct SettingFlags {
    /// Number of sites (default: 3, or as many as --ops lists)
    #[arg(long, value_name = "N")]
    sites: Option<usize>,

    /// Operations: a total (4), dealt to the sites in turn, or one number per site (2,1,1)
    #[arg(long, value_name = "N|N,N,..", default_value = "4")]
    ops: OpsFlag,

    /// Positions users choose from, both ends included (0..7); N alone means 0..N-1. Default: twice as many as operations
    #[arg(long, value_name = "LOW..HIGH")]
    positions: Option<PositionsFlag>,

    /// Number of different characters users insert
    #[arg(long, value_name = "N", default_value_t = 2)]
    alphabet: usize,

    /// Text to start from. Default: as long as needed, all characters different
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,

    /// Let one server order all operations instead of sites talking to each other
    #[arg(long)]
    server: bool,
}

impl SettingFlags {
    pub fn resolve(&self) -> anyhow::Result<Setting> {
        let mut setting = match (&self.ops, self.sites) {
            (OpsFlag::Total(total), sites) => Setting::spread(sites.unwrap_or(3), *total)?,
            (OpsFlag::PerSite(list), sites) => {
                let listed = list.len();
                ensure!(
                    sites.is_none_or(|sites| sites == listed),
                    "--ops lists {listed} sites but --sites says {}; leave --sites out",
                    sites.unwrap_or_default()
                );
                Setting::new(list.clone())?
            }
        };
        if let Some(PositionsFlag(positions)) = &self.positions {
            setting = setting.positions(positions.clone())?;
        }
        setting = setting.alphabet(self.alphabet)?;
        if let Some(text) = &self.text {
            setting = setting.start(Start::Text(text.clone()))?;
        }
        Ok(if self.server { setting.network(Network::Server) } else { setting })
    }
}

/// `4` or `2,1,1`.
#[derive(Clone, Debug)]
enum OpsFlag {
    Total(usize),
    PerSite(Vec<usize>),
}

impl FromStr for OpsFlag {
    type Err = anyhow::Error;

    fn from_str(written: &str) -> anyhow::Result<Self> {
        let numbers: Result<Vec<usize>, _> = written.split(',').map(|number| number.trim().parse()).collect();
        Ok(match numbers.as_deref() {
            Ok([total]) => OpsFlag::Total(*total),
            Ok(list) => OpsFlag::PerSite(list.to_vec()),
            Err(_) => bail!("write a total such as 4, or one number per site such as 2,1,1"),
        })
    }
}

/// `5`, `0..4`, `0..=4` or `0-4`.
#[derive(Clone, Debug)]
pub struct PositionsFlag(pub RangeInclusive<u8>);

impl FromStr for PositionsFlag {
    type Err = anyhow::Error;

    fn from_str(written: &str) -> anyhow::Result<Self> {
        let range = ["..=", "..", "-"].iter().find_map(|separator| written.split_once(separator));
        let parsed = match range {
            Some((low, high)) => low.trim().parse().ok().zip(high.trim().parse().ok()),
            None => written.trim().parse::<u8>().ok().filter(|count| *count > 0).map(|count| (0, count - 1)),
        };
        match parsed {
            Some((low, high)) => Ok(PositionsFlag(low..=high)),
            None => bail!("write LOW..HIGH such as 0..7, or how many positions from 0 on; at most 255"),
        }
    }
}

/// How to search.
#[derive(clap::Args, Clone, Debug)]
pub struct SearchFlags {
    /// Threads; the result does not depend on it (default: all cores)
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Stop after about N evaluations (fast model) or states (the others) with what is known by then
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,

    /// Memory for states that the symbolic and concrete models may use; beyond it the verdict is unknown
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,

    /// Let one causal order stand for all its renamings of sites; refused where that is unsound
    #[arg(long)]
    pub symmetry: bool,

    /// Show progress, speed and time left
    #[arg(long)]
    pub progress: bool,

    /// Start even if it will take very long
    #[arg(long)]
    pub yes: bool,
}

impl SearchFlags {
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(available_threads).max(1)
    }

    pub fn resolve(&self) -> Options {
        let memory = self.memory.saturating_mul(1 << 20);
        Options { threads: self.threads(), limit: self.limit, memory, symmetry: self.symmetry, watch: None }
    }
}
