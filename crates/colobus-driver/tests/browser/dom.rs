//! The canonical DOM, and what is left out of observations.

use colobus_model::{Application, Ignore};

use crate::server::Server;
use crate::stage::{A, Acting, application, run, world};

const SAME: [(&str, &str, &str); 15] = [
    ("order of attributes", r#"<p title="x" lang="en">a</p>"#, r#"<p lang="en" title="x">a</p>"#),
    ("order of classes", r#"<p class="b a">a</p>"#, r#"<p class=" a  b">a</p>"#),
    ("order of declarations", r#"<p style="color:red;top:0">a</p>"#, r#"<p style="top: 0; color: red">a</p>"#),
    ("comments and scripts", "<p>a</p>", "<!-- c --><p>a</p><script>1</script><style></style>"),
    ("equal neighbours", "<p><b>a</b><b>b</b></p>", "<p><b>ab</b></p>"),
    ("spans that say nothing", "<p>a<span>b</span></p>", "<p>ab</p>"),
    ("generated ids", r#"<p id=":r1:">a</p>"#, r#"<p id="550e8400-e29b-41d4-a716-446655440000">a</p>"#),
    ("white space between blocks", "<p>a</p><p>b</p>", "\n<p>a</p>\n  <p>b</p>\n"),
    ("empty formatting", "<p>a<b></b>b</p>", "<p>ab</p>"),
    (
        "scaffolds of editors",
        "<p>a</p>",
        r#"<p>a<img class="ProseMirror-separator" alt=""><br class="ProseMirror-trailingBreak"></p>"#,
    ),
    ("formats of text to come", "<p><br></p>", r#"<p><strong><span class="ql-cursor">&#xfeff;</span></strong></p>"#),
    ("breaks that begin no line", "<p>a<br>b</p>", "<p>a<br>b<br></p>"),
    ("what is not shown", "<p>a</p>", r#"<p>a</p><ul style="display:none"><li>b</li></ul>"#),
    ("what is hidden", "<p>a</p>", r#"<p>a</p><div style="visibility:hidden">xxx<i>y</i></div>"#),
    ("what is ignored", "<p>a</p>", r#"<p>a</p><i class="cursor">me</i>"#),
];

const DIFFERENT: [(&str, &str, &str); 9] = [
    ("text", "<p>a</p>", "<p>b</p>"),
    ("formatting", "<p>a</p>", "<p><b>a</b></p>"),
    ("ids with a meaning", r#"<p id="title">a</p>"#, r#"<p id="body">a</p>"#),
    ("spaces between words", "<p><b>a</b> <i>b</i></p>", "<p><b>a</b><i>b</i></p>"),
    ("spaces that show", "<pre>a  b</pre>", "<pre>a b</pre>"),
    ("empty lines", "<p>a<br></p>", "<p>a<br><br></p>"),
    ("empty paragraphs", "<p>a</p>", "<p>a</p><p><br></p>"),
    (
        "what is visible inside of something hidden",
        r#"<p style="visibility:hidden"><b style="visibility:visible">a</b></p>"#,
        r#"<p style="visibility:hidden"><b style="visibility:visible">b</b></p>"#,
    ),
    ("classes", r#"<p class="ql-indent-1">a</p>"#, "<p>a</p>"),
];

#[test]
fn the_dom_is_equal_when_the_document_is() {
    let server = Server::start();
    let mut world = world(Application {
        ignore: vec![Ignore::Selector(".cursor".to_string())],
        ..application(server.url("/dom?{doc}"))
    });
    world.start(1);
    let mut dom = |html: &str| {
        let html = serde_json::to_string(html).unwrap();
        world.act(A, run(&format!("document.body.innerHTML = {html}")));
        world.dom(A)
    };
    for (what, one, other) in SAME {
        assert_eq!(dom(one), dom(other), "{what}");
    }
    for (what, one, other) in DIFFERENT {
        assert_ne!(dom(one), dom(other), "{what}");
    }
    assert_eq!(
        dom("<ul><li class='y x'>a <b>b</b></li></ul><input value=c><input type=checkbox checked>"),
        "<body>\n  <ul>\n    <li class=\"x y\">\n      \"a \"\n      <b>\n        \"b\"\n  <input value=\"c\">\n  \
         <input checked=true type=\"checkbox\">"
    );
    // Split text nodes and shadow roots cannot be written as HTML.
    world.act(A, run("document.body.innerHTML = '<p>ab</p>'; document.querySelector('p').firstChild.splitText(1)"));
    assert_eq!(world.dom(A), "<body>\n  <p>\n    \"ab\"");
    let shadow = "document.body.innerHTML = '<div></div>'; \
                  document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<p>deep</p>'";
    world.act(A, run(shadow));
    assert!(world.dom(A).contains("\"deep\""));

    // Words are read as they can be seen: formatting does not cut them, blocks do, and nobody reads what is hidden.
    let page = "<div>b<b>q</b><span>d</span></div><p>d<br>x</p><p hidden>no</p><i class=cursor>no</i>\
                <div style='overflow:hidden;height:0'><textarea>no</textarea></div><input value='gzk'>";
    world.act(A, run(&format!("document.body.innerHTML = {}", serde_json::to_string(page).unwrap())));
    assert_eq!(world.see(A).text.unwrap(), ["bqd", "d", "x", "gzk"]);

    // What is ignored is not in the picture either, and nothing moves in it.
    world.act(A, run("document.body.innerHTML = '<p>a</p>'"));
    let plain = world.see(A).screenshot;
    world.act(A, run("document.body.innerHTML += '<div class=cursor style=\"position:absolute;top:50px\">me</div>'"));
    assert_eq!(world.see(A).screenshot, plain);
    let moving =
        "document.head.innerHTML = '<style>@keyframes k { to { opacity: 0 } } p { animation: k 1s infinite }</style>'";
    world.act(A, run(moving));
    assert_eq!(world.see(A).screenshot, plain);
    world.act(A, run("document.body.innerHTML = '<p>b</p>'"));
    assert_ne!(world.see(A).screenshot, plain);
}
