//! Polls as events of an order: asked when a schedule says so, answered late when it says so.

use colobus_driver::subject::Subject;
use colobus_model::Event;
use colobus_world::{World, WorldFactory};
use serde_json::{Value, json};

use crate::stage::{A, Acting, B, click, factory, press, small, text};

/// What both have in their lists after each has added something; the answers to polls of before are there only then.
fn added_while_polls_were_on_their_way(world: &mut Box<dyn World>) -> [Value; 2] {
    world.start(2);
    assert!(world.polls(), "the pages are known to poll once they have");
    world.hold().unwrap();
    world.play("A? B?");
    assert_eq!(world.waiting(), "", "the answers wait for events of their own");
    for (client, entry) in [(A, "milk"), (B, "bread")] {
        world.act(client, click("#text"));
        world.act(client, text(entry));
        world.act(client, press("Enter"));
    }
    world.quiet();
    world.hold().unwrap();
    assert_eq!(world.waiting(), "", "and still do when everything else has arrived");
    world.happen(&Event::PollAnswer { client: A }).unwrap();
    world.play("B?<");
    world.quiet();
    [A, B].map(|client| world.state(client))
}

#[test]
fn an_answer_that_is_out_of_date_arrives_after_what_the_user_did() {
    for broken in [true, false] {
        let application = small("todo-optimistic", broken, "entries");
        let subject = Subject::start(&application).unwrap();
        let browsers = factory(application);
        browsers.watch(subject.watch().unwrap());
        let mut world = browsers.open().unwrap();
        for _ in 0..2 {
            let both = json!(["milk", "bread"]);
            // A hears of B's entry by a later poll and shows both; B, whose version is the newest, never looks again.
            let of_b = if broken { json!([]) } else { both.clone() };
            assert_eq!(added_while_polls_were_on_their_way(&mut world), [both, of_b]);
        }
    }
}

#[test]
fn a_page_that_asks_for_the_polled_address_itself_gets_its_answer_after_the_one_that_is_kept() {
    let application = small("todo-polling", false, "entries");
    let subject = Subject::start(&application).unwrap();
    let browsers = factory(application);
    browsers.watch(subject.watch().unwrap());
    let mut world = browsers.open().unwrap();
    for _ in 0..2 {
        let both = json!(["milk", "bread"]);
        assert_eq!(added_while_polls_were_on_their_way(&mut world), [both.clone(), both]);
    }
}
