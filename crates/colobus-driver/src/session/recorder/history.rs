//! [`History`]: the addresses that a tab has been at, to tell back from forward. It follows what the browser says of each
//! navigation when it starts, so that nothing has to be asked after the fact.

use colobus_browser::NavigationType;

#[derive(Default)]
pub struct History {
    addresses: Vec<String>,
    index: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Went {
    Back,
    Forward,
    Reloaded,
    /// To a new address: the user entered it, or a link, a form or page code led there.
    On,
}

impl History {
    /// The tab is at another address; `kind` is what the browser calls the way it got there.
    pub fn arrive(&mut self, url: &str, kind: NavigationType) -> Went {
        let at =
            |index: Option<usize>| index.and_then(|index| self.addresses.get(index)).is_some_and(|known| known == url);
        let (before, after) = (self.index.checked_sub(1), Some(self.index + 1));
        let went = match kind {
            _ if kind.is_reload() => Went::Reloaded,
            _ if kind.is_in_history() && at(before) => Went::Back,
            _ if kind.is_in_history() && at(after) => Went::Forward,
            _ => Went::On,
        };
        match went {
            Went::Back => self.index -= 1,
            Went::Forward => self.index += 1,
            Went::Reloaded => {}
            Went::On => {
                self.addresses.truncate(self.index + 1);
                self.addresses.push(url.to_string());
                self.index = self.addresses.len() - 1;
            }
        }
        went
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_back_from_forward() {
        let mut history = History::default();
        let mut went = |url, kind| history.arrive(url, kind);
        assert_eq!(went("a", NavigationType::Other), Went::On);
        assert_eq!(went("b", NavigationType::Other), Went::On);
        assert_eq!(went("a", NavigationType::HistoryDifferentDocument), Went::Back);
        assert_eq!(went("a", NavigationType::Reload), Went::Reloaded);
        assert_eq!(went("b", NavigationType::HistorySameDocument), Went::Forward);
        assert_eq!(went("a", NavigationType::HistoryDifferentDocument), Went::Back);
        assert_eq!(went("c", NavigationType::Other), Went::On);
        assert_eq!(went("b", NavigationType::HistoryDifferentDocument), Went::On, "forgotten when it went on from a");
    }
}
