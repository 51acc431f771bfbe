//! Times such as `90s`, `5m` or `1h30m`.

use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time: write 90s, 5m or 1h30m");
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let number: u64 = rest[..digits].parse().map_err(|_| wrong())?;
        let unit = &rest[digits..];
        let end = unit.find(|c: char| c.is_ascii_digit()).unwrap_or(unit.len());
        let milliseconds = match &unit[..end] {
            "ms" => 1,
            "s" => 1_000,
            "m" | "min" => 60_000,
            "h" => 3_600_000,
            _ => return Err(wrong()),
        };
        let part = number.checked_mul(milliseconds).map(Duration::from_millis).ok_or_else(wrong)?;
        total = total.checked_add(part).ok_or_else(wrong)?;
        rest = &unit[end..];
    }
    match total {
        Duration::ZERO => Err(wrong()),
        total if total > LONGEST => Err(format!("`{text}` is longer than a year")),
        total => Ok(total),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times() {
        for (text, milliseconds) in
            [("60s", 60_000), ("5m", 300_000), ("1h30m", 5_400_000), ("250ms", 250), ("2min5s", 125_000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn refuses_other_texts() {
        for text in ["", "5", "s", "0s", "-5s", "5 m", "5d", "1.5h", "ä", "5ä", "99999999999999999999s"] {
            assert_eq!(parse_duration(text), Err(format!("`{text}` is not a time: write 90s, 5m or 1h30m")));
        }
        assert_eq!(parse_duration("9000h"), Err("`9000h` is longer than a year".to_string()));
        assert!(parse_duration("18446744073709551615h").is_err(), "more than a number can hold");
    }
}
