//! [`Cases`]: a search and the jobs that it has given so far. What the loop tells, groups and reduces is about them.

use colobus_model::Case;

use crate::Search;

pub(super) struct Cases<'a, S: Search> {
    pub search: &'a S,
    pub jobs: &'a [S::Job],
}

impl<S: Search> Cases<'_, S> {
    /// How events and reports name a job.
    pub fn name(&self, job: usize) -> Case {
        self.search.case(&self.jobs[job])
    }
}

impl<S: Search> Clone for Cases<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Search> Copy for Cases<'_, S> {}
