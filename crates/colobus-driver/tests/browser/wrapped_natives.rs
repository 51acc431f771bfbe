//! The law of the canonical DOM: however a document is cut into nodes, it is the same text; and only then.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::server::Server;
use crate::stage::{A, Acting, application, run, world};

/// A paragraph: its tag, its class, and text with one of the [`MARKS`] each.
#[derive(Clone, Debug, PartialEq)]
struct Paragraph {
    tag: &'static str,
    class: Option<&'static str>,
    runs: Vec<(usize, String)>,
}

/// How text is formatted: an element and its attributes.
const MARKS: [(&str, &[&str]); 4] =
    [("", &[]), ("b", &[]), ("i", &[]), ("span", &["class=\"red wide\"", "title=\"x\"", "style=\"color:red;top:0\""])];
/// Names that nobody chose.
const GENERATED: [&str; 4] = ["", "id=\":r5:\"", "id=\"550e8400-e29b-41d4-a716-446655440000\"", "id=\"1234567\""];

fn paragraph() -> impl Strategy<Value = Paragraph> {
    let tag = prop_oneof![Just("p"), Just("h1")];
    let class = prop_oneof![Just(None), Just(Some("quote"))];
    let runs = prop::collection::vec((0..MARKS.len(), "[abc]{1,4}"), 1..4);
    (tag, class, runs).prop_map(|(tag, class, runs)| Paragraph { tag, class, runs })
}

/// Neighbours with the same mark are one text: what the document means.
fn meaning(document: &[Paragraph]) -> Vec<Paragraph> {
    let merged = |paragraph: &Paragraph| {
        let mut runs: Vec<(usize, String)> = Vec::new();
        for (mark, text) in &paragraph.runs {
            match runs.last_mut() {
                Some((last, before)) if last == mark => before.push_str(text),
                _ => runs.push((*mark, text.clone())),
            }
        }
        Paragraph { runs, ..paragraph.clone() }
    };
    document.iter().map(merged).collect()
}

/// Choices of a writer, used again from the start once they are over.
struct Whim<'a> {
    choices: &'a [u8],
    next: usize,
}

impl Whim<'_> {
    fn of(&mut self, options: usize) -> usize {
        self.next += 1;
        usize::from(self.choices[self.next % self.choices.len()]) % options
    }

    fn tag(&mut self, name: &str, attributes: &[&str]) -> String {
        let mut attributes: Vec<&str> = attributes.iter().copied().filter(|attribute| !attribute.is_empty()).collect();
        let turned = self.of(attributes.len().max(1));
        attributes.rotate_left(turned);
        let classes = attributes.join(" ");
        let classes = if self.of(2) == 0 { classes } else { classes.replace("red wide", " wide  red") };
        let classes = if self.of(2) == 0 { classes } else { classes.replace("color:red;top:0", "top: 0; color: red") };
        format!("<{} >", [name, &classes].join(" ").trim())
    }

    fn text(&mut self, (mark, text): &(usize, String)) -> String {
        let (name, attributes) = MARKS[*mark];
        let (open, close) = if name.is_empty() {
            (String::new(), String::new())
        } else {
            (self.tag(name, attributes), format!("</{name}>"))
        };
        let mut html = open.clone();
        for letter in text.chars() {
            match self.of(7) {
                0 => html.push_str("<!-- cut -->"),
                1 => html.push_str(&format!("{close}{open}")),
                2 => html.push_str("<u></u>"),
                3 => html.push('\u{feff}'),
                4 => {
                    html.push_str(&format!("<span>{letter}</span>"));
                    continue;
                }
                _ => {}
            }
            html.push(letter);
        }
        html + &close
    }

    fn write(&mut self, document: &[Paragraph]) -> String {
        let mut html = String::new();
        for Paragraph { tag, class, runs } in document {
            let class = class.map(|class| format!("class=\"{class}\"")).unwrap_or_default();
            let id = GENERATED[self.of(GENERATED.len())];
            html.push_str(&self.tag(tag, &[&class, id, "lang=\"en\""]));
            runs.iter().for_each(|run| html.push_str(&self.text(run)));
            html.push_str(&format!("</{tag}>{}", ["", "\n  ", "<!-- next -->"][self.of(3)]));
        }
        html
    }
}

#[test]
fn documents_have_the_same_dom_exactly_if_they_mean_the_same() {
    let server = Server::start();
    let mut world = world(application(server.url("/dom?{doc}")));
    world.start(1);
    let world = std::cell::RefCell::new(world);
    let dom = |document: &[Paragraph], choices: &[u8]| {
        let mut whim = Whim { choices, next: 0 };
        let html = serde_json::to_string(&whim.write(document)).unwrap();
        let mut world = world.borrow_mut();
        world.act(A, run(&format!("document.body.innerHTML = {html}")));
        if whim.of(2) == 0 {
            // HTML cannot say that a text is empty.
            world.act(A, run("for (const node of document.querySelectorAll('p, b, span')) node.prepend('', '')"));
        }
        world.dom(A)
    };
    let documents = || prop::collection::vec(paragraph(), 1..3);
    let choices = || prop::collection::vec(any::<u8>(), 8..24);
    let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner
        .run(&(documents(), documents(), choices(), choices()), |(one, other, here, there)| {
            let seen = dom(&one, &here);
            prop_assert_eq!(&seen, &dom(&one, &there), "cut differently");
            // A letter more, the last formatting another one, a paragraph missing, and a document of its own.
            let mut longer = one.clone();
            longer[0].runs[0].1.push('c');
            let mut formatted = one.clone();
            if let Some((mark, _)) = formatted.last_mut().and_then(|paragraph| paragraph.runs.last_mut()) {
                *mark = (*mark + 1) % MARKS.len();
            }
            let shorter = one[1..].to_vec();
            for changed in [longer, formatted, shorter, other] {
                let same = meaning(&changed) == meaning(&one);
                prop_assert_eq!(seen == dom(&changed, &there), same, "{:?} and {:?}", one, changed);
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}
