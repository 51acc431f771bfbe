//! From the address of a page to a configuration for it: looks at the page, tries what could be done there, and writes down
//! what does something. [`address`] says where fresh documents could be, [`document`] whether they are, with what [`sharing`] has one
//! user do; [`propose`] says what users could do, [`trial`] finds out, [`describe`] writes it as a `colobus.toml` to edit.

mod address;
mod describe;
mod document;
#[cfg(test)]
mod fake;
mod ignored;
mod propose;
mod sharing;
mod trial;

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use colobus_driver::{BrowserChoice, Patience};
use colobus_model::{Aspect, Step};
use colobus_run::StopSignal;
use colobus_world::{Survey, WorldError, WorldFactory};

use crate::config::Configuration;
use crate::session::Session;
use describe::Description;
use document::{Document, Look, look, unless_unknown};
pub use ignored::with_ignored;
use sharing::A;
use trial::{ActionEffects, effects, menus, neutral, with_an_entry};

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
    let arrived = first_look(url, open)??;
    if let Some(editable) = propose::main_editable(&arrived) {
        tell(&format!("text is written in {} ({})", editable.selector, editable.kind));
    }
    let (document, survey) = find_document(url, &arrived, open, tell)?;
    match propose::main_editable(&survey) {
        Some(editable) if propose::main_editable(&arrived).is_none() => {
            tell(&format!("text is written in {} ({})", editable.selector, editable.kind))
        }
        Some(_) => {}
        None => tell("nothing on the page can be written in: its buttons are what users have"),
    }
    if let [step, ..] = &document.shared.submit[..] {
        tell(&format!("what is written is submitted: {step}"));
    }
    let mut description = Description {
        has_forms: !document.shared.submit.is_empty(),
        url: document.url.clone(),
        reload: document.empties_on_reload,
        title: document.title.clone(),
        ..Description::of(url, &survey)
    };
    description.ignore = without_what_users_edit(document.restless.clone(), &description, &document, open, tell)?;
    let tried = try_out(&description, &survey, &document.shared.submit, open, tell)?;
    let is_new = |selector: &&String| !document.restless.contains(selector);
    let personal: Vec<String> = tried.personal.iter().filter(is_new).cloned().collect();
    let personal = without_what_users_edit(personal, &description, &document, open, tell)?;
    description.ignore.extend(personal);
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
    let proposed = match submit {
        [] => propose::actions(survey, &menus(world.as_mut(), survey)?),
        submit => propose::actions_of_forms(survey, submit, &with_an_entry(world.as_mut(), submit)?),
    };
    tell(&format!("trying {} things that users could do", proposed.len()));
    Ok(effects(world.as_mut(), proposed, submit)?)
}

/// What the page offers, and where it goes by itself.
fn first_look(url: &str, open: &Open<'_>) -> anyhow::Result<Result<Survey, WorldError>> {
    let session = open.session(&Description::of(url, &Survey::default()).without_actions())?;
    let mut world = session.browsers.open()?;
    Ok(world.begin(1).and_then(|_| world.survey(A)))
}

/// The first address at which documents are shared by those who name them, and empty for those who name a new one; and what
/// its page offers.
fn find_document(
    url: &str,
    arrived: &Survey,
    open: &Open<'_>,
    tell: &mut dyn FnMut(&str),
) -> anyhow::Result<(Document, Survey)> {
    let mut candidates = address::candidates(url, &arrived.address);
    // Last of all: perhaps the application keeps nothing, and a reload is enough.
    if !url.contains("{doc}") {
        candidates.push(url.to_string());
    }
    let mut tried = String::new();
    for candidate in candidates {
        let looked = match look_at(&candidate, arrived, open)? {
            // A page that hangs once may be slow once.
            (Look::Unknown(_), _) => look_at(&candidate, arrived, open)?,
            looked => looked,
        };
        match looked {
            (Look::Found(document), survey) => {
                tell(&format!("a fresh document is at {}", document.url));
                return Ok((*document, survey));
            }
            (Look::Refused(why) | Look::Unknown(why), _) => {
                tell(&format!("no documents at {candidate}: {why}"));
                tried.push_str(&format!("\n  tried {candidate}: {why}"));
            }
        }
    }
    let advice = match url.contains("{doc}") {
        true => format!("write a configuration by hand: `colobus init --url '{url}'`"),
        false => format!(
            "put `{{doc}}` where your URL names the document: colobus check 'http://…?doc={{doc}}'\n  \
             if there is one document only: `colobus init --url '{url}'`, and say in `reset` how it is emptied"
        ),
    };
    bail!("no address was found at which two users share a document that is empty at first{tried}\n  {advice}")
}

/// Whether there are documents at this address, and what its page offers: a page in which nothing can be written may lead to
/// others in which there is.
fn look_at(candidate: &str, arrived: &Survey, open: &Open<'_>) -> anyhow::Result<(Look, Survey)> {
    let survey = match propose::main_editable(arrived) {
        Some(_) => arrived.clone(),
        None => match first_look(candidate, open)? {
            Ok(survey) => survey,
            Err(error) => return Ok((unless_unknown(error)?, Survey::default())),
        },
    };
    let session = open.session(&Description::of(candidate, &survey).without_actions())?;
    let looked = look(&|| session.browsers.open(), candidate, &survey)?;
    Ok((looked, survey))
}

/// Those of the selectors that hide nothing of what users edit: what they share is as often there as without them.
fn without_what_users_edit(
    selectors: Vec<String>,
    description: &Description,
    document: &Document,
    open: &Open<'_>,
    tell: &mut dyn FnMut(&str),
) -> anyhow::Result<Vec<String>> {
    let mut hides = |ignore: &[String]| -> anyhow::Result<bool> {
        let session =
            open.session(&Description { ignore: ignore.to_vec(), ..description.clone() }.without_actions())?;
        let mut world = session.browsers.open()?;
        for _ in 0..2 {
            match world.begin(2).and_then(|_| document.shared.perform(world.as_mut())) {
                Ok(seen) => return Ok(seen.is_none_or(|seen| document.shows_more_than(seen.counts))),
                // A page that hangs once may be slow once.
                Err(WorldError::Interrupted(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        // What is not known to hide nothing is not ignored.
        Ok(true)
    };
    let (kept, edited) = ignored::apart_from_edited(selectors, &mut hides)?;
    for selector in edited {
        tell(&format!("{selector} differs between users, and is not ignored: what they edit stands there"));
    }
    Ok(kept)
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
