//! [`Document`]: an address at which users share a document that is empty at first, and that is no other's. [`look`] tries one.

use colobus_world::{ObserveOptions, Survey, World, WorldError};

use super::propose::restless;
use super::sharing::{A, B, Seen, SharedAction};

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
    /// Why that could not be found out.
    Unknown(String),
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
            return unless_unknown(error);
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
    let fresh = Fresh { open, url, action: &action, seen: &seen };
    let (again, beside) = match fresh.verify(world.as_mut()) {
        Ok(Ok(surveys)) => surveys,
        Ok(Err(why)) => return refused(why),
        Err(error) => return unless_unknown(error),
    };
    for (one, other) in [(&survey.landmarks, &again.landmarks), (&again.landmarks, &beside.landmarks)] {
        found.extend(restless(one, other));
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

/// What is wrong with an address whose documents are one.
const SAME: &str = "what is done in one document shows in another: they are the same";

/// What has to be found out of an address at which an action is shared.
struct Fresh<'a> {
    open: &'a dyn Fn() -> Result<Box<dyn World>, WorldError>,
    url: &'a str,
    action: &'a SharedAction,
    seen: &'a Seen,
}

impl Fresh<'_> {
    /// The pages of two users of a new document, in which nothing of the action is left, and which do not meet those of another
    /// document that is open at the same time; or what is wrong with it.
    fn verify(&self, world: &mut dyn World) -> Result<Result<(Survey, Survey), &'static str>, WorldError> {
        let mut another = None;
        if self.url.contains("{doc}") {
            let mut opened = (self.open)()?;
            opened.begin(1)?;
            // The first document is still open.
            let before = opened.observe(A, ObserveOptions::all())?;
            if self.seen.evidence.count(&before) > 0 {
                return Ok(Err(SAME));
            }
            another = Some(opened);
        }
        world.begin(2)?;
        if self.seen.evidence.count(&world.observe(A, ObserveOptions::all())?) > 0 {
            return Ok(Err(SAME));
        }
        let surveys = (world.survey(A)?, world.survey(B)?);
        if let Some(mut another) = another
            && let Some(seen) = self.action.perform(world)?
        {
            // What the application sends to other users has arrived when the first document has settled. The other one is not asked
            // to settle: what comes unasked for looks like a late reaction, and the whole run would wait for more of them.
            let after = another.observe(A, ObserveOptions::all())?;
            if seen.evidence.count(&after) > 0 {
                return Ok(Err(SAME));
            }
        }
        Ok(Ok(surveys))
    }
}

/// Of an address that cannot be opened, or whose pages cannot be looked at, nothing is known; other errors are errors.
pub fn unless_unknown(error: WorldError) -> Result<Look, WorldError> {
    match error {
        WorldError::Interrupted(why) | WorldError::CannotRun(why) => {
            Ok(Look::Unknown(format!("it cannot be judged: {}", why.lines().next().unwrap_or_default())))
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
            Look::Refused(why) | Look::Unknown(why) => Err(why),
        }
    }

    #[test]
    fn an_address_serves_if_its_documents_are_shared_fresh_and_apart() {
        let url = "http://a/?doc={doc}";
        let document = looked(Kind::Documents, url).ok().unwrap();
        assert_eq!((document.url.as_str(), document.counts), (url, (1, 1)));
        assert!(!document.empties_on_reload);
        for (kind, why) in [
            (Kind::OneLiveText, SAME),
            (Kind::OneKeptText, SAME),
            (Kind::NothingShared, "what one user writes there does not reach another"),
            (Kind::ButtonAlone, "what one user does there does not reach another"),
            (Kind::Empty, "nothing there can be written in or clicked"),
            (Kind::Missing, "it cannot be judged: 404"),
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
