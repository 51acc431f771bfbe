//! `colobus race`: executes one page with its events in other orders, and reports what goes wrong then.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use colobus_driver::subject::Subject;
use colobus_driver::{BrowserChoice, RaceBrowser, RaceOptions};
use colobus_model::{Application, RunEvent, Viewport};
use colobus_race::recorded::UserStep;
use colobus_race_run::{RaceConfig, RaceEvidence, race, replay};
use colobus_record::{Event, Origin, Reach, Recording, steps::steps};
use colobus_world::RacePage;

use super::check::EventOutput;
use super::replay_recording::expected;
use super::traffic;
use crate::args::RaceArgs;
use crate::config::Configuration;
use crate::output::{print, tell};
use crate::session::{raised_by, started};
use crate::{FOUND_SOMETHING, stop, verdict};

const VIEWPORT: Viewport = Viewport { width: 1280, height: 720 };

/// What is searched: an address, the size of its window, and what the user does.
struct Searched {
    url: String,
    viewport: Viewport,
    steps: Option<Vec<UserStep>>,
}

pub fn run(args: &RaceArgs) -> anyhow::Result<ExitCode> {
    let stop = stop::on_interrupt_within(args.results.timeout)?;
    let configuration = args.config.as_deref().map(Configuration::load).transpose()?;
    let (application, choices) =
        configuration.map(|configuration| (configuration.application, configuration.race)).unzip();
    let choices = choices.unwrap_or_default();
    let application = application.map(|application| Subject::place(&application)).transpose()?;
    let searched = searched(args, application.as_ref())?;
    let browsers = args.remote.choose(&args.browser, &stop)?;
    let interrupt = raised_by(&stop);
    let subject = started(application.as_ref(), &stop, &interrupt)?;
    let options = RaceOptions {
        url: searched.url.clone(),
        viewport: searched.viewport,
        seed: args.seed,
        steps: searched.steps,
        live: args.live,
        invariants: application.as_ref().map(|application| application.invariants.clone()).unwrap_or_default(),
        libraries: [choices.libraries, args.libraries.clone()].concat(),
        browsers,
    };
    let config = RaceConfig {
        origin: Origin::of(&searched.url).map(|origin| origin.to_string()).unwrap_or_default(),
        url: searched.url,
        viewport: options.viewport,
        steps: options.steps.clone(),
        seed: args.seed,
        bound: Some(args.bound).filter(|bound| *bound > 0),
        schedules: args.schedules,
        live: args.live,
        invariants: options.invariants.clone(),
        filters_off: args.filters_off(&choices.filters_off),
        harmless: choices.harmless,
        libraries: options.libraries.clone(),
        options: args.results.options(args.repeat, &stop),
    };
    let open = || Ok(Box::new(RaceBrowser::open(options.clone(), &interrupt)?) as Box<dyn RacePage>);
    let mut output = EventOutput::new(&args.results.reporter);
    let searched = race(&config, &open, &mut |mut event| {
        if let RunEvent::Finished { report, output } = &mut event {
            traffic::of_races(report, output);
        }
        output.event_of_one_page(event, &args.remote);
    });
    let exited = || subject.as_ref().and_then(|subject| subject.ensure_running().err()).map(anyhow::Error::from);
    let why = || verdict::ended_early(&stop, "the page was recorded").or_else(exited);
    let report = searched.map_err(|error| why().unwrap_or_else(|| error.into()))?;
    output.folder()?;
    verdict::not_interrupted(&report, &stop, "race")?;
    verdict::exit_code(&report)
}

fn searched(args: &RaceArgs, application: Option<&Application>) -> anyhow::Result<Searched> {
    let recording = args.recording.as_deref().map(expected).transpose()?;
    let configured = application.map(|application| application.url.replace("{doc}", "race"));
    let Some(url) = args.url.clone().or(configured) else {
        // A recording may come from a stranger: it does not choose where it goes.
        let recorded = recording.as_ref().and_then(Recording::address).unwrap_or("URL");
        bail!(
            "no address to open: a recording is performed where you say\n  `colobus race {recorded} --recording FILE` goes where it was recorded"
        );
    };
    if !url.starts_with("http://") && !url.starts_with("https://") {
        bail!("{url} is not an address of a page: it begins with http:// or https://");
    }
    let viewport = match (&recording, application) {
        (Some(recording), _) => recording.viewport,
        (None, Some(application)) => application.viewport,
        (None, None) => VIEWPORT,
    };
    Ok(Searched { url, viewport, steps: recording.as_ref().map(user_steps) })
}

/// What the first user of a recording does, each at its time since the page was opened.
fn user_steps(recording: &Recording) -> Vec<UserStep> {
    let opened = recording.lines.iter().position(|line| matches!(line.event, Event::Open(_))).unwrap_or_default();
    let moment = |line: usize| recording.lines[..line].iter().skip(opened + 1).map(|line| line.after_ms).sum::<u64>();
    let mut all = Vec::new();
    for entry in steps(recording).into_iter().filter(|entry| entry.client == 0) {
        if let Some(loss) = entry.loss.filter(|loss| loss.matters) {
            tell(&format!("note: line {} of the recording is left out: {}", entry.line, loss.why));
        }
        all.extend(entry.step.map(|step| UserStep::new(step, moment(entry.line))));
    }
    all
}

/// The finding in this folder or file; nothing if it is something else.
pub fn read_finding(path: &Path) -> anyhow::Result<Option<RaceEvidence>> {
    let file = if path.is_dir() { path.join("race.json") } else { path.to_path_buf() };
    if file.file_name().is_none_or(|name| name != "race.json") || !file.is_file() {
        return Ok(None);
    }
    colobus_race_run::load(&file).map(Some).map_err(anyhow::Error::msg)
}

/// Runs both orders of a finding so many times, at an origin that the user named, and says how often they differ as they did.
pub fn replay_finding(
    finding: &RaceEvidence,
    named: &[Origin],
    times: usize,
    browsers: BrowserChoice,
) -> anyhow::Result<ExitCode> {
    let url = &finding.recorded.url;
    let reach = Reach::Only(named.to_vec());
    if !reach.includes(url) {
        let at = Origin::of(url).map_or("URL".to_string(), |origin| origin.to_string());
        bail!(
            "the finding opens {url}, which is not allowed yet\n  `--at {at}` lets it; so does the url of a colobus.toml"
        );
    }
    let stop = stop::on_interrupt()?;
    let options = RaceOptions {
        url: finding.recorded.url.clone(),
        viewport: finding.recorded.viewport,
        seed: finding.recorded.seed,
        steps: None,
        // As the finding says.
        live: finding.recorded.live,
        invariants: finding.recorded.invariants.clone(),
        // Which places conflict is not asked any more.
        libraries: Vec::new(),
        browsers,
    };
    let mut page = RaceBrowser::open(options, &raised_by(&stop))?.within(reach);
    let order = |names: &[colobus_race::model::EventName]| {
        names.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n    ")
    };
    print(&format!(
        "{}\n  works:\n    {}\n  fails:\n    {}\n",
        finding.recorded.url,
        order(&finding.working),
        order(&finding.failing)
    ))?;
    let (mut failed, mut ran, mut uncontrolled) = (0, 0, BTreeSet::new());
    while ran < times && !stop.is_set() {
        let replayed = match replay(&mut page, finding) {
            Err(_) if stop.is_set() => break,
            replayed => replayed?,
        };
        ran += 1;
        failed += usize::from(replayed.failed);
        let what = if replayed.summary.is_empty() { "both orders end the same way" } else { &replayed.summary };
        print(&format!("  {ran}: {what}\n"))?;
        for note in replayed.uncontrolled {
            if !uncontrolled.contains(&note) {
                print(&format!("     not controlled: {note}\n"))?;
                uncontrolled.insert(note);
            }
        }
    }
    if stop.is_set() {
        bail!("interrupted after {ran} of {times} executions");
    }
    print(&format!("failed {failed} of {ran} times\n"))?;
    if failed == 0 && !uncontrolled.is_empty() {
        bail!(
            "the harm did not come back, and not all that the page did was controlled: nothing can be said\n  \
             `colobus race {url}` records the page anew"
        );
    }
    Ok(if failed > 0 { ExitCode::from(FOUND_SOMETHING) } else { ExitCode::SUCCESS })
}
