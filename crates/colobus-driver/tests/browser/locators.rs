//! Elements named as users name them, also in frames inside of frames: clicked, typed into, waited for, discovered.

use colobus_model::{Application, Inside, Step, Target};
use colobus_world::{ObserveOptions, WorldFactory};

use crate::server::Server;
use crate::stage::{A, Acting, application, click, factory, press, text};

const EDITOR: &str = "iframe[name=outer] >> iframe[name=inner] >> #editor";

#[test]
fn elements_are_found_by_what_users_see_and_inside_frames() {
    let server = Server::start();
    let focus = Some(EDITOR.to_string());
    let browsers = factory(Application { focus, ..application(server.url("/locators?{doc}")) });
    let world = &mut browsers.open().unwrap();
    world.start(1);
    let read = |world: &mut Box<dyn colobus_world::World>| {
        let wanted = ObserveOptions { text: true, ..ObserveOptions::default() };
        world.observe(A, wanted).unwrap().text.unwrap()
    };

    // The focus is two frames deep from the beginning.
    world.act(A, text("ab"));
    world.act(A, press("ArrowLeft"));
    let caret = world.caret(A).unwrap().unwrap();
    world.act(A, press("End"));
    world.place_caret(A, &caret).unwrap();
    world.act(A, text("x"));
    assert!(read(world).contains(&"axb".to_string()), "{:?}", read(world));

    for (locator, said) in [
        ("role=button[name=\"Save\"]", "saved"),
        ("role=button[name=\"save ALL\" i]", "saved all"),
        ("iframe >> iframe >> text=bold", "bold"),
    ] {
        world.act(A, click(locator));
        assert!(read(world).contains(&said.to_string()), "{locator}: {:?}", read(world));
    }
    let corner = Inside { on: EDITOR.to_string(), x: 2, y: 2 };
    world.act(A, Step::Click(Target::Inside(corner)));
    for field in ["label=e-mail", "placeholder=\"you@example.org\""] {
        world.act(A, click(field));
        world.act(A, text("m"));
    }
    assert!(read(world).contains(&"mm".to_string()), "{:?}", read(world));
    world.act(A, Step::WaitFor("testid=result".to_string()));

    let several = world.refused(A, click("role=button[name=save]"));
    assert_eq!(several, "`role=button[name=save]` matches 2 elements: button#plain, button#other");
    assert_eq!(world.refused(A, click("text=nobody says this")), "no element matches `text=nobody says this`");
    assert_eq!(world.refused(A, click("iframe >> #plain")), "no element matches `iframe >> #plain`");

    let took_the_first = "`button` matches several elements: the first that is visible was taken";
    assert!(!browsers.notes().iter().any(|note| note.contains("matches several")), "{:?}", browsers.notes());
    world.act(A, click("button"));
    assert!(browsers.notes().contains(&took_the_first.to_string()), "{:?}", browsers.notes());

    let survey = world.survey(A).unwrap();
    let editors: Vec<&str> = survey.editables.iter().map(|editable| editable.selector.as_str()).collect();
    assert_eq!(editors, ["#mail", "iframe[name=\"outer\"] >> iframe[name=\"inner\"] >> #editor"]);
}
