//! What `page/offers.js` says, as offers. Elements without a path that can be written down are left out.

use colobus_browser::scripts;
use colobus_world::{DragTarget, Offer, OfferKind, WorldError};
use serde::Deserialize;
use serde_json::Value;

use crate::session::element;

/// One offer, as the page describes it. What is left out has no meaning for its kind.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageOffer {
    kind: OfferKind,
    /// As `page/element.js` describes it.
    element: Value,
    size: (f64, f64),
    name: String,
    form: usize,
    value: Option<String>,
    input: Option<String>,
    choices: Option<Vec<String>>,
    submits: Option<bool>,
    hears_change: Option<bool>,
    to: Option<PageTarget>,
}

/// Where something can be dragged to, as the page describes it.
#[derive(Debug, Deserialize)]
struct PageTarget {
    element: Value,
    size: (f64, f64),
}

impl PageOffer {
    /// Nothing if its element has no path.
    pub fn read(self) -> Option<Offer> {
        let PageOffer { kind, element: described, size, name, form, value, input, choices, submits, hears_change, to } =
            self;
        let target = |to: PageTarget| Some(DragTarget { element: element(&to.element, &[])?, size: to.size });
        Some(Offer {
            kind,
            element: element(&described, &[])?,
            size,
            name,
            value: value.unwrap_or_default(),
            input: input.unwrap_or_default(),
            choices: choices.unwrap_or_default(),
            form,
            submits: submits.unwrap_or_default(),
            hears_change: hears_change.unwrap_or_default(),
            to: to.and_then(target),
        })
    }
}

pub fn offers(told: Value) -> Result<Vec<Offer>, WorldError> {
    let told: Vec<PageOffer> = scripts::read("offers", told)?;
    Ok(told.into_iter().filter_map(PageOffer::read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_offer_without_a_field_that_every_offer_has_is_an_error_that_names_it() {
        let element = json!({ "paths": [[{ "tag": "button", "attributes": [], "position": null }]] });
        let offer = json!({ "kind": "click", "element": element, "size": [10, 20], "name": "Save", "form": 0, "submits": true });
        let read = offers(json!([offer])).unwrap();
        assert_eq!((read[0].kind, read[0].size, read[0].submits), (OfferKind::Click, (10.0, 20.0), true));

        let mut incomplete = offer.clone();
        incomplete.as_object_mut().unwrap().remove("size");
        let error = offers(json!([offer, incomplete])).unwrap_err().to_string();
        assert!(error.contains("offers") && error.contains("`size`"), "{error}");
        assert!(offers(Value::Null).is_err());
    }
}
