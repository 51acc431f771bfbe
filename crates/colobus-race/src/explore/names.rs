//! [`Names`]: a small number for each event name, the same in all executions of a search.

use std::collections::HashMap;

use crate::model::EventName;

pub type Id = u32;

#[derive(Clone, Debug, Default)]
pub struct Names {
    ids: HashMap<EventName, Id>,
    names: Vec<EventName>,
}

impl Names {
    pub fn id(&mut self, name: &EventName) -> Id {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = self.names.len() as Id;
        self.ids.insert(name.clone(), id);
        self.names.push(name.clone());
        id
    }

    pub fn name(&self, id: Id) -> &EventName {
        &self.names[id as usize]
    }

    pub fn all(&self, ids: &[Id]) -> Vec<EventName> {
        ids.iter().map(|id| self.name(*id).clone()).collect()
    }
}
