//! What `page/offers.js` says, as offers. It comes from a page: whatever does not fit is left out.

use colobus_world::{Offer, OfferKind};
use serde_json::Value;

use crate::session::element;

pub fn offers(told: &Value) -> Vec<Offer> {
    told.as_array().into_iter().flatten().filter_map(offer).collect()
}

pub fn offer(told: &Value) -> Option<Offer> {
    let text = |name: &str| told[name].as_str().unwrap_or_default().to_string();
    let kind = OfferKind::ALL.into_iter().find(|kind| told["kind"] == kind.name())?;
    let choices = told["choices"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Some(Offer {
        kind,
        element: element(&told["element"], &[])?,
        size: (told["size"][0].as_f64()?, told["size"][1].as_f64()?),
        name: text("name"),
        value: text("value"),
        input: text("input"),
        choices: choices.map(str::to_string).collect(),
        form: told["form"].as_u64().and_then(|form| usize::try_from(form).ok()).unwrap_or_default(),
        submits: told["submits"] == true,
        hears_change: told["hearsChange"] == true,
    })
}
