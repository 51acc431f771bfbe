//! [`Output`]: the last lines that an application wrote, kept for the moment in which they explain something.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const KEPT_LINES: usize = 30;
/// A line without end is cut here.
const LONGEST_LINE: u64 = 4096;
const LAST_WORDS: Duration = Duration::from_millis(500);

#[derive(Default)]
pub struct Output {
    lines: Arc<Mutex<VecDeque<String>>>,
    readers: Mutex<Vec<JoinHandle<()>>>,
}

impl Output {
    /// Reads a stream to its end, so that the application never blocks on writing.
    pub fn follow(&self, stream: Option<impl Read + Send + 'static>) {
        let Some(stream) = stream else { return };
        let lines = self.lines.clone();
        let reader = thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            let mut line = Vec::new();
            while matches!(stream.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line), Ok(1..)) {
                let text = String::from_utf8_lossy(&line).trim_end().to_string();
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                if lines.len() == KEPT_LINES {
                    lines.pop_front();
                }
                lines.push_back(text);
                line.clear();
            }
        });
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
    }

    /// Whether everybody who could write has ended.
    pub fn has_ended(&self) -> bool {
        let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.iter().all(JoinHandle::is_finished)
    }

    /// Waits for the last words of an application that has exited. Not for those of programs it left behind, which may
    /// hold its streams open for ever.
    pub fn wait_for_end(&self) {
        let deadline = Instant::now() + LAST_WORDS;
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
    }

    pub fn last_lines(&self) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.is_empty() {
            return "(none)".to_string();
        }
        Vec::from(lines.clone()).join("\n")
    }
}

/// The end of what a program wrote.
pub fn last_lines(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(KEPT_LINES)..].join("\n")
}
