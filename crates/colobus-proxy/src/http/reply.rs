//! Answers that the proxy gives itself.

/// A complete response that says in plain words what happened, after which the connection closes.
pub(crate) fn reply(status: u16, what_happened: &str) -> Vec<u8> {
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        407 => "Proxy Authentication Required",
        421 => "Misdirected Request",
        502 => "Bad Gateway",
        504 => "Gateway Timeout",
        508 => "Loop Detected",
        _ => "Error",
    };
    let body = format!("colobus: {what_happened}\n");
    let length = body.len();
    let challenge = if status == 407 { "Proxy-Authenticate: Basic realm=\"colobus\"\r\n" } else { "" };
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
         {challenge}Connection: close\r\n\r\n{body}"
    )
    .into_bytes()
}
