//! From the address of a page to a configuration for it: looks at the page, tries what could be done there, and writes down
//! what does something. [`address`] says where fresh documents could be, [`propose`] what users could do, [`trial`] finds
//! out, [`describe`] writes it as a `colobus.toml` to edit.

mod address;
mod describe;
mod ignored;
mod propose;
mod trial;

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use colobus_driver::Patience;
use colobus_model::{Aspect, ClientId, Step};
use colobus_run::StopSignal;
use colobus_world::{Survey, WorldFactory};

use crate::config::Configuration;
use crate::session::{BrowserChoice, Session};
use describe::Description;
pub use ignored::with_ignored;
use trial::{ActionEffects, Document, effects, look, menus, neutral};

/// The text of a configuration for the page at `url`; `patience` learns how late its server reacts, `tell` hears what is
/// going on.
pub fn discover(
    url: &str,
    browsers: &BrowserChoice,
    stop: &StopSignal,
    patience: &Arc<Patience>,
    tell: &mut dyn FnMut(&str),
) -> anyhow::Result<String> {
    let open = &Open { browsers, stop, patience };
    let survey = first_look(url, open)?;
    let editable = propose::main_editable(&survey);
    match editable {
        Some(editable) => tell(&format!("text is written in {} ({})", editable.selector, editable.kind)),
        None if survey.buttons.is_empty() && survey.canvases.is_empty() && survey.draggables.is_empty() => {
            bail!(
                "nothing on {url} can be written in or clicked\n  write a configuration by hand: `colobus init --url {url}`"
            )
        }
        None => tell("nothing on the page can be written in: its buttons are what users have"),
    }
    let mut description = Description::of(url, &survey);
    let document = find_document(url, &survey, open, tell)?;
    description.url = document.url;
    description.reload = document.empties_on_reload;
    if let [step, ..] = &document.submit[..] {
        tell(&format!("what is written is submitted: {step}"));
    }
    description.ignore = document.restless.clone();
    let tried = try_out(&description, &survey, &document.submit, open, tell)?;
    description.ignore.extend(tried.personal.iter().filter(|selector| !document.restless.contains(selector)).cloned());
    description.judge = if tried.moves_everything() { Aspect::Dom } else { Aspect::Pixels };
    if description.judge == Aspect::Dom {
        tell("most actions move most of the page: judging on the DOM instead of pixels");
    }
    let session = open.session(&description.without_actions())?;
    description.neutral = neutral(session.browsers.open()?.as_mut(), &tried)?;
    (description.actions, description.without_effect) = (tried.useful(), tried.useless());
    if description.actions.is_empty() {
        bail!(
            "none of the things that were tried on {url} changes anything\n  write a configuration by hand: `colobus init --url {url}`"
        );
    }
    Ok(description.to_toml())
}

/// Performs everything that could be done, once.
fn try_out(
    description: &Description,
    survey: &Survey,
    submit: &[Step],
    open: &Open<'_>,
    tell: &mut dyn FnMut(&str),
) -> anyhow::Result<ActionEffects> {
    let session = open.session(&description.without_actions())?;
    let mut world = session.browsers.open()?;
    let menus = menus(world.as_mut(), survey)?;
    let proposed = propose::actions(survey, &menus, submit);
    tell(&format!("trying {} things that users could do", proposed.len()));
    Ok(effects(world.as_mut(), proposed)?)
}

/// What the page offers, and where it goes by itself.
fn first_look(url: &str, open: &Open<'_>) -> anyhow::Result<Survey> {
    let session = open.session(&Description::of(url, &Survey::default()).without_actions())?;
    let mut world = session.browsers.open()?;
    world.begin(1)?;
    Ok(world.survey(ClientId(0))?)
}

/// The first address at which documents are shared by those who name them, and empty for those who name a new one.
fn find_document(url: &str, survey: &Survey, open: &Open<'_>, tell: &mut dyn FnMut(&str)) -> anyhow::Result<Document> {
    let mut candidates = address::candidates(url, &survey.address);
    // Last of all: perhaps the application keeps nothing, and a reload is enough.
    if !url.contains("{doc}") {
        candidates.push(url.to_string());
    }
    for candidate in candidates {
        let session = open.session(&Description::of(&candidate, survey).without_actions())?;
        let mut world = session.browsers.open()?;
        if let Some(document) = look(world.as_mut(), &candidate, survey)? {
            tell(&format!("a fresh document is at {}", document.url));
            return Ok(document);
        }
    }
    bail!(
        "no address was found at which two users share a document that is empty at first\n  \
         put `{{doc}}` where your URL names the document: colobus check 'http://…?doc={{doc}}'"
    )
}

/// How browsers are opened, until the user wants the end.
struct Open<'a> {
    browsers: &'a BrowserChoice,
    stop: &'a StopSignal,
    patience: &'a Arc<Patience>,
}

impl Open<'_> {
    fn session(&self, configuration: &str) -> anyhow::Result<Session> {
        let configuration = Configuration::parse(configuration, "the discovered configuration", Path::new("."))?;
        Session::continued(&configuration.application, self.browsers, self.stop, self.patience)
    }
}
