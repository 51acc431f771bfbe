//! Numbers and strings as JavaScript converts them into each other.

use colobus_solver::Text;

/// The units that `trim`, `Number` and `parseInt` skip.
pub const WHITESPACE: [(u16, u16); 10] = [
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];

fn is_whitespace(unit: u16) -> bool {
    WHITESPACE.iter().any(|(low, high)| (*low..=*high).contains(&unit))
}

/// `text.trim()`.
pub fn trim(text: &Text) -> Text {
    let start = text.0.iter().position(|unit| !is_whitespace(*unit)).unwrap_or(text.len());
    let end = text.0.iter().rposition(|unit| !is_whitespace(*unit)).map_or(start, |last| last + 1);
    text.slice(start, end)
}

/// `Number(text)`.
pub fn from_text(text: &Text) -> f64 {
    let trimmed = trim(text).to_string();
    let lower = trimmed.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = lower.strip_prefix(prefix) {
            return if digits.is_empty() { f64::NAN } else { whole(digits, radix).unwrap_or(f64::NAN) };
        }
    }
    match trimmed.as_str() {
        "" => 0.0,
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        // Rust reads more than JavaScript does: `inf`, `nan`.
        other if other.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) => {
            other.parse().unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}

/// `parseInt(text)`.
pub fn parse_int(text: &Text) -> f64 {
    let trimmed = trim(text).to_string();
    let (negative, rest) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, &trimmed[..]),
    };
    let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let (rest, radix) = if hexadecimal { (&rest[2..], 16) } else { (rest, 10) };
    let end = rest.find(|c: char| !c.is_digit(radix)).unwrap_or(rest.len());
    let value = if end == 0 { f64::NAN } else { whole(&rest[..end], radix).unwrap_or(f64::NAN) };
    if negative { -value } else { value }
}

/// The number that digits stand for; `None` if one of them is no digit.
fn whole(digits: &str, radix: u32) -> Option<f64> {
    if !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    if radix == 10 {
        return digits.parse().ok();
    }
    match u128::from_str_radix(digits, radix) {
        Ok(exact) => Some(exact as f64),
        // Beyond 128 bits the sum of the digits' values may differ in the last place.
        Err(_) => Some(
            digits
                .chars()
                .filter_map(|d| d.to_digit(radix))
                .fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit)),
        ),
    }
}

/// `String(number)`: the shortest digits that read back as the same number, with an exponent where JavaScript has one.
pub fn to_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    if value == 0.0 {
        return "0".into();
    }
    let sign = if value < 0.0 { "-" } else { "" };
    // Of several shortest ones JavaScript takes the nearest, and of two nearest ones the even one, as this rounding does.
    let shortest = format!("{:e}", value.abs());
    let decimals = shortest.split_once('e').map_or(0, |(mantissa, _)| mantissa.len().saturating_sub(2));
    let scientific = format!("{:.decimals$e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let count = digits.len() as i32;
    // The decimal point stands before digit `point`.
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let written = match point {
        1..=21 if count <= point => format!("{digits}{}", "0".repeat((point - count) as usize)),
        1..=21 => format!("{}.{}", &digits[..point as usize], &digits[point as usize..]),
        -5..=0 => format!("0.{}{digits}", "0".repeat(-point as usize)),
        _ => {
            let exponent = point - 1;
            let fraction = if count > 1 { format!(".{}", &digits[1..]) } else { String::new() };
            format!("{}{fraction}e{}{}", &digits[..1], if exponent < 0 { "-" } else { "+" }, exponent.abs())
        }
    };
    format!("{sign}{written}")
}
