//! An application that is stopped for a moment: it finds everything at once that reaches it meanwhile, and never stays stopped.

use std::io::{Read, Write};
use std::net::TcpStream;

use colobus_driver::subject::{Pause, ServerState, Subject};
use colobus_model::WaitFor;

use crate::lifecycle::{application, ends_with, free_port};

/// A server in Node that gives a seat to everyone who asks in the turn of its event loop in which the first one does.
const BOOKING: &str = r#"
    let taken = false;
    require("node:net").createServer((socket) => socket.on("data", async () => {
        if (taken) return socket.write("taken!");
        await new Promise((resolve) => setImmediate(resolve));
        taken = true;
        setTimeout(() => { taken = false; socket.write("yours!"); }, 20);
    })).listen(Number(process.env.AT), "127.0.0.1")"#;

fn booking() -> (Subject, u16) {
    let port = free_port();
    let script = format!("AT={port} node -e '{BOOKING}' & echo pid $$; wait");
    (Subject::start(&application(&script, WaitFor::Port(port), 20_000)).unwrap(), port)
}

/// Comes when the seat is free again, if it was given away.
fn answer(connection: &mut TcpStream) -> String {
    let mut answer = [0; 6];
    connection.read_exact(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).to_string()
}

fn stopped(subject: &Subject) -> Pause {
    let pause = subject.watch().unwrap().pause().unwrap();
    while !pause.is_complete() {
        std::thread::yield_now();
    }
    pause
}

#[test]
fn what_reaches_it_while_it_is_stopped_is_found_in_one_turn() {
    let (subject, port) = booking();
    let watch = subject.watch().unwrap();
    for round in 0..10 {
        let mut clients = [0, 1].map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap());
        // A connection that is not accepted yet would be read one turn later.
        while !matches!(watch.look(Default::default()), ServerState::Idle(_)) {
            std::thread::yield_now();
        }
        let pause = stopped(&subject);
        assert_eq!(watch.look(Default::default()), ServerState::Working, "what is stopped is not idle");
        for client in &mut clients {
            client.write_all(b"book").unwrap();
        }
        drop(pause);
        let answers = clients.each_mut().map(answer);
        assert_eq!(answers, ["yours!", "yours!"], "round {round}");
    }
}

#[test]
fn one_that_is_stopped_can_be_ended() {
    let (subject, port) = booking();
    let pause = stopped(&subject);
    drop(subject);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    drop(pause);
}

#[test]
fn one_that_is_stopped_when_the_tool_is_killed_ends() {
    ends_with("pause::the_tool_that_is_killed");
}

/// Not a test of its own: what [`one_that_is_stopped_when_the_tool_is_killed_ends`] kills.
#[test]
#[ignore = "only makes sense inside another test"]
fn the_tool_that_is_killed() {
    let (subject, _) = booking();
    let _pause = stopped(&subject);
    let output = subject.last_output();
    println!("\ngroup {}", output.lines().find_map(|line| line.strip_prefix("pid ")).unwrap());
    let _ = std::io::stdin().read_to_string(&mut String::new());
}
