//! Shares such as `20%`.

/// From 0 to 1.
pub fn parse_percent(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is not a share: write 0% to 100%");
    let number: f64 = text.strip_suffix('%').unwrap_or(text).trim().parse().map_err(|_| wrong())?;
    if (0.0..=100.0).contains(&number) { Ok(number / 100.0) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::parse_percent;

    #[test]
    fn a_share_is_between_nothing_and_all() {
        assert_eq!(parse_percent("20%"), Ok(0.2));
        assert_eq!(parse_percent("0"), Ok(0.0));
        for wrong in ["", "%", "-1%", "101%", "NaN", "a few"] {
            assert_eq!(parse_percent(wrong), Err(format!("`{wrong}` is not a share: write 0% to 100%")));
        }
    }
}
