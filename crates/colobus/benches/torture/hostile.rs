//! [`trial`]: a search of a page that misbehaves. It has to end in time, account for everything, and not be green.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::family;
use crate::outcome::Outcome;
use crate::search::Search;

/// How long a search may take, and how long its end may.
const TIMEOUT: &str = "--timeout=20s";

/// What each page does, by name: markup in a page with two buttons, `#one` and `#two`.
pub const PAGES: &[(&str, &str)] = &[
    ("never ready", "<script>window.ready = false</script>"),
    ("spins when loaded", "<script>for (;;) {}</script>"),
    ("spins when clicked", "<script>onclick = () => { for (;;) {} }</script>"),
    ("spins in a timer", "<script>setTimeout(() => { for (;;) {} }, 50)</script>"),
    ("spins in microtasks", "<script>const again = () => Promise.resolve().then(again); again()</script>"),
    (
        "spins in frames",
        "<script>const again = () => { document.title = Math.random(); requestAnimationFrame(again) }; again()</script>",
    ),
    ("timers without end", "<script>setInterval(() => document.title += '.', 1)</script>"),
    ("asks without end", "<script>const ask = () => fetch('/ask').then(ask, ask); ask()</script>"),
    ("asks and is never answered", "<script>fetch('/silence')</script>"),
    (
        "asks with XMLHttpRequest, synchronously, for ever",
        "<script>onclick = () => { const r = new XMLHttpRequest(); r.open('GET', '/silence', false); r.send() }</script>",
    ),
    ("alerts without end", "<script>setInterval(() => alert('again'), 10)</script>"),
    ("confirms when clicked", "<script>onclick = () => { while (!confirm('sure?')); }</script>"),
    ("prompts when loaded", "<script>prompt('name?')</script>"),
    (
        "asks before it is left",
        "<script>onbeforeunload = (event) => { event.preventDefault(); return 'stay' }</script>",
    ),
    ("goes elsewhere when loaded", "<script>location.href = '/elsewhere'</script>"),
    ("goes elsewhere when clicked", "<script>onclick = () => { location.href = '/elsewhere' }</script>"),
    ("goes to another origin", "<script>location.href = 'http://localhost:1/'</script>"),
    ("goes to about:blank", "<script>onclick = () => { location.href = 'about:blank' }</script>"),
    ("reloads without end", "<script>setTimeout(() => location.reload(), 10)</script>"),
    ("closes itself", "<script>onclick = () => { window.open('', '_self'); window.close() }</script>"),
    ("opens windows without end", "<script>setInterval(() => window.open('/'), 20)</script>"),
    ("removes its document", "<script>onclick = () => document.documentElement.remove()</script>"),
    (
        "writes its document anew",
        "<script>onclick = () => { document.open(); document.write('<p>gone'); document.close() }</script>",
    ),
    (
        "grows without end",
        "<script>setInterval(() => { for (let i = 0; i < 1000; i++) document.body.append(document.createElement('p')) }, 10)</script>",
    ),
    ("takes memory", "<script>const kept = []; setInterval(() => kept.push(new Uint8Array(8e6).fill(1)), 20)</script>"),
    (
        "nests deeply",
        "<script>let at = document.body; for (let i = 0; i < 20000; i++) { const next = document.createElement('div'); at.append(next); at = next }</script>",
    ),
    ("is very tall", "<style>body { height: 33554000px }</style>"),
    ("throws in every task", "<script>setInterval(() => { throw new Error('again') }, 5)</script>"),
    (
        "logs without end",
        "<script>setInterval(() => { for (let i = 0; i < 500; i++) console.error('x'.repeat(1000)) }, 10)</script>",
    ),
    (
        "replaces built-in functions",
        "<script>Promise.prototype.then = JSON.stringify = Array.prototype.map = Function.prototype.call = () => 0</script>",
    ),
    (
        "freezes its window object",
        "<script>Object.freeze(window); Object.freeze(document); Object.freeze(Object.prototype)</script>",
    ),
    (
        "takes every event",
        "<script>for (const kind of ['click', 'mousedown', 'keydown', 'input']) addEventListener(kind, (event) => { event.stopImmediatePropagation(); event.preventDefault() }, true)</script>",
    ),
    (
        "moves its buttons away",
        "<script>onmousemove = onmousedown = () => { for (const b of document.querySelectorAll('button')) b.style = 'position:fixed;left:-999px' }</script>",
    ),
    ("shows random numbers", "<p id=r></p><script>r.textContent = Math.random() + ' ' + performance.now()</script>"),
    ("debugger statements", "<script>onclick = () => { debugger }; debugger</script>"),
    (
        "workers without end",
        "<script>setInterval(() => new Worker(URL.createObjectURL(new Blob(['for (;;) {}']))), 100)</script>",
    ),
    (
        "frames within frames",
        "<script>if (window.top === window || location.hash.length < 6) document.write(`<iframe src='/${location.hash || '#'}x'></iframe>`)</script>",
    ),
    ("a socket that nobody answers", "<script>new WebSocket(`ws://${location.host}/silence`)</script>"),
    (
        "downloads when clicked",
        "<script>onclick = () => { const a = document.createElement('a'); a.href = '/elsewhere'; a.download = 'x'; a.click() }</script>",
    ),
    (
        "goes into full screen and prints",
        "<script>onclick = () => { document.body.requestFullscreen(); window.print() }</script>",
    ),
];

const BUTTONS: &str = "<button id=one>1</button><button id=two>2</button>";
const ACTIONS: &str =
    "[[action]]\nname = 'one'\nsteps = [{ click = '#one' }]\n[[action]]\nname = 'two'\nsteps = [{ click = '#two' }]\n";

/// Serves the page; `/silence` is never answered. Ends with this program.
fn site(markup: &'static str) -> anyhow::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(stream, markup));
        }
    });
    Ok(port)
}

fn serve(mut stream: TcpStream, markup: &str) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    if first.contains(" /silence") {
        thread::sleep(Duration::from_secs(3600));
    }
    let page = if first.contains(" /elsewhere") {
        "elsewhere".to_string()
    } else {
        format!("<!doctype html>{BUTTONS}{markup}")
    };
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\nContent-Length:";
    write!(stream, "{head} {}\r\n\r\n{page}", page.len())
}

pub fn trial(number: usize) -> anyhow::Result<Outcome> {
    let (name, markup) = PAGES[number % PAGES.len()];
    let ready = if name == "never ready" { "ready = 'window.ready'\n" } else { "" };
    let port = site(markup)?;
    let configuration =
        format!("[app]\nurl = 'http://127.0.0.1:{port}/?doc={{doc}}'\n{ready}[settle]\nlimit_ms = 2000\n{ACTIONS}");
    let search = Search::new(&configuration, &["--naive", "--depth=1", "--workers=1", TIMEOUT])?;
    let mut running = search.start(&[])?;
    let status = running.end()?;
    let took = running.begun.elapsed();
    let mut outcome = Outcome { amount: 1, ..Outcome::default() };
    // The time limit, and as much again for the start and the end.
    outcome.hung = usize::from(status.is_none() || took > Duration::from_secs(40));
    outcome.left_behind = family::remaining(&running.seen);
    let code = status.and_then(|status| status.code());
    let report = search.report();
    let accounts = report.as_ref().is_none_or(|report| report.counts.interactions.adds_up());
    outcome.lost = usize::from(!accounts);
    let green = code == Some(0) || !matches!(code, Some(1 | 2));
    outcome.wrong = usize::from(status.is_some() && green) + usize::from(search.said().contains("panicked"));
    let said = search.said();
    let why = said.lines().filter(|line| !line.trim().is_empty()).take(3).collect::<Vec<_>>().join(" ");
    outcome.note = format!("{name}: exit code {code:?} after {:.0} s: {why}", took.as_secs_f64());
    Ok(outcome)
}
