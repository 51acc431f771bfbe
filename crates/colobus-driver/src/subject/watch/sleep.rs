//! [`Sleep`]: what a thread waits for, read from the system call that it sleeps in.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use colobus_process::Status;
use rustix::time::{ClockId, clock_gettime};

use super::processes::Thread;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleep {
    /// It does not sleep.
    Runs,
    /// Until something comes: a connection, bytes, a child's end, another thread's call.
    UntilCalled,
    /// The same, or until this much time has passed since it fell asleep.
    AtMost(Duration),
    /// The thread is no more.
    Ended,
}

/// How a system call says how long it waits at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Never,
    /// The argument with this number is milliseconds; negative means never.
    Milliseconds(usize),
    /// The argument with this number is the address of seconds and a fraction of so many parts; none means never.
    Address(usize, u32),
    Futex,
    ClockNanosleep,
}

const NANO: u32 = 1_000_000_000;
const MICRO: u32 = 1_000_000;

#[cfg(target_arch = "x86_64")]
fn limit_of(call: u64) -> Option<Limit> {
    Some(match call {
        // read, readv, recvfrom, recvmsg, accept, accept4, wait4, waitid, pause, rt_sigsuspend
        0 | 19 | 45 | 47 | 43 | 288 | 61 | 247 | 34 | 130 => Limit::Never,
        // epoll_wait, epoll_pwait; epoll_pwait2
        232 | 281 => Limit::Milliseconds(3),
        441 => Limit::Address(3, NANO),
        // poll; ppoll
        7 => Limit::Milliseconds(2),
        271 => Limit::Address(2, NANO),
        // select; pselect6
        23 => Limit::Address(4, MICRO),
        270 => Limit::Address(4, NANO),
        // nanosleep; clock_nanosleep; futex
        35 => Limit::Address(0, NANO),
        230 => Limit::ClockNanosleep,
        202 => Limit::Futex,
        _ => return None,
    })
}

#[cfg(target_arch = "aarch64")]
fn limit_of(call: u64) -> Option<Limit> {
    Some(match call {
        // read, readv, recvfrom, recvmsg, accept, accept4, wait4, waitid, rt_sigsuspend
        63 | 65 | 207 | 212 | 202 | 242 | 260 | 95 | 133 => Limit::Never,
        // epoll_pwait; epoll_pwait2
        22 => Limit::Milliseconds(3),
        441 => Limit::Address(3, NANO),
        // ppoll; pselect6
        73 => Limit::Address(2, NANO),
        72 => Limit::Address(4, NANO),
        // nanosleep; clock_nanosleep; futex
        101 => Limit::Address(0, NANO),
        115 => Limit::ClockNanosleep,
        98 => Limit::Futex,
        _ => return None,
    })
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn limit_of(_call: u64) -> Option<Limit> {
    None
}

impl Thread {
    pub fn sleep(&self) -> Result<Sleep, String> {
        match self.state()? {
            None | Some('Z' | 'X') => return Ok(Sleep::Ended),
            Some('S' | 'I') => {}
            // `T`: another world has stopped it for a moment.
            Some('R' | 'D' | 'T') => return Ok(Sleep::Runs),
            Some(other) => return Err(format!("one of its threads is in state {other}")),
        }
        let Some(text) = self.read("syscall")? else { return Ok(Sleep::Ended) };
        let Some((call, arguments)) = parse(&text) else { return Ok(Sleep::Runs) };
        let limit = limit_of(call).ok_or_else(|| format!("one of its threads sleeps in system call {call}"))?;
        self.resolve(limit, &arguments)
    }

    /// Whether it does nothing until it is told to go on, or has ended.
    pub fn is_stopped(&self) -> bool {
        matches!(self.state(), Ok(None | Some('T' | 't' | 'Z' | 'X')))
    }

    /// How often it has been given a processor.
    pub fn switches(&self) -> Result<u64, String> {
        let status = self.read("status")?.unwrap_or_default();
        let counts = status.lines().filter_map(|line| line.split_once("ctxt_switches:"));
        Ok(counts.filter_map(|(_, count)| count.trim().parse::<u64>().ok()).sum())
    }

    fn resolve(&self, limit: Limit, arguments: &[u64; 6]) -> Result<Sleep, String> {
        let relative = |time: Option<Duration>| time.map_or(Sleep::UntilCalled, Sleep::AtMost);
        Ok(match limit {
            Limit::Never => Sleep::UntilCalled,
            Limit::Milliseconds(argument) => {
                // The kernel takes the lower half as a signed number.
                let time = u64::try_from(arguments[argument] as u32 as i32);
                relative(time.ok().map(Duration::from_millis))
            }
            Limit::Address(argument, parts) => relative(self.time_at(arguments[argument], parts)?),
            Limit::ClockNanosleep => {
                let time = self.time_at(arguments[2], NANO)?;
                let absolute = arguments[1] & 1 != 0;
                relative(if absolute { time.map(|time| until(time, arguments[0] == 0)) } else { time })
            }
            Limit::Futex => {
                let (operation, on_real_clock) = (arguments[1] & 0x7f, arguments[1] & 0x100 != 0);
                match operation {
                    // FUTEX_WAIT: from when it fell asleep.
                    0 => relative(self.time_at(arguments[3], NANO)?),
                    // FUTEX_WAIT_BITSET and the kinds of locks: a moment.
                    _ => relative(self.time_at(arguments[3], NANO)?.map(|time| until(time, on_real_clock))),
                }
            }
        })
    }

    /// Seconds and a fraction in the memory of its process.
    fn time_at(&self, address: u64, parts: u32) -> Result<Option<Duration>, String> {
        if address == 0 {
            return Ok(None);
        }
        let mut bytes = [0; 16];
        let memory = File::open(format!("/proc/{}/mem", self.process));
        let read = memory.and_then(|memory| memory.read_exact_at(&mut bytes, address));
        read.map_err(|error| format!("how long one of its threads sleeps cannot be read: {error}"))?;
        let number = |at: usize| u64::from_ne_bytes(std::array::from_fn(|index| bytes[at + index]));
        let (seconds, fraction) = (number(0), number(8) * u64::from(NANO / parts));
        Ok(Some(
            Duration::from_secs(seconds.min(u64::from(u32::MAX))) + Duration::from_nanos(fraction.min(NANO.into())),
        ))
    }

    /// The state of the scheduler: a letter.
    fn state(&self) -> Result<Option<char>, String> {
        let Some(text) = self.read("stat")? else { return Ok(None) };
        Ok(Status::parse(&text).map(|status| status.state))
    }

    /// Nothing if the thread is no more.
    fn read(&self, file: &str) -> Result<Option<String>, String> {
        match fs::read_to_string(format!("/proc/{}/task/{}/{file}", self.process, self.id)) {
            Ok(text) => Ok(Some(text)),
            // ESRCH: it ended while the file was open.
            Err(error) if error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(3) => Ok(None),
            Err(error) => Err(format!("its threads cannot be looked at: {error}")),
        }
    }
}

/// The time from now to a moment on the real or the monotonic clock.
fn until(moment: Duration, on_real_clock: bool) -> Duration {
    let now = clock_gettime(if on_real_clock { ClockId::Realtime } else { ClockId::Monotonic });
    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
    let now = Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(now.tv_nsec).unwrap_or_default());
    moment.saturating_sub(now)
}

/// The number and the arguments of the call that a thread sleeps in; nothing if it is in none.
fn parse(text: &str) -> Option<(u64, [u64; 6])> {
    let mut words = text.split_whitespace();
    let call = words.next()?.parse().ok()?;
    let mut arguments = [0; 6];
    for argument in &mut arguments {
        *argument = u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
    }
    Some((call, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_arguments_are_read_and_what_runs_has_none() {
        let line = "281 0xd 0x7ffd4a 0x400 0x7d0 0x0 0x8 0x7ffd4a55 0x7f1c\n";
        assert_eq!(parse(line), Some((281, [0xd, 0x7ffd4a, 0x400, 0x7d0, 0, 8])));
        assert_eq!(parse("running\n"), None);
        assert_eq!(parse("-1 0x7ffd 0x7f1c\n"), None);
    }

    #[test]
    fn milliseconds_are_signed_words() {
        let thread = Thread { id: 1, process: 1 };
        let sleep = |value: u64| thread.resolve(Limit::Milliseconds(3), &[0, 0, 0, value, 0, 0]).unwrap();
        assert_eq!(sleep(0x7d0), Sleep::AtMost(Duration::from_secs(2)));
        assert_eq!(sleep(0xffff_ffff), Sleep::UntilCalled);
        assert_eq!(sleep(0xffff_ffff_ffff_ffff), Sleep::UntilCalled);
        assert_eq!(sleep(0), Sleep::AtMost(Duration::ZERO));
    }
}
