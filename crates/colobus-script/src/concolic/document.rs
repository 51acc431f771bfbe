//! Documents whose inline scripts compute symbolic values.

use super::{Instrumented, instrument};
use crate::accesses::{Kind, Options, Rewritten};
use crate::document::{RewrittenDocument, rewrite_with};
use crate::position::PositionMap;

/// Makes all code in a document compute symbolic values, except for what cannot be parsed.
pub fn instrument_document(html: &str, options: &Options) -> RewrittenDocument {
    let rewrite = |source: &str, kind: Kind<'_>, options: &Options| {
        instrument(source, kind, options).map(|Instrumented { code, sites }| Rewritten {
            code,
            sites,
            positions: PositionMap::default(),
        })
    };
    rewrite_with(html, options, &rewrite)
}
