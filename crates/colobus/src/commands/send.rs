//! `colobus send`: puts a session, the user's words and a picture of the last page into one file. `colobus open`: takes them
//! out again. Nothing leaves the machine: the user sends the file.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use colobus_driver::{BrowserStage, StageOptions};
use colobus_record::{Reach, Recording, is_variable, without_secrets};
use colobus_send::{Area, Areas, BugReport, Versions};
use colobus_world::Stage;

use super::replay_recording::{SESSION_FILE, expected, secrets};
use crate::args::{OpenArgs, Region, SendArgs};
use crate::encryption::{decrypt, encrypt, is_encrypted};
use crate::output::{print, tell};
use crate::place;

const PICTURE_FILE: &str = "page.png";
const NOTE_FILE: &str = "note.txt";

pub fn send(args: &SendArgs) -> anyhow::Result<ExitCode> {
    let recording = expected(&args.recording)?;
    let (picture, browser) = if args.no_picture { (None, None) } else { last_page(&recording, args)? };
    let secrets = known_secrets();
    let report = BugReport {
        note: without_secrets(&args.note, &secrets),
        recording: without_secrets(&recording.to_string(), &secrets),
        picture,
        versions: Versions { colobus: env!("CARGO_PKG_VERSION").to_string(), browser, system: format!("{OS} {ARCH}") },
    };
    let text = report.to_json()?.into_bytes();
    let bytes = match &args.to {
        Some(key) => encrypt(&text, key)?,
        None => text,
    };
    let output = args.output();
    fs::write(&output, bytes).with_context(|| format!("cannot write {}", output.display()))?;
    let readers = if args.to.is_some() { "only the owner of the key can read it" } else { "anybody can read it" };
    print(&format!("wrote {}; {readers}, and sending it is up to you\n", output.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Every secret that the environment has: none of them may be in the file, wherever a page has repeated it.
fn known_secrets() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| is_variable(name))
        .collect()
}

/// What the session ends with, without what the user hides; and which browser showed it.
fn last_page(recording: &Recording, args: &SendArgs) -> anyhow::Result<(Option<Vec<u8>>, Option<String>)> {
    let named = place::named(&args.place.at, &args.config)?;
    let recording = &place::performed(recording, &args.recording, &named)
        .context("the picture needs a replay: --no-picture sends none")?;
    let options = StageOptions {
        browsers: args.browser.here(),
        secrets: secrets(recording).context("the picture needs a replay: --no-picture sends none")?,
        files: args.recording.parent().map(Path::to_path_buf).unwrap_or_default(),
        reach: Reach::Only(named),
        areas: selectors(&args.hide).chain(selectors(&args.keep)).collect(),
        ..StageOptions::default()
    };
    let mut stage = BrowserStage::open(options, recording)?;
    let session = stage.perform(recording)?;
    if let Some(why) = &session.stopped {
        tell(&format!("warning: the session could only be replayed to line {}: {why}", session.snapshots.len() + 1));
    }
    let area = |[x, y, width, height]: &[f64; 4]| Area { x: *x, y: *y, width: *width, height: *height };
    let found = |regions: &[Region]| -> anyhow::Result<Vec<Area>> {
        let mut areas = Vec::new();
        for region in regions {
            match region {
                Region::Area(area) => areas.push(*area),
                Region::Selector(selector) => {
                    let boxes = session.areas.get(selector).filter(|boxes| !boxes.is_empty());
                    let boxes = boxes.with_context(|| format!("nothing on the last page matches `{selector}`"))?;
                    areas.extend(boxes.iter().map(area));
                }
            }
        }
        Ok(areas)
    };
    let mut hide = found(&args.hide)?;
    hide.extend(session.secret_areas.iter().map(area));
    let areas = Areas { keep: found(&args.keep)?, hide };
    let picture = session.screenshot.as_ref().map(|png| areas.apply(&png.0)).transpose()?;
    Ok((picture, Some(stage.browser().version)))
}

fn selectors(regions: &[Region]) -> impl Iterator<Item = String> + '_ {
    regions.iter().filter_map(|region| match region {
        Region::Selector(selector) => Some(selector.clone()),
        Region::Area(_) => None,
    })
}

pub fn open(args: &OpenArgs) -> anyhow::Result<ExitCode> {
    let shown = args.file.display();
    let mut bytes = fs::read(&args.file).with_context(|| format!("cannot read {shown}"))?;
    if is_encrypted(&bytes) {
        let Some(key) = &args.key else {
            bail!("{shown} is encrypted: name the file with your secret key, --key FILE")
        };
        bytes = decrypt(&bytes, key).with_context(|| format!("cannot open {shown}"))?;
    }
    let report = BugReport::from_json(&bytes).with_context(|| format!("cannot open {shown}"))?;
    let folder = args.output.clone().unwrap_or_else(|| args.file.with_extension(""));
    let written = |path: &Path| format!("cannot write {}", path.display());
    fs::create_dir_all(&folder).with_context(|| written(&folder))?;
    let files = [
        (SESSION_FILE, Some(report.recording.as_bytes())),
        (NOTE_FILE, Some(report.note.as_bytes())),
        (PICTURE_FILE, report.picture.as_deref()),
    ];
    for (name, content) in files {
        let path = folder.join(name);
        if let Some(content) = content {
            fs::write(&path, content).with_context(|| written(&path))?;
        }
    }
    let Versions { colobus, browser, system } = &report.versions;
    let browser = browser.as_deref().unwrap_or("no browser");
    let note = &report.note;
    print(&format!(
        "{note}\n\ncolobus {colobus}, {browser}, {system}\ncolobus replay {} --at URL\n",
        folder.join(SESSION_FILE).display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
