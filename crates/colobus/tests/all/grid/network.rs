//! [`Network`]: a network between this machine and a Grid that takes its time, breaks connections, or loses everything. It needs root.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use super::{Place, happens_within};

const NEAR: &str = "10.77.31.1";
const FAR: &str = "10.77.31.2";

/// A namespace on the other side of the network; it ends with this.
pub struct Network {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    name: String,
}

impl Network {
    pub fn start() -> Network {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/delayed-network");
        let name = format!("cg{}", std::process::id());
        let mut process = Command::new(script)
            .args([&name, NEAR, FAR])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 is installed");
        let (input, output) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()));
        let mut network = Network { process, input, output, name };
        assert_eq!(network.line(), "ready", "a network needs root and /dev/net/tun");
        network
    }

    /// The address of this machine, for the other side.
    pub fn near(&self) -> &'static str {
        NEAR
    }

    /// The other side.
    pub fn far(&self) -> Place {
        let launcher = ["ip", "netns", "exec", &self.name].map(String::from).to_vec();
        Place { address: FAR.to_string(), launcher }
    }

    /// A round trip takes so many milliseconds from now on.
    pub fn delay(&mut self, round_trip_ms: u64) {
        self.say(&format!("delay {round_trip_ms}"));
    }

    /// Every packet is lost from now on, or none.
    pub fn cut(&mut self, is_cut: bool) {
        self.say(if is_cut { "cut" } else { "mend" });
    }

    /// Every connection that says something in the next moment is broken.
    pub fn break_connections(&mut self) {
        self.say("break");
    }

    /// Bytes to the other side, and back, since the last time.
    pub fn bytes(&mut self) -> (u64, u64) {
        self.say("bytes");
        let line = self.line();
        let (there, back) = line.split_once(' ').unwrap_or_else(|| panic!("{line}"));
        (there.parse().unwrap(), back.parse().unwrap())
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim().to_string()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.wait();
        let is_left = || Path::new("/run/netns").join(&self.name).exists();
        assert!(happens_within(10, || !is_left()) || thread::panicking(), "the namespace {} is left", self.name);
    }
}
