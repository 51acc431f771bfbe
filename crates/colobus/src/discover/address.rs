//! Where a fresh document could be: addresses with `{doc}`, made from one without.

/// Addresses to try, the likeliest first. `arrived` is where the browser ended up: a page that goes to a document of its
/// own shows by that how it names them.
pub fn candidates(url: &str, arrived: &str) -> Vec<String> {
    if url.contains("{doc}") {
        return vec![url.to_string()];
    }
    let mut found = Vec::new();
    for address in [arrived, url] {
        let (page, fragment) = split(address, '#');
        let (path, query) = split(page, '?');
        if let Some(query) = query {
            found.extend(parameters(query).map(|query| with_fragment(format!("{path}?{query}"), fragment)));
        }
        if fragment.is_some_and(|fragment| !fragment.is_empty()) {
            found.push(format!("{page}#{{doc}}"));
        }
        // A page that goes there by itself makes it up; one below a folder, such as `/p/notes`, is named by its users.
        let is_named = |folder: &str| (arrived != url && address == arrived) || folder.matches('/').count() > 2;
        found.extend(last_segment(path).filter(|(folder, _)| is_named(folder)).map(|(_, candidate)| candidate));
    }
    let bare = split(split(url, '#').0, '?').0;
    for parameter in ["doc", "id", "room", "document"] {
        found.push(format!("{bare}?{parameter}={{doc}}"));
    }
    found.push(format!("{bare}#{{doc}}"));
    found.extend(last_segment(bare).map(|(_, candidate)| candidate));
    if bare.ends_with('/') {
        found.push(format!("{bare}{{doc}}"));
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|address| seen.insert(address.clone()));
    found
}

/// What is before the last segment of a path, and the address with a document in its place. Names of files are no documents.
fn last_segment(path: &str) -> Option<(&str, String)> {
    let (folder, last) = path.rsplit_once('/')?;
    let is_name = folder.contains("://") && !last.is_empty() && !last.contains('.');
    is_name.then(|| (folder, format!("{folder}/{{doc}}")))
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// The query with each of its values replaced in turn.
fn parameters(query: &str) -> impl Iterator<Item = String> {
    let pairs: Vec<&str> = query.split('&').collect();
    (0..pairs.len()).filter_map(move |index| {
        let (name, _) = pairs[index].split_once('=')?;
        let mut changed: Vec<String> = pairs.iter().map(|pair| pair.to_string()).collect();
        changed[index] = format!("{name}={{doc}}");
        Some(changed.join("&"))
    })
}

fn with_fragment(address: String, fragment: Option<&str>) -> String {
    fragment.map_or(address.clone(), |fragment| format!("{address}#{fragment}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_itself_does_comes_first() {
        let found = candidates("http://a/", "http://a/p/x1#y");
        assert_eq!(found[..2], ["http://a/p/x1#{doc}", "http://a/p/{doc}"]);
        let found = candidates("http://a/p/notes", "http://a/p/notes");
        assert_eq!(found[0], "http://a/p/{doc}", "as Etherpad names its pads");
        let found = candidates("http://a/?mode=x&doc=welcome", "http://a/?mode=x&doc=welcome");
        assert_eq!(found[..2], ["http://a/?mode={doc}&doc=welcome", "http://a/?mode=x&doc={doc}"]);
    }

    #[test]
    fn without_a_hint_the_usual_places_are_tried() {
        let found = candidates("http://a/", "http://a/");
        assert_eq!(
            found,
            [
                "http://a/?doc={doc}",
                "http://a/?id={doc}",
                "http://a/?room={doc}",
                "http://a/?document={doc}",
                "http://a/#{doc}",
                "http://a/{doc}"
            ]
        );
        let found = candidates("http://a/notes", "http://a/notes");
        assert_eq!(found.last().unwrap(), "http://a/{doc}", "after the usual places");
        assert!(!candidates("http://a/index.html", "http://a/index.html").contains(&"http://a/{doc}".to_string()));
        assert_eq!(candidates("http://a/x?d={doc}", "http://a/x?d=1"), ["http://a/x?d={doc}"]);
    }
}
