//! Carets of real editors.

use colobus_model::{Application, CaretAccess, CaretKind};
use colobus_world::WorldFactory;

use crate::server::Server;
use crate::stage::{A, Acting, application, factory, press, run};

#[test]
fn carets_of_real_editors_come_back_to_where_they_were() {
    let server = Server::start();
    for (editor, kind) in [
        ("codemirror5", CaretKind::CodeMirror5),
        ("codemirror6", CaretKind::CodeMirror6),
        ("quill", CaretKind::Quill),
        ("quill-hidden", CaretKind::Quill),
        ("prosemirror", CaretKind::ProseMirror),
        ("prosemirror", CaretKind::Auto),
    ] {
        let mut world = factory(Application {
            caret: CaretAccess::BuiltIn(kind),
            state: Some("text()".to_string()),
            ..application(server.url(&format!("/editors?kind={editor}&{{doc}}")))
        })
        .open()
        .unwrap();
        world.start(1);
        assert_eq!(world.state(A), "one\ntwo\nthree", "{editor}");
        world.act(A, run("put()"));
        let caret = world.caret(A).unwrap().unwrap();
        world.act(A, run("away()"));
        assert_ne!(world.caret(A).unwrap().as_ref(), Some(&caret), "{editor}");
        world.place_caret(A, &caret).unwrap();
        assert_eq!(world.caret(A).unwrap(), Some(caret), "{editor}");
        world.act(A, press("X"));
        assert_eq!(world.state(A), "one\ntwXo\nthree", "{editor}");
        world.act(A, press("Shift+Home"));
        world.act(A, press("Delete"));
        world.act(A, press("Enter"));
        assert_eq!(world.state(A), "one\n\no\nthree", "{editor}");
    }
}
