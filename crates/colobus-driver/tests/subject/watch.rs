//! Whether a server that takes its time has anything left to do, seen from outside: never "no" before its answer is there.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use colobus_driver::subject::{ServerState, ServerWatch};

const HORIZON: Duration = Duration::from_secs(10);

/// A server in Node that answers each line after as many milliseconds as it says; `forward PORT` asks somebody else first.
const SERVER: &str = "
    const net = require('node:net');
    net.createServer((socket) => {
        socket.on('data', (line) => {
            const [word, port] = String(line).trim().split(' ');
            if (word === 'forward') net.connect(Number(port), '127.0.0.1').on('data', (said) => socket.write(said));
            else if (word === 'file') require('node:fs').readFile(__filename, () => socket.write('read'));
            else setTimeout(() => socket.write('done'), Number(word));
        });
    }).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('up'))";

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A process of this test, ended with it.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a script in Node, as [`started`] does.
fn node(script: &str, port: u16) -> Process {
    started(Command::new("node").args(["-e", script]), port)
}

/// Runs a program that says `up` when it can be used.
fn started(command: &mut Command, port: u16) -> Process {
    let mut child = command.env("PORT", port.to_string()).stdout(Stdio::piped()).spawn().unwrap();
    let mut up = [0; 2];
    child.stdout.as_mut().unwrap().read_exact(&mut up).unwrap();
    Process(child)
}

fn start() -> (Process, ServerWatch, TcpStream) {
    let port = free_port();
    let server = node(SERVER, port);
    let watch = ServerWatch::new(server.0.id());
    (server, watch, TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap())
}

/// Looks until two looks in a row say that nothing is left to do. Reads what the server says before each, as a proxy does: what
/// is there and not read yet is on its way. Returns how many bytes it said.
fn until_idle(watch: &ServerWatch, connection: &mut TcpStream) -> usize {
    connection.set_nonblocking(true).unwrap();
    let (mut last, mut said) = (None, 0);
    let mut buffer = [0; 64];
    loop {
        said += connection.read(&mut buffer).unwrap_or(0);
        match watch.look(HORIZON) {
            ServerState::Idle(stamp) if last.as_ref() == Some(&stamp) => break,
            ServerState::Idle(stamp) => last = Some(stamp),
            ServerState::Working | ServerState::Wakes(..) => last = None,
            ServerState::Unknowable(why) => panic!("{why}"),
        }
    }
    connection.set_nonblocking(false).unwrap();
    said
}

#[test]
fn a_server_is_idle_only_when_it_has_answered() {
    let (_server, watch, mut connection) = start();
    assert_eq!(until_idle(&watch, &mut connection), 0);
    for request in ["0", "1", "20", "file", "300", "0", "file", "50", "1200"] {
        connection.write_all(request.as_bytes()).unwrap();
        assert_eq!(until_idle(&watch, &mut connection), "done".len(), "{request}");
    }
}

#[test]
fn a_timer_is_told_and_one_beyond_the_horizon_is_not_waited_for() {
    let (_server, watch, mut connection) = start();
    connection.write_all(b"60000").unwrap();
    assert_eq!(until_idle(&watch, &mut connection), 0);
    connection.write_all(b"3000").unwrap();
    let told = loop {
        match watch.look(HORIZON) {
            ServerState::Wakes(time, _) => break time,
            ServerState::Unknowable(why) => panic!("{why}"),
            ServerState::Working | ServerState::Idle(_) => {}
        }
    };
    assert!(told <= Duration::from_secs(3), "{told:?}");
}

#[test]
fn a_server_that_asks_somebody_else_cannot_be_judged() {
    let (_server, watch, mut connection) = start();
    // Somebody who is no process of the server's: a child of this test that is not watched.
    let port = free_port();
    let _other = node(SERVER, port);
    connection.write_all(format!("forward {port}").as_bytes()).unwrap();
    let why = loop {
        if let ServerState::Unknowable(why) = watch.look(HORIZON) {
            break why;
        }
    };
    assert!(why.contains("not watched"), "{why}");
}

/// A server in Node that answers every request at once, and needs enough memory for some of it to be collected.
const ANSWERS: &str = "
    const answer = (_, response) => { kept = Array.from({ length: 300000 }, () => ({})); response.end('done'); };
    let kept;
    require('node:http').createServer(answer)
        .listen(Number(process.env.PORT), '127.0.0.1', () => console.log('up'))";

/// What the Node processes of an application load first.
const IN_NODE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/subject/node-servers.cjs");

#[test]
fn a_web_server_in_node_has_no_timers_but_its_own() {
    let port = free_port();
    let server = started(Command::new("node").args(["--require", IN_NODE, "-e", ANSWERS]), port);
    let watch = ServerWatch::new(server.0.id());
    let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    for _ in 0..5 {
        connection.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = [0; 1024];
        let length = connection.read(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer[..length]);
        assert!(answer.contains("Date: ") && answer.contains("Connection: keep-alive"), "{answer}");
        let (mut last, mut looks) = (None, 0);
        // A timer of Node's own would show until it goes off.
        while looks < 3 {
            match watch.look(HORIZON) {
                ServerState::Wakes(time, _) => panic!("a timer goes off in {time:?}"),
                ServerState::Unknowable(why) => panic!("{why}"),
                ServerState::Idle(stamp) => {
                    looks += usize::from(last.as_ref() == Some(&stamp));
                    last = Some(stamp);
                }
                ServerState::Working => {}
            }
        }
    }
}

/// The same server with asyncio, which sleeps in another system call.
const ASYNCIO: &str = "
import asyncio, os
async def serve(reader, writer):
    while line := await reader.readline():
        await asyncio.sleep(int(line) / 1000)
        writer.write(b'done')
        await writer.drain()
async def main():
    server = await asyncio.start_server(serve, '127.0.0.1', int(os.environ['PORT']))
    print('up', flush=True)
    await server.serve_forever()
asyncio.run(main())";

#[test]
fn a_server_on_asyncio_is_idle_only_when_it_has_answered() {
    let port = free_port();
    let server = started(Command::new("python3").args(["-c", ASYNCIO]), port);
    let watch = ServerWatch::new(server.0.id());
    let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    assert_eq!(until_idle(&watch, &mut connection), 0);
    for request in ["0", "1", "20", "300", "0", "50", "1200"] {
        connection.write_all(format!("{request}\n").as_bytes()).unwrap();
        assert_eq!(until_idle(&watch, &mut connection), "done".len(), "{request}");
    }
}
