//! Recordings of all kinds, for laws.

use colobus_record::{
    Button, DialogKind, Element, Entry, Event, Hints, Hop, Key, Line, Modifiers, Mouse, Path, PathStep, Point,
    Recording, Timing, Viewport, Who,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::strategy::Union;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,4}",
        "\\PC{0,6}",
        Just("a\"b\\c\n\t\u{1}".to_string()),
        Just("\r\u{2028}\u{202e}\u{9b}\u{85}#".to_string())
    ]
}

/// Of a file beside the recording.
fn file_name() -> impl Strategy<Value = String> {
    text().prop_map(|text| format!("f{}", text.replace(['/', '\0'], "_")))
}

fn point() -> impl Strategy<Value = Point> {
    (-4000i32..4000, 0i32..4000).prop_map(|(x, y)| Point { x: f64::from(x) / 4.0, y: f64::from(y) / 4.0 })
}

fn step() -> impl Strategy<Value = PathStep> {
    let attributes = vec((prop_oneof![Just("id".to_string()), Just("name".to_string())], text()), 0..2);
    (any::<bool>(), "[a-z]{1,3}(-[a-z]{1,2})?", option::of(1u32..9), attributes)
        .prop_map(|(deep, tag, position, attributes)| PathStep { deep, tag, position, attributes })
}

pub fn path() -> impl Strategy<Value = Path> {
    vec(step(), 1..4).prop_map(|steps| Path { steps })
}

fn element() -> impl Strategy<Value = Element> {
    let entry = prop_oneof![Just(Entry::Frame), Just(Entry::Shadow)];
    let deeper = vec((entry, path()).prop_map(|(entry, path)| Hop { entry, path }), 0..3);
    let hints = (option::of(text()), option::of(text()), option::of(text()), option::of(point()))
        .prop_map(|(role, label, text, at)| Hints { role, label, text, at });
    (path(), deeper, hints).prop_map(|(path, deeper, hints)| {
        let hops = std::iter::once(Hop { entry: Entry::Tab, path }).chain(deeper).collect();
        Element { hops, hints }
    })
}

fn modifiers() -> impl Strategy<Value = Modifiers> {
    (0u32..16).prop_map(Modifiers::from_bits)
}

fn mouse() -> impl Strategy<Value = Mouse> {
    (element(), point(), 0usize..5, modifiers()).prop_map(|(on, at, button, held)| Mouse {
        on,
        at,
        button: Button::ALL[button],
        held,
    })
}

fn key() -> impl Strategy<Value = Key> {
    (text(), "[A-Za-z0-9]{0,5}", 0u32..256).prop_map(|(key, code, virtual_code)| Key { key, code, virtual_code })
}

fn event() -> impl Strategy<Value = Event> {
    let kinds: Vec<BoxedStrategy<Event>> = vec![
        text().prop_map(Event::Open).boxed(),
        text().prop_map(Event::Arrive).boxed(),
        text().prop_map(Event::Popup).boxed(),
        prop_oneof![Just(Event::Reload), Just(Event::Back), Just(Event::Forward), Just(Event::Close)].boxed(),
        Just(Event::Abandon).boxed(),
        (mouse(), 1u32..4).prop_map(|(mouse, count)| Event::Press(mouse, count)).boxed(),
        (mouse(), 1u32..4).prop_map(|(mouse, count)| Event::Click(mouse, count)).boxed(),
        mouse().prop_map(Event::DoubleClick).boxed(),
        point().prop_map(Event::Move).boxed(),
        (mouse(), mouse(), vec(point(), 0..3)).prop_map(|(from, to, via)| Event::Drag { from, to, via }).boxed(),
        (mouse(), mouse(), vec(point(), 0..3)).prop_map(|(from, to, via)| Event::Carry { from, to, via }).boxed(),
        (element(), key(), modifiers(), any::<bool>())
            .prop_map(|(on, key, held, again)| Event::Down { on, key, held, again })
            .boxed(),
        (element(), key(), modifiers()).prop_map(|(on, key, held)| Event::Up { on, key, held }).boxed(),
        (element(), key(), modifiers()).prop_map(|(on, key, held)| Event::Type { on, key, held }).boxed(),
        (element(), vec(text(), 0..3), text())
            .prop_map(|(on, stages, commit)| Event::Compose { on, stages, commit })
            .boxed(),
        (element(), text()).prop_map(|(on, text)| Event::Insert { on, text }).boxed(),
        (text(), option::of(text())).prop_map(|(text, html)| Event::Clipboard { text, html }).boxed(),
        element().prop_map(|on| Event::Paste { on }).boxed(),
        (element(), "COLOBUS_SECRET_[A-Z_]{1,9}").prop_map(|(on, variable)| Event::Secret { on, variable }).boxed(),
        (element(), point(), vec(text(), 0..3)).prop_map(|(on, at, values)| Event::Choose { on, at, values }).boxed(),
        (element(), text()).prop_map(|(on, value)| Event::Set { on, value }).boxed(),
        (element(), vec(file_name(), 0..3)).prop_map(|(on, names)| Event::Files { on, names }).boxed(),
        (element(), point()).prop_map(|(on, to)| Event::Scroll { on, to }).boxed(),
        (0usize..4, any::<bool>(), option::of(text()))
            .prop_map(|(kind, accept, text)| Event::Dialog { kind: DialogKind::ALL[kind], accept, text })
            .boxed(),
    ];
    Union::new(kinds)
}

pub fn recording() -> impl Strategy<Value = Recording> {
    let who = (0usize..3, 1u32..4).prop_map(|(client, tab)| Who { client, tab });
    let line = (who, event(), 0u64..5000, 0usize..3).prop_map(|(who, event, after_ms, timing)| Line {
        who,
        event,
        after_ms,
        timing: Timing::ALL[timing],
    });
    (1u32..5000, 1u32..5000, vec(line, 0..12))
        .prop_map(|(width, height, lines)| Recording { viewport: Viewport { width, height }, lines })
}
