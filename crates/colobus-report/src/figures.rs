//! Numbers and times as people read them.

use std::time::Duration;

/// `1234567` as `1,234,567`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 finding`, `3 findings`.
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// Two units at most: `0.8 s`, `42 s`, `3 min 20 s`, `1 h 5 min`.
pub(crate) fn spoken(time: Duration) -> String {
    let tenths = (time.as_secs_f64() * 10.0).round();
    if tenths < 100.0 {
        return format!("{:.1} s", tenths / 10.0);
    }
    let seconds = time.as_secs_f64().round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// Seconds of a report, which may come from a file and need not be a sensible number.
pub(crate) fn spoken_seconds(seconds: f64) -> String {
    spoken(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let shown: Vec<String> = [0, 7, 999, 1000, 12345, 1234567].map(grouped).into();
        assert_eq!(shown, ["0", "7", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn times_have_two_units_at_most() {
        let shown: Vec<String> =
            [0, 840, 9_940, 9_960, 41_600, 200_000, 3_900_000].map(|ms| spoken(Duration::from_millis(ms))).into();
        assert_eq!(shown, ["0.0 s", "0.8 s", "9.9 s", "10 s", "42 s", "3 min 20 s", "1 h 5 min"]);
        assert_eq!(spoken_seconds(f64::NAN), "0.0 s");
        assert_eq!(spoken_seconds(-1.0), "0.0 s");
    }
}
