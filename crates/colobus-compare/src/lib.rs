//! What differs between two observations, aspect by aspect: [`pixels`] finds changed places on a screenshot, [`lines`]
//! changed lines of a canonical DOM or a document. Explorers ask it for the effect of an action, checks for the
//! difference between clients: one answer for both.

pub mod dom;
pub mod lines;
pub mod pixels;
pub mod places;

use std::sync::Arc;

use colobus_model::{Aspect, Observation, Png, Rectangle};

pub use lines::LineSet;
pub use pixels::{Picture, PixelSet};

/// Where two observations differ, in terms of one aspect.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    Pixels(PixelSet),
    Lines(LineSet),
}

impl Changed {
    pub fn is_empty(&self) -> bool {
        match self {
            Changed::Pixels(set) => set.is_empty(),
            Changed::Lines(set) => set.is_empty(),
        }
    }

    /// Whether both touch a common place. Both must be changes of the same state, in terms of the same aspect.
    pub fn overlaps(&self, other: &Changed) -> bool {
        match (self, other) {
            (Changed::Pixels(a), Changed::Pixels(b)) => a.overlaps(b),
            (Changed::Lines(a), Changed::Lines(b)) => a.overlaps(b),
            _ => false,
        }
    }
}

/// Why two observations cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    #[error("the {0} of an observation is missing")]
    Missing(Aspect),
    #[error("a screenshot cannot be decoded: {0}")]
    Undecodable(String),
}

/// One observation, prepared to be compared with many others: what has to be decoded is decoded once.
#[derive(Clone)]
pub struct Reference {
    aspect: Aspect,
    shown: Shown,
}

#[derive(Clone)]
enum Shown {
    Picture(Png, Arc<Picture>),
    Text(Arc<str>),
}

impl Reference {
    pub fn new(observation: &Observation, aspect: Aspect) -> Result<Reference, CompareError> {
        let shown = match aspect {
            Aspect::Pixels => {
                let png = screenshot_of(observation)?;
                Shown::Picture(png.clone(), Arc::new(Picture::decode(png)?))
            }
            Aspect::Dom | Aspect::State => Shown::Text(text_of(observation, aspect)?.into()),
        };
        Ok(Reference { aspect, shown })
    }

    /// Where `after` differs from this observation.
    pub fn changed(&self, after: &Observation, ignored: &[Rectangle]) -> Result<Changed, CompareError> {
        match &self.shown {
            Shown::Picture(png, _) if png == screenshot_of(after)? => Ok(Changed::Pixels(PixelSet::default())),
            _ => Ok(self.changed_from(&Reference::new(after, self.aspect)?, ignored)),
        }
    }

    /// Whether both look the same.
    pub fn equals(&self, other: &Reference, ignored: &[Rectangle]) -> bool {
        match (&self.shown, &other.shown) {
            (Shown::Picture(one, _), Shown::Picture(other, _)) if one == other => true,
            _ => self.changed_from(other, ignored).is_empty(),
        }
    }

    fn changed_from(&self, after: &Reference, ignored: &[Rectangle]) -> Changed {
        match (&self.shown, &after.shown) {
            (Shown::Picture(_, before), Shown::Picture(_, after)) => {
                Changed::Pixels(pixels::changed_pixels(before, after, ignored))
            }
            (Shown::Text(before), Shown::Text(after)) => Changed::Lines(lines::changed_lines(before, after)),
            // Different aspects have nothing in common: a caller who compares them sees everything changed.
            _ => Changed::Lines(lines::changed_lines("", "different aspects")),
        }
    }
}

/// Where `after` differs from `before`.
pub fn changed(
    before: &Observation,
    after: &Observation,
    aspect: Aspect,
    ignored: &[Rectangle],
) -> Result<Changed, CompareError> {
    if aspect == Aspect::Pixels && screenshot_of(before)? == screenshot_of(after)? {
        return Ok(Changed::Pixels(PixelSet::default()));
    }
    Reference::new(before, aspect)?.changed(after, ignored)
}

fn screenshot_of(observation: &Observation) -> Result<&Png, CompareError> {
    observation.screenshot.as_ref().ok_or(CompareError::Missing(Aspect::Pixels))
}

fn text_of(observation: &Observation, aspect: Aspect) -> Result<String, CompareError> {
    let text = match aspect {
        Aspect::Dom => observation.dom.clone(),
        _ => observation.state.as_ref().map(lines::document_lines),
    };
    text.ok_or(CompareError::Missing(aspect))
}
