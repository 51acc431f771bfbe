//! Descriptions of operations: what documents and operations of a type look like, small ones first.
//!
//! The built-in ones are JavaScript modules of the same shape as those a user writes: `documents(size)`, then either
//! `kinds` (named enumerations of operations for a document) or `operations`, and `valid`. One file and one line here.

mod list;

pub use list::OperationList;

pub struct Builtin {
    pub name: &'static str,
    /// The `name` that types of this kind carry.
    pub type_name: &'static str,
    pub file: &'static str,
}

pub const BUILTINS: &[Builtin] = &[
    Builtin { name: "ot-text", type_name: "text", file: "text.js" },
    Builtin { name: "ot-text-unicode", type_name: "text-unicode", file: "text-unicode.js" },
    Builtin { name: "ot-text-tp2", type_name: "text-tp2", file: "text-tp2.js" },
    Builtin { name: "ot-json0", type_name: "json0", file: "json0.js" },
    Builtin { name: "ot-json1", type_name: "json1", file: "json1.js" },
    Builtin { name: "rich-text", type_name: "rich-text", file: "rich-text.js" },
];

pub fn known() -> String {
    BUILTINS.iter().map(|builtin| builtin.name).collect::<Vec<_>>().join(", ")
}

const SOURCES: &[(&str, &str)] = &[
    ("json0.js", include_str!("js/json0.js")),
    ("json1.js", include_str!("js/json1.js")),
    ("rich-text.js", include_str!("js/rich-text.js")),
    ("text.js", include_str!("js/text.js")),
    ("text-tp2.js", include_str!("js/text-tp2.js")),
    ("text-unicode.js", include_str!("js/text-unicode.js")),
    ("lib/components.js", include_str!("js/lib/components.js")),
    ("lib/values.js", include_str!("js/lib/values.js")),
];

/// The source of a module that is part of this program.
pub(crate) fn embedded(file: &str) -> Option<&'static str> {
    SOURCES.iter().find(|(name, _)| *name == file).map(|(_, source)| *source)
}
