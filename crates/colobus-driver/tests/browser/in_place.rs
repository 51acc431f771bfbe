//! Documents that are emptied and used again: as long as nobody can tell them from fresh ones.

use colobus_demo::{DemoOptions, DemoServer};
use colobus_driver::BrowserFactory;
use colobus_model::{Application, CaretAccess, CaretKind, Ignore, Reset};
use colobus_world::{World, WorldFactory};
use serde_json::{Value, json};

use crate::stage::{A, Acting, B, application, factory, press, text};

/// The built-in editor, emptied by this script. Its state tells which load of the page it is.
fn editor(server: &DemoServer, reset: &str) -> BrowserFactory {
    let ignored = ["#users", "#status", ".remote-caret"];
    factory(Application {
        reset: Reset::Evaluate(reset.to_string()),
        ready: Some("colobusDemo.ready".to_string()),
        focus: Some("#editor".to_string()),
        caret: CaretAccess::BuiltIn(CaretKind::ContentEditable),
        ignore: ignored.map(|selector| Ignore::Selector(selector.to_string())).to_vec(),
        state: Some("[performance.timeOrigin, colobusDemo.state()]".to_string()),
        ..application(format!("{}?doc={{doc}}", server.url()))
    })
}

/// Begins, and says which load of the page it is; the document has to be empty for both.
fn load(world: &mut Box<dyn World>) -> f64 {
    world.start(2);
    let (a, b) = (world.state(A), world.state(B));
    for shown in [&a, &b] {
        assert_eq!(shown[1], json!([{ "insert": "\n" }]));
    }
    a[0].as_f64().unwrap()
}

fn written(state: &Value) -> &Value {
    &state[1]
}

#[test]
fn a_document_that_is_as_good_as_new_is_used_in_place() {
    let server = DemoServer::start(DemoOptions::default()).unwrap();
    let factory = editor(&server, "colobusDemo.reset()");
    let mut world = factory.open().unwrap();
    let mut loads = Vec::new();
    for _ in 0..8 {
        loads.push(load(&mut world));
        world.act(A, text("a"));
        world.act(B, press("Tab"));
        world.quiet();
        assert_eq!(written(&world.state(A)), written(&world.state(B)));
        world.act(A, press("Shift+Home"));
        world.quiet();
    }
    loads.dedup();
    assert_eq!(loads.len(), 4, "documents live for one, two, four executions");
    let notes: Vec<String> = factory.notes().into_iter().filter(|note| note.contains("reset")).collect();
    assert_eq!(notes, [] as [String; 0]);
}

/// Deleting everything leaves an edit that can be undone.
#[test]
fn a_reset_that_leaves_something_behind_is_noticed_and_used_no_more() {
    let server = DemoServer::start(DemoOptions::default()).unwrap();
    let delete = "document.querySelector('#editor').focus(); getSelection().selectAllChildren(document.querySelector('#editor')); \
        document.querySelector('#editor').dispatchEvent(new InputEvent('beforeinput', { inputType: 'deleteContentBackward', cancelable: true }))";
    let factory = editor(&server, delete);
    let mut world = factory.open().unwrap();
    let mut loads = Vec::new();
    for _ in 0..4 {
        loads.push(load(&mut world));
        world.act(A, text("a"));
        world.quiet();
    }
    loads.dedup();
    assert_eq!(loads.len(), 4, "every execution has a fresh document");
    let notes = factory.notes().join("\n");
    assert!(notes.contains("a document that `reset` emptied differs from a fresh one after an undo"), "{notes}");
}
