//! Arguments of `colobus send` and `colobus open`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use colobus_send::Area;

use super::BrowserArgs;
use super::record::PlaceArgs;

#[derive(Debug, Args)]
pub struct SendArgs {
    /// The recording
    #[arg(value_name = "RECORDING")]
    pub recording: PathBuf,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// The configuration that names the application if `--at` does not: a file, or a folder with a colobus.toml
    #[arg(short, long, value_name = "PATH", default_value = "colobus.toml")]
    pub config: PathBuf,
    /// What you want to say
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub note: String,
    /// Encrypt for the owner of this public key of age
    #[arg(long, value_name = "KEY")]
    pub to: Option<String>,
    /// Black out a part of the last page: a selector, or x,y,width,height; may be given several times
    #[arg(long, value_name = "PART")]
    pub hide: Vec<Region>,
    /// Black out everything but this part of the last page; may be given several times
    #[arg(long, value_name = "PART")]
    pub keep: Vec<Region>,
    /// Send no picture: then nothing has to be replayed
    #[arg(long, conflicts_with_all = ["hide", "keep"])]
    pub no_picture: bool,
    /// The file to write; beside the recording if it is left out
    #[arg(short, long = "output", value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub browser: BrowserArgs,
}

impl SendArgs {
    /// The file to write.
    pub fn output(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| self.recording.with_extension("bugreport"))
    }
}

#[derive(Debug, Args)]
pub struct OpenArgs {
    /// The file that a user has sent
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The file with your secret key, as age-keygen writes it
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// The folder to put it into; beside the file if it is left out
    #[arg(short, long = "output", value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    Area(Area),
    Selector(String),
}

impl FromStr for Region {
    type Err = String;

    fn from_str(text: &str) -> Result<Region, String> {
        let sides: Option<Vec<f64>> = text.split(',').map(|side| side.trim().parse().ok()).collect();
        match sides.as_deref() {
            Some([x, y, width, height]) => Ok(Region::Area(Area { x: *x, y: *y, width: *width, height: *height })),
            Some(_) => Err("a rectangle is x,y,width,height".to_string()),
            None => Ok(Region::Selector(text.to_string())),
        }
    }
}
