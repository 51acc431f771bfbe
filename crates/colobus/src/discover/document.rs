//! [`Document`]: an address at which users share a document that is empty at first, and that is no other's. [`look`] tries one.

use colobus_world::{ObserveOptions, Survey, World, WorldError};

use super::propose::restless;
use super::sharing::{A, B, Evidence, SharedAction};

/// An address that works.
pub struct Document {
    pub url: String,
    /// Loading the page again is enough to get an empty document.
    pub empties_on_reload: bool,
    /// What shows that it is shared.
    pub shared: SharedAction,
    /// How often A and B show it.
    pub counts: (usize, usize),
    /// Selectors of what differs between users or visits by itself.
    pub restless: Vec<String>,
    /// What the page calls itself, if it is the same in every document.
    pub title: String,
}

/// What a look at an address shows.
pub enum Look {
    Found(Box<Document>),
    /// Why it does not serve.
    Refused(String),
}

/// Whether documents at this address are shared, fresh if they have a new name, and apart from others that are open meanwhile.
pub fn look(
    open: &dyn Fn() -> Result<Box<dyn World>, WorldError>,
    url: &str,
    survey: &Survey,
) -> Result<Look, WorldError> {
    let refused = |why: &str| Ok(Look::Refused(why.to_string()));
    let candidates = SharedAction::candidates(survey);
    let writes = !survey.editables.is_empty();
    if candidates.is_empty() {
        return refused("nothing there can be written in or clicked");
    }
    let mut world = open()?;
    let mut shared = None;
    for candidate in candidates {
        if let Err(error) = world.begin(2) {
            return unless_refused(error);
        }
        match candidate.perform(world.as_mut()) {
            Ok(None) => {}
            Ok(Some(seen)) => {
                shared = Some((candidate, seen));
                break;
            }
            // It left the page, or stopped it.
            Err(WorldError::Interrupted(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let Some((action, seen)) = shared else {
        return refused(match writes {
            true => "what one user writes there does not reach another",
            false => "what one user does there does not reach another",
        });
    };
    let mut found = Vec::new();
    // What is submitted may leave something at its author: an empty field, an answer. Only where it is shared letter by letter,
    // the rest is about saving.
    if writes && action.submit.is_empty() {
        let beside = world.survey(B)?;
        found.extend(restless(&seen.saving.landmarks, &seen.saved.landmarks));
        found.extend(restless(&seen.saved.landmarks, &beside.landmarks));
    }
    world.begin(2)?;
    if shows(world.as_mut(), &seen.evidence)? {
        return refused("what was written before is there again: it is the same document");
    }
    let (again, beside) = (world.survey(A)?, world.survey(B)?);
    for (one, other) in [(&survey.landmarks, &again.landmarks), (&again.landmarks, &beside.landmarks)] {
        found.extend(restless(one, other));
    }
    if url.contains("{doc}") && meets_another(open, world.as_mut(), &action)? {
        return refused("two documents show each other's changes: it is the same document");
    }
    found.sort();
    found.dedup();
    let title = if again.title == survey.title { again.title } else { String::new() };
    Ok(Look::Found(Box::new(Document {
        url: url.to_string(),
        empties_on_reload: !url.contains("{doc}"),
        shared: action,
        counts: seen.counts,
        restless: found,
        title,
    })))
}

/// Whether what is done in a document, fresh as it is, shows in another one that is open at the same time.
fn meets_another(
    open: &dyn Fn() -> Result<Box<dyn World>, WorldError>,
    world: &mut dyn World,
    action: &SharedAction,
) -> Result<bool, WorldError> {
    let mut another = open()?;
    another.begin(1)?;
    let before = another.observe(A, ObserveOptions::all())?;
    // What the application sends to other users has arrived when this has settled. The other document is not asked to settle: what
    // comes unasked for looks like a late reaction there, and the whole run would wait for more of them.
    let Some(seen) = action.perform(world)? else { return Ok(false) };
    let after = another.observe(A, ObserveOptions::all())?;
    Ok(seen.evidence.count(&after) > seen.evidence.count(&before))
}

fn shows(world: &mut dyn World, evidence: &Evidence) -> Result<bool, WorldError> {
    Ok(evidence.count(&world.observe(A, ObserveOptions::all())?) > 0)
}

/// An address that cannot be opened does not serve; other errors are errors.
pub fn unless_refused(error: WorldError) -> Result<Look, WorldError> {
    match error {
        WorldError::Interrupted(why) | WorldError::CannotRun(why) => {
            Ok(Look::Refused(format!("it cannot be opened: {}", why.lines().next().unwrap_or_default())))
        }
        error => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakePages, Kind};
    use super::*;

    fn looked(kind: Kind, url: &str) -> Result<Document, String> {
        let pages = FakePages::new(kind);
        match look(&|| Ok(pages.open()), url, &pages.survey()).unwrap() {
            Look::Found(document) => Ok(*document),
            Look::Refused(why) => Err(why),
        }
    }

    #[test]
    fn an_address_serves_if_its_documents_are_shared_fresh_and_apart() {
        let url = "http://a/?doc={doc}";
        let document = looked(Kind::Documents, url).ok().unwrap();
        assert_eq!((document.url.as_str(), document.counts), (url, (1, 1)));
        assert!(!document.empties_on_reload);
        for (kind, why) in [
            (Kind::OneLiveText, "two documents show each other's changes"),
            (Kind::OneKeptText, "what was written before is there again"),
            (Kind::NothingShared, "what one user writes there does not reach another"),
            (Kind::ButtonAlone, "what one user does there does not reach another"),
            (Kind::Empty, "nothing there can be written in or clicked"),
            (Kind::Missing, "it cannot be opened: 404"),
        ] {
            let refused = looked(kind, url).err().unwrap();
            assert!(refused.starts_with(why), "{refused}");
        }
    }

    #[test]
    fn a_text_that_is_gone_after_a_reload_needs_no_name() {
        let document = looked(Kind::OneLiveText, "http://a/").ok().unwrap();
        assert!(document.empties_on_reload);
    }

    #[test]
    fn the_name_of_a_document_is_not_the_title_of_the_application() {
        assert_eq!(looked(Kind::Documents, "http://a/{doc}").ok().unwrap().title, "");
        assert_eq!(looked(Kind::OneLiveText, "http://a/").ok().unwrap().title, "pages");
    }
}
