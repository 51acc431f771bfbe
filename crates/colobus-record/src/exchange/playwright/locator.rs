//! [`Locators`]: how the elements of a recording are found: by role and label where these tell them apart from all others that the
//! recording knows, and by their path otherwise.

use super::super::selector::xpath;
use crate::write::quoted;
use crate::{Element, Entry, Recording};

/// Roles whose names Playwright and the recorder find in the same way.
const ROLES: &[&str] = &[
    "button",
    "link",
    "checkbox",
    "radio",
    "switch",
    "tab",
    "menuitem",
    "option",
    "heading",
    "textbox",
    "searchbox",
    "combobox",
    "slider",
    "spinbutton",
];
/// Editable elements are text boxes to the recorder, and to Playwright only if they say so.
const FIELDS: &[&str] = &["input", "textarea"];
/// The recorder cuts longer labels.
const LONGEST_LABEL: usize = 80;

pub struct Locators<'r> {
    known: Vec<&'r Element>,
}

impl<'r> Locators<'r> {
    pub fn of(recording: &'r Recording) -> Locators<'r> {
        Locators { known: recording.lines.iter().flat_map(|line| line.event.elements()).collect() }
    }

    /// The code that finds an element of a page; `None` for shadow roots, into which paths do not look.
    pub fn of_element(&self, page: &str, on: &Element) -> Option<String> {
        let mut locator = page.to_string();
        for (index, hop) in on.hops.iter().enumerate() {
            let path = quoted(&format!("xpath={}", xpath(&hop.path)));
            let enters = on.hops.get(index + 1).map(|next| next.entry);
            match enters {
                Some(Entry::Frame) => locator.push_str(&format!(".frameLocator({path})")),
                Some(Entry::Shadow | Entry::Tab) => return None,
                None => match self.role_and_label(on) {
                    Some((role, label)) => locator.push_str(&format!(
                        ".getByRole({}, {{ name: {}, exact: true }})",
                        quoted(role),
                        quoted(label)
                    )),
                    None => locator.push_str(&format!(".locator({path})")),
                },
            }
        }
        Some(locator)
    }

    fn role_and_label<'e>(&self, on: &'e Element) -> Option<(&'e str, &'e str)> {
        let (role, label) = (on.hints.role.as_deref()?, on.hints.label.as_deref()?);
        let is_plain = ROLES.contains(&role) && (role != "textbox" || FIELDS.contains(&on.tag()));
        let is_whole = !label.is_empty() && label.chars().count() < LONGEST_LABEL;
        let is_other = |known: &&Element| {
            known.hints.role == on.hints.role && known.hints.label == on.hints.label && !known.is_same_place(on)
        };
        (is_plain && is_whole && !self.known.iter().any(is_other)).then_some((role, label))
    }
}
