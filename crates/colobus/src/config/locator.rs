//! The syntax of locators: what `page/locators.js` finds, checked before a search begins. A locator is one part or several with
//! `>>` between them; a part is a CSS selector, or an engine and what it looks for: `role=button[name="Save"]`.

use super::selector::{SelectorError, check_selector};

const ENGINES: [&str; 5] = ["role", "label", "placeholder", "text", "testid"];

/// Whether `text` is a locator.
pub fn check_locator(text: &str) -> Result<(), SelectorError> {
    parts(text).into_iter().try_for_each(|(offset, part)| {
        let within = |error: SelectorError| SelectorError { offset: offset + error.offset, ..error };
        let engine = part.split_once('=').filter(|(engine, _)| ENGINES.contains(engine));
        match engine {
            None => check_selector(part).map_err(within),
            Some((engine, wanted)) => check_wanted(engine, wanted)
                .map_err(|message| SelectorError { offset: offset + engine.len() + 1, message }),
        }
    })
}

/// What lies between `>>` that are not inside quotation marks, and where it begins.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut quote = None;
    let mut starts = vec![0];
    let mut ends = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(open), _) => quote = (character != open).then_some(open),
            (None, '"' | '\'') => quote = Some(character),
            (None, '>') if characters.next_if(|(_, next)| *next == '>').is_some() => {
                ends.push(at);
                starts.push(at + 2);
            }
            _ => {}
        }
    }
    ends.push(text.len());
    let trimmed = |(start, end): (usize, usize)| {
        let part = &text[start..end];
        (start + part.len() - part.trim_start().len(), part.trim())
    };
    starts.into_iter().zip(ends).map(trimmed).collect()
}

fn check_wanted(engine: &str, wanted: &str) -> Result<(), String> {
    if wanted.trim().is_empty() {
        return Err(format!("`{engine}=` needs what to look for"));
    }
    if engine != "role" {
        return Ok(());
    }
    let (role, name) = wanted.split_once('[').map_or((wanted, None), |(role, name)| (role, Some(name)));
    let is_role = !role.is_empty() && role.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let is_name =
        name.is_none_or(|name| name.starts_with("name=") && name.ends_with(']') && name.len() > "name=]".len());
    if is_role && is_name {
        return Ok(());
    }
    Err("write `role=button` or `role=button[name=\"Save\"]`".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locators_are_checked_part_by_part() {
        for locator in [
            "#editor",
            "role=button",
            "role=button[name=\"Save\"]",
            "label=E-mail address",
            "text=\"a >> b\"",
            "testid=save",
            "placeholder='Your name'",
            "iframe[name=outer] >> iframe >> .editor > p",
            "[data-role=button]",
        ] {
            assert_eq!(check_locator(locator), Ok(()), "{locator}");
        }
        for (locator, offset) in [
            ("role=", 5),
            ("role=a button", 5),
            ("role=button[title=x]", 5),
            ("iframe >> text=", 15),
            ("iframe >> ", 10),
            ("#a >> p..b", 8),
        ] {
            let error = check_locator(locator).expect_err(locator);
            assert_eq!(error.offset, offset, "{locator}: {}", error.message);
        }
    }
}
