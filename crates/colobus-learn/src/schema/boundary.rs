//! Boundary values: what databases seldom hold and front ends seldom expect.

use serde_json::{Value, json};

/// Texts: empty, blank, long, other scripts, quotes. None has `<` or `&`, which a server would have escaped.
pub(crate) fn texts() -> Vec<String> {
    let short = [
        "",
        " ",
        "0",
        "null",
        "日本語テキスト",
        "שלום עולם",
        "Zoë Ångström",
        "👩‍👩‍👧‍👦",
        "it's \"quoted\"",
        "line one\nline two",
    ];
    let mut texts: Vec<String> = short.iter().map(ToString::to_string).collect();
    texts.push("long ".repeat(60));
    texts
}

/// Whole numbers: around zero, around 32 bits, the largest that JavaScript holds exactly.
pub(super) fn integers() -> Vec<Value> {
    [0, 1, -1, 2_147_483_647, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_991, -9_007_199_254_740_991_i64]
        .into_iter()
        .map(|number| json!(number))
        .collect()
}

pub(super) fn numbers() -> Vec<Value> {
    [0.1, -0.5, 1e21, -1e21, 1e-7].into_iter().map(|number| json!(number)).chain(integers()).collect()
}
