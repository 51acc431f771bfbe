//! [`Origin`]: scheme, host and port of an address. The user names origins with `--at` or in a configuration;
//! [`Recording::performed_at`] keeps a recording, which a stranger may have written, to them.

use std::fmt;
use std::str::FromStr;

use colobus_model::UrlParts;

use crate::{Event, Recording};

/// Where a page comes from, as browsers compare it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    secure: bool,
    /// In small letters.
    host: String,
    port: u16,
}

/// Where replaying may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Wherever the recording says: for recordings that the program itself has written.
    Anywhere,
    /// To these origins and no others.
    Only(Vec<Origin>),
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OriginError {
    #[error("`{0}` is not the address of a page: write one such as http://127.0.0.1:8080")]
    NoAddress(String),
}

/// Why a recording is not performed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    #[error(
        "it opens {url}, which is not allowed yet\n  \
         `--at {origin}` lets it; `--at` with another address performs it there; so does the url of a colobus.toml"
    )]
    NoneNamed { url: String, origin: Origin },
    #[error("line {line} opens {url}, which is not at {named}\n  a further `--at` with its address lets it go there")]
    Elsewhere { line: usize, url: String, named: String },
}

const BLANK: &str = "about:blank";

impl Origin {
    /// The origin of an `http` or `https` address. Nothing for any other, and for those that browsers read in another way
    /// than they look: with a user name, a backslash or a host that is no plain name.
    pub fn of(url: &str) -> Option<Origin> {
        let UrlParts { scheme, authority, .. } = UrlParts::of(url)?;
        let secure = match scheme.to_ascii_lowercase().as_str() {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let (host, port) = match authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, port.parse().ok()?),
            Some(_) => return None,
            None => (authority, if secure { 443 } else { 80 }),
        };
        let plain = |host: &str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
        let numbers = |inner: &str| inner.bytes().all(|byte| byte.is_ascii_hexdigit() || b":.".contains(&byte));
        let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(inner) => !inner.is_empty() && numbers(inner),
            None => !host.is_empty() && plain(host),
        };
        is_host.then(|| Origin { secure, host: host.to_ascii_lowercase(), port })
    }
}

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Origin, OriginError> {
        Origin::of(text).ok_or_else(|| OriginError::NoAddress(text.to_string()))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, usual) = if self.secure { ("https", 443) } else { ("http", 80) };
        write!(f, "{scheme}://{}", self.host)?;
        if self.port == usual { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

impl Default for Reach {
    fn default() -> Reach {
        Reach::Only(Vec::new())
    }
}

impl Reach {
    /// Whether a page with this address may be acted in. An empty one has no content of its own.
    pub fn includes(&self, url: &str) -> bool {
        match self {
            Reach::Anywhere => true,
            Reach::Only(named) => {
                url.is_empty() || url == BLANK || Origin::of(url).is_some_and(|origin| named.contains(&origin))
            }
        }
    }

    /// Whether a document of this origin, as browsers write it, gets secrets.
    pub fn trusts(&self, origin: &str) -> bool {
        match self {
            Reach::Anywhere => true,
            Reach::Only(named) => Origin::of(origin).is_some_and(|origin| named.contains(&origin)),
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reach::Anywhere => f.write_str("any address"),
            Reach::Only(named) => f.write_str(&list(named)),
        }
    }
}

fn list(named: &[Origin]) -> String {
    named.iter().map(Origin::to_string).collect::<Vec<_>>().join(" or ")
}

impl Recording {
    /// The recording at the origins that the user named. The origin of its first page becomes the first of them, unless it
    /// is among them; whatever else it opens has to be.
    pub fn performed_at(&self, named: &[Origin]) -> Result<Recording, PlaceError> {
        let mut placed = self.clone();
        let opened = self.lines.iter().filter_map(|line| match &line.event {
            Event::Open(url) if url != BLANK => Some(url),
            _ => None,
        });
        let home = opened.clone().find_map(|url| Origin::of(url));
        let Some(first) = named.first() else {
            return match (home, opened.clone().next()) {
                (Some(origin), Some(url)) => Err(PlaceError::NoneNamed { url: url.clone(), origin }),
                (_, None) => Ok(placed),
                (None, Some(url)) => Err(PlaceError::Elsewhere { line: 1, url: url.clone(), named: "any host".into() }),
            };
        };
        let moved = home.filter(|home| !named.contains(home));
        for (index, line) in placed.lines.iter_mut().enumerate() {
            let opens = matches!(line.event, Event::Open(_));
            let (Event::Open(url) | Event::Arrive(url) | Event::Popup(url)) = &mut line.event else { continue };
            let origin = Origin::of(url);
            if origin.is_some() && origin == moved {
                *url = relocated(url, first);
            } else if opens && url != BLANK && !origin.is_some_and(|origin| named.contains(&origin)) {
                return Err(PlaceError::Elsewhere { line: index + 1, url: url.clone(), named: list(named) });
            }
        }
        Ok(placed)
    }
}

/// The same path at another origin.
fn relocated(url: &str, origin: &Origin) -> String {
    format!("{origin}{}", UrlParts::of(url).map_or("", |parts| parts.rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(text: &str) -> Origin {
        text.parse().unwrap()
    }

    fn recording(lines: &str) -> Recording {
        Recording::parse(&format!("colobus-recording 1\nviewport 8x6\n{lines}")).unwrap()
    }

    #[test]
    fn origins_are_what_browsers_compare() {
        assert_eq!(origin("HTTP://Example.org/a"), origin("http://example.org:80?x"));
        assert_eq!(origin("https://a:443/").to_string(), "https://a");
        assert_eq!(origin("http://[::1]:8080/").to_string(), "http://[::1]:8080");
        for odd in [
            "",
            "a",
            "http://",
            "http:///x",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            // Browsers go to `evil`.
            "http://evil\\@good.example/",
            "http://good.example@evil/",
            "http://good.example:80@evil/",
            "http://go\tod.example/",
            " http://good.example/",
            "http://good%2eexample/",
            "http://a:b/",
            "http://ä/",
        ] {
            assert_eq!(Origin::of(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_recording_goes_where_the_user_says() {
        let session = recording("A open \"http://there:81/a?b#c\" +0\nA arrive \"http://there:81/d\" +0\n");
        let here = session.performed_at(&[origin("http://here")]).unwrap();
        assert_eq!(here, recording("A open \"http://here/a?b#c\" +0\nA arrive \"http://here/d\" +0\n"));
        assert_eq!(session.performed_at(&[origin("http://x"), origin("http://there:81")]).unwrap(), session);
        let nowhere = session.performed_at(&[]).unwrap_err().to_string();
        assert!(nowhere.contains("it opens http://there:81/a?b#c") && nowhere.contains("`--at http://there:81`"));
    }

    #[test]
    fn other_places_are_refused() {
        for elsewhere in ["http://evil/", "file:///etc/passwd", "http://evil\\@here/", "javascript:1"] {
            let lines = format!("A open \"http://there/\" +0\nA open {} +0\n", crate::write::quoted(elsewhere));
            let refused = recording(&lines).performed_at(&[origin("http://here")]);
            let (url, named) = (elsewhere.to_string(), "http://here".to_string());
            assert_eq!(refused, Err(PlaceError::Elsewhere { line: 2, url, named }));
        }
        let file = recording("A open \"file:///etc/passwd\" +0\n");
        assert!(file.performed_at(&[origin("http://here")]).is_err() && file.performed_at(&[]).is_err());
    }

    #[test]
    fn pages_elsewhere_are_out_of_reach() {
        let reach = Reach::Only(vec![origin("http://here:8080")]);
        assert!(reach.includes("http://here:8080/x") && reach.includes(BLANK) && reach.includes(""));
        assert!(!reach.includes("http://here/x") && !reach.includes("data:text/html,x"));
        assert!(reach.trusts("http://here:8080") && !reach.trusts("null") && !reach.trusts("") && !reach.trusts(BLANK));
    }
}
