//! [`Datatype`]: the types of strings that `data` and `value` name, of the library that is built into RELAX NG and of XML
//! Schema.

use colobus_random::Random;

use crate::schema::format::Format;

/// XML Schema's library of types.
pub(super) const XML_SCHEMA: &str = "http://www.w3.org/2001/XMLSchema-datatypes";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Datatype {
    /// White space counts.
    String,
    /// White space is collapsed.
    Token,
    /// Between two bounds, if there are any.
    Integer(Option<i128>, Option<i128>),
    Decimal,
    /// `float` and `double`.
    Float,
    Boolean,
    Date,
    DateTime,
    AnyUri,
    /// `NMTOKEN`
    NameToken,
    /// `NCName` and `ID`; that identifiers occur once is not checked.
    Name,
}

/// The names that an error lists.
pub(super) const KNOWN: &str = "string, token, boolean, decimal, float, double, integer and its kinds (int, long, …), date, dateTime, anyURI, NMTOKEN, NCName, ID";

impl Datatype {
    /// The type with this name in a library.
    pub(super) fn named(library: &str, name: &str) -> Option<Datatype> {
        let at_least = |least| Datatype::Integer(Some(least), None);
        let signed = |bits: u32| Datatype::Integer(Some(-(1 << (bits - 1))), Some((1 << (bits - 1)) - 1));
        let unsigned = |bits: u32| Datatype::Integer(Some(0), Some((1 << bits) - 1));
        match (library, name) {
            ("" | XML_SCHEMA, "string") => Some(Datatype::String),
            ("" | XML_SCHEMA, "token") => Some(Datatype::Token),
            (XML_SCHEMA, name) => match name {
                "integer" => Some(Datatype::Integer(None, None)),
                "nonNegativeInteger" => Some(at_least(0)),
                "positiveInteger" => Some(at_least(1)),
                "byte" => Some(signed(8)),
                "short" => Some(signed(16)),
                "int" => Some(signed(32)),
                "long" => Some(signed(64)),
                "unsignedByte" => Some(unsigned(8)),
                "unsignedShort" => Some(unsigned(16)),
                "unsignedInt" => Some(unsigned(32)),
                "unsignedLong" => Some(unsigned(64)),
                "decimal" => Some(Datatype::Decimal),
                "float" | "double" => Some(Datatype::Float),
                "boolean" => Some(Datatype::Boolean),
                "date" => Some(Datatype::Date),
                "dateTime" => Some(Datatype::DateTime),
                "anyURI" => Some(Datatype::AnyUri),
                "NMTOKEN" => Some(Datatype::NameToken),
                "NCName" | "ID" => Some(Datatype::Name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a text has this type.
    pub(super) fn accepts(self, text: &str) -> bool {
        let text = text.trim_matches(is_space);
        match self {
            Datatype::String | Datatype::Token | Datatype::AnyUri => true,
            Datatype::Integer(least, most) => is_integer(text, least, most),
            Datatype::Decimal => is_decimal(text),
            Datatype::Float => is_float(text),
            Datatype::Boolean => matches!(text, "true" | "false" | "0" | "1"),
            Datatype::Date => Format::Date.accepts(without_zone(text)),
            Datatype::DateTime => Format::DateTime.accepts(&format!("{}Z", without_zone(text))),
            Datatype::NameToken => !text.is_empty() && text.chars().all(is_name_character),
            Datatype::Name => {
                text.starts_with(|c: char| c.is_alphabetic() || c == '_')
                    && text.chars().all(|c| c != ':' && is_name_character(c))
            }
        }
    }

    /// Whether a text of a document is the one that the grammar names.
    pub(super) fn equal(self, wanted: &str, found: &str) -> bool {
        match self {
            Datatype::String => wanted == found,
            _ => wanted.split(is_space).filter(not_empty).eq(found.split(is_space).filter(not_empty)),
        }
    }

    /// A text of the type; of those that may hold any text, one that `text` makes.
    pub(super) fn make_up(self, random: &mut Random, text: impl FnOnce(&mut Random) -> String) -> String {
        match self {
            Datatype::String | Datatype::Token => text(random),
            Datatype::Integer(least, most) => integer(random, least, most).to_string(),
            Datatype::Decimal | Datatype::Float => format!("{}.{}", random.below(1000), random.below(100)),
            Datatype::Boolean => if random.percent(50) { "true" } else { "false" }.to_string(),
            Datatype::Date => Format::Date.make_up(random),
            Datatype::DateTime => Format::DateTime.make_up(random),
            Datatype::AnyUri => Format::Uri.make_up(random),
            Datatype::NameToken | Datatype::Name => format!("n{}", random.below(10_000)),
        }
    }
}

/// White space of XML, which is less than that of Unicode.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn not_empty(text: &&str) -> bool {
    !text.is_empty()
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || "._-:".contains(c)
}

fn is_integer(text: &str, least: Option<i128>, most: Option<i128>) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    // What does not fit into 128 bits is outside every bound that it could be near.
    let edge = if text.starts_with('-') { i128::MIN } else { i128::MAX };
    let number: i128 = text.parse().unwrap_or(edge);
    least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    all_digits && !(whole.is_empty() && fraction.is_empty())
}

fn is_float(text: &str) -> bool {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    matches!(text, "INF" | "-INF" | "NaN") || is_decimal(number) && is_integer(exponent, None, None)
}

/// A date or a time without the zone that XML Schema allows at its end.
fn without_zone(text: &str) -> &str {
    let offset = text.len().checked_sub(6).and_then(|at| text.split_at_checked(at)).filter(|(_, zone)| {
        let zone = zone.as_bytes();
        matches!(zone[0], b'+' | b'-') && zone[3] == b':' && [1, 2, 4, 5].iter().all(|at| zone[*at].is_ascii_digit())
    });
    offset.map(|(rest, _)| rest).or(text.strip_suffix('Z')).unwrap_or(text)
}

fn integer(random: &mut Random, least: Option<i128>, most: Option<i128>) -> i128 {
    let low = least.unwrap_or(0).max(0);
    let high = most.unwrap_or(1000).min(1000).max(low);
    low + i128::try_from(random.below(usize::try_from(high - low).unwrap_or(0) + 1)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_named(name: &str) -> Datatype {
        Datatype::named(XML_SCHEMA, name).unwrap()
    }

    #[test]
    fn texts_are_compared_with_types() {
        for (name, good, bad) in [
            (
                "integer",
                vec!["0", "-7", "+12", " 3 ", "99999999999999999999999999999999999999999"],
                vec!["", "1.0", "x", "-", "+-1"],
            ),
            ("byte", vec!["-128", "127"], vec!["-129", "128", "99999999999999999999999999999999999999999"]),
            ("unsignedInt", vec!["0", "4294967295"], vec!["-1", "4294967296"]),
            ("positiveInteger", vec!["1"], vec!["0", "-99999999999999999999999999999999999999999"]),
            ("decimal", vec!["1", "-1.5", ".5", "1."], vec![".", "1e3", ""]),
            ("double", vec!["1e3", "-1.5E-7", "INF", "NaN"], vec!["1e", "e1", "inf"]),
            ("boolean", vec!["true", "0"], vec!["yes", "TRUE"]),
            ("date", vec!["2024-02-29", "2024-01-01Z", "2024-01-01+02:00"], vec!["2023-02-29", "2024-1-1", "ä-00:00"]),
            ("dateTime", vec!["2024-01-01T10:00:00", "2024-01-01T10:00:00.5-01:00"], vec!["2024-01-01", "10:00"]),
            ("NMTOKEN", vec!["7a:b"], vec!["a b", ""]),
            ("NCName", vec!["a-7", "_x"], vec!["7a", "a:b"]),
        ] {
            good.iter().for_each(|text| assert!(type_named(name).accepts(text), "{text} is {name}"));
            bad.iter().for_each(|text| assert!(!type_named(name).accepts(text), "{text} is not of the type {name}"));
        }
        assert!(Datatype::Token.equal("a b", " a\n b ") && !Datatype::String.equal("a b", "a  b"));
        assert_eq!((Datatype::named("", "integer"), Datatype::named("http://other", "string")), (None, None));
    }

    #[test]
    fn made_up_texts_have_their_type() {
        let mut random = Random::new(3);
        for name in [
            "integer",
            "byte",
            "positiveInteger",
            "unsignedLong",
            "decimal",
            "float",
            "boolean",
            "date",
            "dateTime",
            "anyURI",
            "NMTOKEN",
            "ID",
        ] {
            for _ in 0..200 {
                let text = type_named(name).make_up(&mut random, |_| unreachable!());
                assert!(type_named(name).accepts(&text), "{text} is {name}");
            }
        }
    }
}
