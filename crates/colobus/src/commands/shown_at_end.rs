//! What pages show after a recording: performed twice, because only what is the same both times can be expected of a third. Consumed
//! by `colobus export`, which asserts it.

use std::path::Path;

use anyhow::bail;
use colobus_driver::{BrowserSource, ELEMENT_IN_REPLAYS, Pace, PlayOptions, Played, Player, WindowOptions, Windows};
use colobus_record::exchange::ShownAtEnd;
use colobus_record::{Origin, Reach, Recording, Who};
use colobus_run::StopSignal;
use serde_json::Value;

use super::replay_recording::secrets;
use crate::args::BrowserArgs;
use crate::{place, stop};

/// More lines of a page, and longer ones, are not asserted.
const MOST_LINES: usize = 10;
const LONGEST_LINE: usize = 200;

/// The lines that the pages of a recording show at its end, each time that it is performed at these origins.
pub fn shown_at_end(
    recording: &Recording,
    path: &Path,
    named: &[Origin],
    browser: &BrowserArgs,
) -> anyhow::Result<Vec<ShownAtEnd>> {
    let recording = &place::performed(recording, path, named)?;
    let secrets = secrets(recording)?;
    let stop = stop::on_interrupt()?;
    let perform = || texts(recording, path, named, &secrets, browser, &stop);
    let (first, second) = (perform()?, perform()?);
    let hidden: Vec<&str> = secrets.iter().map(|(_, value)| value.as_str()).collect();
    Ok(in_both(&first, &second, &hidden))
}

/// The lines of each tab that both times have, without those that tell a secret.
fn in_both(first: &[(Who, String)], second: &[(Who, String)], secrets: &[&str]) -> Vec<ShownAtEnd> {
    let mut shown = Vec::new();
    for (who, text) in first {
        let Some((_, again)) = second.iter().find(|(other, _)| other == who) else { continue };
        let again: Vec<&str> = again.lines().map(str::trim).collect();
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines().map(str::trim) {
            let tells = secrets.iter().any(|secret| !secret.is_empty() && line.contains(secret));
            let known = lines.iter().any(|known| known == line);
            let is_short = !line.is_empty() && line.chars().count() <= LONGEST_LINE;
            if is_short && again.contains(&line) && !tells && !known && lines.len() < MOST_LINES {
                lines.push(line.to_string());
            }
        }
        if !lines.is_empty() {
            shown.push(ShownAtEnd { who: *who, lines });
        }
    }
    shown
}

/// What can be read on every open tab after the recording was performed.
fn texts(
    recording: &Recording,
    path: &Path,
    named: &[Origin],
    secrets: &[(String, String)],
    browser: &BrowserArgs,
    stop: &StopSignal,
) -> anyhow::Result<Vec<(Who, String)>> {
    let windows = Windows::open(WindowOptions {
        browser: BrowserSource::new(None, browser.browser.clone()),
        headed: browser.headed,
        clients: recording.clients(),
        viewport: Some(recording.viewport),
        redact: Vec::new(),
        record: false,
        play: true,
        traffic: None,
        explore: None,
    })?;
    let mut player = Player::new(
        &windows,
        recording,
        PlayOptions {
            pace: Pace::Fast,
            strict: false,
            patience: ELEMENT_IN_REPLAYS,
            secrets: secrets.to_vec(),
            files: path.parent().map(Path::to_path_buf).unwrap_or_default(),
            reach: Reach::Only(named.to_vec()),
        },
    );
    for index in 0..recording.lines.len() {
        if stop.is_set() {
            bail!("interrupted before line {} of the recording", index + 1);
        }
        if let Played::Impossible(why) = player.play(index)? {
            bail!(
                "line {} of {} cannot be performed, so that nothing is known of its end: {why}\n  without --at it is exported as it is",
                index + 1,
                path.display()
            );
        }
    }
    windows.settle(ELEMENT_IN_REPLAYS);
    let read = windows.evaluate_all("document.body?.innerText ?? ''")?;
    Ok(read.into_iter().map(|(who, text)| (who, Value::as_str(&text).unwrap_or_default().to_string())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_again_and_tells_no_secret_is_expected() {
        let (a, b) = (Who { client: 0, tab: 1 }, Who { client: 1, tab: 1 });
        let page = |number: usize| format!("  Thank you \n\nOrder {number}\nThank you\nYou are hunter2\n");
        let long = "x".repeat(LONGEST_LINE + 1);
        let many: String = (0..2 * MOST_LINES).map(|line| format!("line {line}\n")).collect();
        let shown = in_both(
            &[(a, page(1)), (b, format!("{long}\n{many}"))],
            &[(a, page(2)), (b, format!("{long}\n{many}"))],
            &["hunter2", ""],
        );
        assert_eq!(shown[0], ShownAtEnd { who: a, lines: vec!["Thank you".into()] });
        assert_eq!((shown[1].who, shown[1].lines.len(), shown[1].lines[0].as_str()), (b, MOST_LINES, "line 0"));
        assert_eq!(in_both(&[(a, page(1))], &[], &[]), []);
    }
}
