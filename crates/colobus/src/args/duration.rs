//! Times such as `90s`, `5m` or `1h30m`.

use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

pub fn parse_duration(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Err(_) | Ok(Duration::ZERO) => Err(format!("`{text}` is not a time: write 90s, 5m or 1h30m")),
        Ok(time) if time > LONGEST => Err(format!("`{text}` is longer than a year")),
        Ok(time) => Ok(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times() {
        for (text, milliseconds) in [
            ("60s", 60_000),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            ("250ms", 250),
            ("2min5s", 125_000),
            ("1h 5m", 3_900_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn refuses_other_texts() {
        for text in
            ["", "5", "s", "0s", "-5s", "5 quarters", "ä", "5ä", "99999999999999999999s", "18446744073709551615h"]
        {
            assert_eq!(parse_duration(text), Err(format!("`{text}` is not a time: write 90s, 5m or 1h30m")));
        }
        assert_eq!(parse_duration("9000h"), Err("`9000h` is longer than a year".to_string()));
    }
}
