//! Messages that a schedule delivers together reach an application that we started at once.

use colobus_driver::subject::Subject;
use colobus_world::{World, WorldFactory};

use crate::stage::{A, Acting, B, click, factory, small};

/// How many were promised the seat that both have booked at once.
fn promises(world: &mut Box<dyn World>) -> usize {
    world.start(2);
    world.hold().unwrap();
    world.act(A, click(".book-1"));
    world.act(B, click(".book-1"));
    world.quiet();
    [A, B].into_iter().filter(|client| world.state(*client) == "Seat 1 is yours, .").count()
}

#[test]
fn two_who_book_at_once_meet_in_one_turn_of_the_server_every_time() {
    for (broken, promised) in [(true, 2), (false, 1)] {
        let application = small("booking", broken, "document.querySelector('#answer').textContent");
        let subject = Subject::start(&application).unwrap();
        let browsers = factory(application);
        browsers.watch(subject.watch().unwrap());
        let mut world = browsers.open().unwrap();
        let times = if broken { 6 } else { 1 };
        for time in 0..times {
            assert_eq!(promises(&mut world), promised, "broken: {broken}, time {time}");
        }
    }
}
