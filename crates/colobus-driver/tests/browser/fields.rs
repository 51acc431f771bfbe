//! Keyboard, mouse, clipboard and carets on plain form fields and editable elements.

use colobus_model::{Application, Inside, Point, SelectTarget, Step, Target};
use colobus_record::Recording;
use colobus_record::steps::steps;
use serde_json::{Value, json};

use crate::server::Server;
use crate::stage::{A, Acting, application, click, press, run, text, world};

fn fields(server: &Server) -> Application {
    let state = "({ input: input.value, textarea: textarea.value, rich: rich.innerHTML, count: count.textContent, \
                 below: below.textContent, target: target.textContent, log: log.splice(0), \
                 hovered: document.querySelectorAll('button:hover').length })";
    Application { state: Some(state.to_string()), ..application(server.url("/fields?{doc}")) }
}

#[test]
fn input_reaches_the_page_as_from_a_user() {
    let server = Server::start();
    let mut world = world(fields(&server));
    let world = &mut world;

    world.start(1);
    world.act(A, run("input.focus()"));
    world.act(A, press("A"));
    assert_eq!(
        world.state(A)["log"],
        json!([
            "keydown Shift ShiftLeft 16 true",
            "keydown A KeyA 65 true",
            "keyup A KeyA 65 true",
            "keyup Shift ShiftLeft 16 true",
        ])
    );
    world.act(A, text("b c\u{6f22}!é"));
    assert_eq!(world.state(A)["input"], "Ab c\u{6f22}!é");
    world.act(A, press("Home"));
    world.act(A, press("Delete"));
    world.act(A, press("Shift+End"));
    world.act(A, press("Control+x"));
    assert_eq!(world.state(A)["input"], "");
    world.act(A, press("Control+v"));
    assert_eq!(world.state(A)["input"], "b c\u{6f22}!é", "cut and paste go through the clipboard");
    for (select, left) in [
        (SelectTarget::LineBefore, ""),
        (SelectTarget::All, ""),
        (SelectTarget::Word, "one "),
        (SelectTarget::LineAfter, "one two"),
    ] {
        world.act(A, run("input.value = 'one two'; input.setSelectionRange(7, 7)"));
        world.act(A, Step::Select(select));
        world.act(A, press("Backspace"));
        let expected = if select == SelectTarget::LineAfter { "one tw" } else { left };
        assert_eq!(world.state(A)["input"], expected, "{select:?}");
    }
    world.act(A, press("Tab"));
    world.act(A, text("two\nlines"));
    assert_eq!(world.state(A)["textarea"], "two\nlines", "Tab moves on, a line end is Enter");
    world.act(A, Step::Paste(" pasted".to_string()));
    assert_eq!(world.state(A)["textarea"], "two\nlines pasted");
    world.act(A, Step::Paste("!own".to_string()));
    assert_eq!(world.state(A)["textarea"], "two\nlines pasted[taken]", "the page may take a paste itself");

    world.act(A, click("#count"));
    world.act(A, Step::DoubleClick(Target::Selector("#count".to_string())));
    let state = world.state(A);
    assert_eq!((&state["count"], &state["hovered"]), (&json!("3"), &json!(0)), "{state}");
    assert!(state["log"].as_array().unwrap().contains(&json!("dblclick")));
    assert!(world.refused(A, click("#missing")).contains("no element matches"));
    assert!(world.refused(A, click("#hidden")).contains("visible"));
    assert!(world.refused(A, click("#covered")).contains("covered by div#cover"));
    assert!(world.refused(A, click("#[")).contains("selector"));
    world
        .act(A, Step::Drag { from: Target::Selector("#box".to_string()), to: Target::Point(Point { x: 220, y: 330 }) });
    assert_eq!(world.state(A)["target"], "box");
    world.act(A, click("#below"));
    assert_eq!(world.state(A)["below"], "clicked", "what is out of snapshot is scrolled to");

    let place = |x, y| Step::Click(Target::Inside(Inside { on: "#target".to_string(), x, y }));
    world.act(A, run("target.onclick = (event) => target.textContent = [event.offsetX, event.offsetY]"));
    for ((x, y), expected) in [((12, 34), "12,34"), ((500, 0), "79,0")] {
        world.act(A, place(x, y));
        assert_eq!(world.state(A)["target"], expected, "a place in it, also if it was larger once");
    }
    world.act(A, run("rich.outerHTML = '<select id=\"rich\"><option>a<option>b</select><input type=\"date\">'"));
    world.act(A, run("addEventListener('change', (event) => log.push(event.target.value))"));
    let lines =
        "colobus-recording 1\nviewport 8x6\nA choose //select 1,1 \"b\" +0\nA set //input[2] \"2026-11-16\" +0\n";
    for chosen in steps(&Recording::parse(lines).unwrap()) {
        world.act(A, chosen.step.unwrap());
    }
    assert_eq!(world.state(A)["log"], json!(["b", "2026-11-16"]), "what was chosen when it was recorded");

    world.act(A, run("const later = 1; setTimeout(() => count.id = 'renamed', 30)"));
    world.act(A, run("const later = 2; await_nothing = later"));
    world.act(A, Step::WaitFor("#renamed".to_string()));
    assert!(world.refused(A, run("null.x")).contains("null"));
    let errors = world.observe(A, Default::default()).unwrap().errors;
    assert!(errors[0].text.contains("TypeError"), "{errors:?}");
}

#[test]
fn carets_come_back_to_where_they_were() {
    let server = Server::start();
    let mut world = world(fields(&server));
    let world = &mut world;

    // Place the caret, read it, go elsewhere, set it again, type: the letter stands where the caret was.
    let mut round_trip = |place: &str, field: &str, expected: &str| {
        world.start(1);
        world.act(A, run(place));
        let caret = world.caret(A).unwrap().unwrap();
        let elsewhere = "getSelection().removeAllRanges(); document.activeElement.setSelectionRange?.(0, 0)";
        world.act(A, run(elsewhere));
        world.place_caret(A, &caret).unwrap();
        assert_eq!(world.caret(A).unwrap(), Some(caret.clone()), "{place}");
        world.act(A, press("X"));
        let state: Value = world.state(A);
        assert_eq!(state[field], expected, "{place}: {caret:?}");
    };
    round_trip("input.value = 'abc'; input.focus(); input.setSelectionRange(1, 2)", "input", "aXc");
    round_trip("textarea.value = 'a\\nb'; textarea.focus(); textarea.setSelectionRange(2, 2)", "textarea", "a\nXb");
    let rich = |selection: &str| {
        format!(
            "rich.focus(); const [one, two, three] = rich.children; const b = one.lastChild; getSelection().setBaseAndExtent({selection})"
        )
    };
    let rest = "<p><br></p><p>three</p>";
    round_trip(&rich("one.firstChild, 1, one.firstChild, 1"), "rich", &format!("<p>oXne <b>two</b></p>{rest}"));
    round_trip(&rich("b.firstChild, 3, b.firstChild, 3"), "rich", &format!("<p>one <b>twoX</b></p>{rest}"));
    round_trip(&rich("one.firstChild, 2, b.firstChild, 1"), "rich", &format!("<p>onX<b>wo</b></p>{rest}"));
    round_trip(&rich("two, 0, two, 0"), "rich", "<p>one <b>two</b></p><p>X</p><p>three</p>");
    round_trip(
        &rich("three.firstChild, 5, three.firstChild, 5"),
        "rich",
        "<p>one <b>two</b></p><p><br></p><p>threeX</p>",
    );
    round_trip(
        &rich("three.firstChild, 0, three.firstChild, 0"),
        "rich",
        "<p>one <b>two</b></p><p><br></p><p>Xthree</p>",
    );
    round_trip(&rich("rich, 2, rich, 2"), "rich", "<p>one <b>two</b></p><p><br></p><p>Xthree</p>");
}
