//! [`Format`]: kinds of strings that are values by themselves (UUIDs, dates, hashes, …). Consumed by shapes, by the
//! learner for path fragments, and by instances.

use colobus_model::UrlParts;
use colobus_random::Random;

/// A format, most specific first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    Uuid,
    DateTime,
    Date,
    Email,
    Uri,
    Ipv4,
}

const ALL: [Format; 6] = [Format::Uuid, Format::DateTime, Format::Date, Format::Email, Format::Uri, Format::Ipv4];

impl Format {
    /// Every format of the text. Formats exclude each other, so there is one at most.
    pub fn of(text: &str) -> Option<Format> {
        ALL.into_iter().find(|format| format.accepts(text))
    }

    /// The name that JSON Schema has for it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Uuid => "uuid",
            Format::DateTime => "date-time",
            Format::Date => "date",
            Format::Email => "email",
            Format::Uri => "uri",
            Format::Ipv4 => "ipv4",
        }
    }

    pub fn named(name: &str) -> Option<Format> {
        ALL.into_iter().find(|format| format.name() == name)
    }

    pub fn accepts(self, text: &str) -> bool {
        match self {
            Format::Uuid => like(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
            Format::Date => is_date(text),
            Format::DateTime => is_date_time(text),
            Format::Email => is_email(text),
            Format::Uri => is_uri(text),
            Format::Ipv4 => text.split('.').count() == 4 && text.split('.').all(is_octet),
        }
    }

    /// A text of the format.
    pub fn make_up(self, random: &mut Random) -> String {
        let date = |random: &mut Random| {
            format!("{}-{:02}-{:02}", 1970 + random.below(80), 1 + random.below(12), 1 + random.below(28))
        };
        match self {
            Format::Uuid => {
                let (a, b) = (random.number(), random.number());
                format!(
                    "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
                    a >> 32,
                    a & 0xffff,
                    b >> 52,
                    a >> 16 & 0xfff,
                    b & 0xffff_ffff_ffff
                )
            }
            Format::Date => date(random),
            Format::DateTime => {
                format!("{}T{:02}:{:02}:{:02}Z", date(random), random.below(24), random.below(60), random.below(60))
            }
            Format::Email => format!("user{}@example.org", random.below(10_000)),
            Format::Uri => format!("http://example.org/{}", random.below(10_000)),
            Format::Ipv4 => format!("192.0.2.{}", random.below(256)),
        }
    }
}

/// `x` is a hexadecimal digit, `d` a decimal one, everything else itself.
fn like(text: &str, pattern: &str) -> bool {
    text.len() == pattern.len()
        && text.bytes().zip(pattern.bytes()).all(|(found, wanted)| match wanted {
            b'x' => found.is_ascii_hexdigit(),
            b'd' => found.is_ascii_digit(),
            other => found == other,
        })
}

fn is_date(text: &str) -> bool {
    let number = |from: usize, to: usize| text[from..to].parse::<u32>().unwrap_or(0);
    if !like(text, "dddd-dd-dd") {
        return false;
    }
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (1..=12).contains(&month) && (1..=days).contains(&day)
}

/// RFC 3339: with a zone.
fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't']) else { return false };
    let (clock, zone) = match time.find(['Z', 'z', '+', '-']) {
        Some(at) => time.split_at(at),
        None => return false,
    };
    let (seconds, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let in_range = |text: &str, ends: [u32; 3]| {
        text.split(':').zip(ends).all(|(part, end)| part.parse::<u32>().is_ok_and(|number| number < end))
    };
    let zone_fits = zone.eq_ignore_ascii_case("z") || (like(&zone[1..], "dd:dd") && in_range(&zone[1..], [24, 60, 60]));
    let fraction_fits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    is_date(date) && like(seconds, "dd:dd:dd") && in_range(seconds, [24, 60, 60]) && fraction_fits && zone_fits
}

fn is_email(text: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && part.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
    };
    let host = |part: &str| plain(part) && part.contains('.') && !part.contains('_') && part.len() < 64;
    text.split_once('@').is_some_and(|(user, domain)| user.len() <= 64 && plain(user) && host(domain))
}

fn is_uri(text: &str) -> bool {
    let character = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=".contains(&byte);
    UrlParts::of(text).is_some_and(|UrlParts { scheme, authority, rest, .. }| {
        ["http", "https"].contains(&scheme)
            && is_authority(authority)
            && rest.bytes().all(character)
            && rest.matches('#').count() <= 1
            && !rest.contains(":/")
    })
}

/// A number below 256, without leading zeros.
fn is_octet(text: &str) -> bool {
    text.parse::<u8>().is_ok_and(|number| number.to_string() == text)
}

/// A host, and a port if there is one.
fn is_authority(text: &str) -> bool {
    let (host, port) = text.split_once(':').unwrap_or((text, "80"));
    let name = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    host.starts_with(|c: char| c.is_ascii_alphanumeric()) && host.bytes().all(name) && port.parse::<u16>().is_ok()
}

/// True for a text that identifies one thing by its looks: a UUID, a number, a hash, a date, an address, a long token.
pub fn is_value(text: &str) -> bool {
    if text.is_empty() {
        return false;
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let number = digits == text.len() || (text.starts_with('-') && digits == text.len() - 1 && digits > 0);
    number
        || matches!(Format::of(text), Some(Format::Uuid | Format::Date | Format::DateTime | Format::Email))
        || is_token(text)
}

/// True for hashes, session identifiers and other long texts that users do not type.
pub fn is_token(text: &str) -> bool {
    let text = text.split_once(';').map_or(text, |(_, session)| session);
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let upper = text.bytes().any(|byte| byte.is_ascii_uppercase());
    let lower = text.bytes().any(|byte| byte.is_ascii_lowercase());
    let alphabet = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.=+/".contains(&byte));
    let web_token = text.starts_with("eyJ") && text.len() > 30;
    let words = text
        .split(['-', '_', '.'])
        .filter(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic()))
        .count();
    (hexadecimal && text.len() >= 12 && digits > 0 && letters > 0)
        || web_token
        || (alphabet && text.len() >= 20 && digits >= 3 && words < 2 && (upper && lower || digits * 4 >= text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        for (text, format) in [
            ("6f1c0b6e-9c4e-4f0a-8d0a-0f6c1b2a3d4e", Some(Format::Uuid)),
            ("2024-02-29", Some(Format::Date)),
            ("2023-02-29", None),
            ("2024-02-29T10:00:00.123Z", Some(Format::DateTime)),
            ("2024-02-29T10:00:00+01:00", Some(Format::DateTime)),
            ("2024-02-29T10:00:00", None),
            ("ann@example.org", Some(Format::Email)),
            ("ann@localhost", None),
            ("https://example.org/a?b=c", Some(Format::Uri)),
            ("http://", None),
            ("10.0.0.1", Some(Format::Ipv4)),
            ("hello", None),
            ("", None),
        ] {
            assert_eq!(Format::of(text), format, "{text}");
        }
    }

    #[test]
    fn made_up_texts_have_their_format() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            for format in ALL {
                let text = format.make_up(&mut random);
                assert_eq!(Format::of(&text), Some(format), "{text}");
            }
        }
    }

    #[test]
    fn values_are_told_from_names() {
        for value in [
            "7",
            "-1",
            "d41d8cd98f00b204e9800998ecf8427e",
            "2024-01-01",
            "a@b.org",
            "list;jsessionid=1A2B3C4D5E6F7A8B",
            "V1StGXR8_Z5jdHi6B-myT1",
        ] {
            assert!(is_value(value), "{value}");
        }
        for name in [
            "users",
            "v1",
            "news-latest",
            "getAllUsersByNameAndDate",
            "deadbeef",
            "python3",
            "a-very-long-route-name-2",
        ] {
            assert!(!is_value(name), "{name}");
        }
    }
}
