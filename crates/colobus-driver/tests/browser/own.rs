//! What a page shows each user of their own makes no difference in pictures, and looking moves nothing.

use colobus_compare::pixels::changed_between;
use colobus_model::Application;
use serde_json::json;

use crate::server::Server;
use crate::stage::{A, Acting, application, click, run, world};

#[test]
fn focus_pointer_and_selection_are_not_in_the_picture() {
    let server = Server::start();
    let mut world = world(Application {
        state: Some("window.heard?.length ?? 0".to_string()),
        ..application(server.url("/own?doc={doc}"))
    });
    world.start(1);
    let untouched = world.see(A).screenshot.unwrap();
    for own in [
        click("#plain"),
        click("#author"),
        click("#button"),
        click("#item"),
        run("document.querySelector('open-box').shadowRoot.querySelector('input').focus()"),
        run("author.select()"),
        run("getSelection().selectAllChildren(words)"),
        // Editors mark the line of one's own caret.
        run("words.className = 'cm-activeLine'"),
        run("words.className = 'CodeMirror-activeline-background'"),
        run("words.className = 'ace_active-line'"),
        // CodeMirror 6 draws carets and selections, y-codemirror.next those of others.
        run("drawn.className = 'cm-cursorLayer'"),
        run("drawn.className = 'cm-selectionLayer'"),
        run("drawn.className = 'cm-ySelectionCaret'"),
        run("words.className = 'cm-selectionMatch'"),
        run("words.className = 'cm-ySelection'"),
    ] {
        world.start(1);
        world.act(A, own.clone());
        let before = world.state(A);
        let now = world.see(A).screenshot.unwrap();
        let shown = changed_between(&untouched, &now, &[]).unwrap();
        assert!(shown.is_empty(), "{own:?} shows at {:?}", shown.bounds());
        assert_eq!(world.state(A), before, "looking is not an event of the page");
    }
}

#[test]
fn rules_that_show_focus_and_pointer_work_between_looks() {
    let server = Server::start();
    let state = "({ field: getComputedStyle(author).backgroundColor, form: getComputedStyle(document.forms[0]).backgroundColor })";
    let mut world = world(Application { state: Some(state.to_string()), ..application(server.url("/own?doc={doc}")) });
    world.start(1);
    world.act(A, click("#author"));
    for _ in 0..2 {
        world.see(A);
        assert_eq!(world.state(A), json!({ "field": "rgb(255, 255, 0)", "form": "rgb(255, 192, 203)" }));
    }
}
