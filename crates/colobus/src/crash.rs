//! What happens when Colobus itself has a bug: no panic message, but a request to report it.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use crate::output::tell;

/// The result of `work`, or `None` if it panicked; then standard error says what to do.
pub fn guard<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::set_hook(Box::new(|info| tell(&request_for_report(info))));
    panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

fn request_for_report(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    format!(
        "error: this is a bug in colobus {version}, not in your application\n  \
         what: {what}\n  where: {place}\n  command: colobus {arguments}\n\
         Please report it with these lines. What was found so far is kept; `colobus check --resume` continues.",
        version = env!("CARGO_PKG_VERSION"),
        what = message(info),
        arguments = arguments.join(" "),
    )
}

/// A panic carries a literal or a formatted text.
fn message<'a>(info: &'a PanicHookInfo<'_>) -> &'a str {
    let payload = info.payload();
    let formatted = || payload.downcast_ref::<String>().map(String::as_str);
    payload.downcast_ref::<&str>().copied().or_else(formatted).unwrap_or("unknown")
}
