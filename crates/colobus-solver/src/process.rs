//! [`Process`]: z3 or cvc5 as a child process that is asked in SMT-LIB over pipes. It is killed when it exceeds its time,
//! started again for the next query, and never outlives its owner.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::model::Model;
use crate::print::{Script, script};
use crate::sexpr::Sexpr;
use crate::solver::{Answer, Solver, SolverError, decided, verified};
use crate::term::Term;

/// A program that speaks SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// z3 of Microsoft Research.
    Z3,
    /// cvc5 of Stanford and Iowa.
    Cvc5,
}

impl Program {
    /// All programs, preferred first.
    pub const ALL: [Program; 2] = [Program::Z3, Program::Cvc5];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Program::Z3 => "z3",
            Program::Cvc5 => "cvc5",
        }
    }

    fn arguments(self, limit: Duration) -> Vec<String> {
        let limit = limit.as_millis();
        match self {
            Program::Z3 => vec!["-in".into(), "-smt2".into(), format!("-t:{limit}")],
            Program::Cvc5 => {
                let flags = ["--lang=smt2", "--incremental", "--produce-models", "--strings-exp", "--quiet"];
                flags.iter().map(|flag| flag.to_string()).chain([format!("--tlimit-per={limit}")]).collect()
            }
        }
    }
}

/// What a program may do for a question whose answer only saves time.
const BRIEF_EFFORT: u64 = 100_000;

/// A solver in a process of its own.
pub struct Process {
    program: Program,
    limit: Duration,
    effort: Option<u64>,
    running: Option<Running>,
}

impl Process {
    /// The first program that can be started.
    pub fn find(limit: Duration) -> Result<Process, SolverError> {
        for program in Program::ALL {
            match Process::start(program, limit) {
                Err(SolverError::Missing) => {}
                found => return found,
            }
        }
        Err(SolverError::Missing)
    }

    /// A certain program; `limit` bounds each query.
    pub fn start(program: Program, limit: Duration) -> Result<Process, SolverError> {
        let running = Some(Running::start(program, limit)?);
        Ok(Process { program, limit, effort: None, running })
    }

    /// Bound each query also by the program's own count of what it does, so that the answer does not depend on how busy the
    /// machine is. A million is about a second.
    pub fn with_effort(self, effort: u64) -> Process {
        Process { effort: Some(effort), ..self }
    }

    /// Which program answers.
    pub fn program(&self) -> Program {
        self.program
    }

    fn ask(&mut self, script: &Script) -> Result<Reply, Failure> {
        let running = match &mut self.running {
            Some(running) => running,
            None => self.running.insert(Running::start(self.program, self.limit).map_err(Failure::Start)?),
        };
        let effort = match (self.effort, self.program) {
            (None, _) => String::new(),
            (Some(effort), Program::Z3) => format!("(set-option :rlimit {effort})\n"),
            (Some(effort), Program::Cvc5) => format!("(set-option :rlimit-per {effort})\n"),
        };
        running.send(&format!("(reset)\n{effort}(set-logic ALL)\n{}(check-sat)\n", script.text))?;
        // The program ends its search by itself; the grace is for one that does not.
        let deadline = Instant::now() + self.limit + Duration::from_millis(500);
        match running.receive(deadline)?.as_str() {
            "unsat" => Ok(Reply::Unsat),
            "unknown" => Ok(Reply::Unknown),
            "sat" if script.variables.is_empty() => Ok(Reply::Sat(Sexpr::List(Vec::new()))),
            "sat" => {
                let names: Vec<&str> = script.variables.iter().map(|variable| variable.alias.as_str()).collect();
                running.send(&format!("(get-value ({}))\n", names.join(" ")))?;
                let written = running.receive(deadline)?;
                Sexpr::parse(&written).map(Reply::Sat).ok_or(Failure::Said(written))
            }
            other => Err(Failure::Said(other.to_owned())),
        }
    }
}

impl Solver for Process {
    fn check_briefly(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        let before = self.effort.replace(BRIEF_EFFORT);
        let answer = self.check(terms);
        self.effort = before;
        answer
    }

    fn check(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        if let Some(answer) = decided(terms) {
            return Ok(answer);
        }
        let script = script(terms);
        let reply = self.ask(&script);
        if reply.is_err() {
            // Whatever state it is in, the next query must not see it.
            self.running = None;
        }
        let program = self.program.name();
        match reply {
            Ok(Reply::Unsat) => Ok(Answer::Unsat),
            Ok(Reply::Unknown) => Ok(Answer::Unknown(format!("{program} does not know"))),
            Ok(Reply::Sat(values)) => Ok(match Model::read(&values, &script.variables) {
                Ok(model) => verified(terms, model),
                Err(part) => Answer::Unknown(format!("{program} gave values that cannot be read: {part}")),
            }),
            Err(Failure::Late) => Ok(Answer::Unknown(format!("{program} was stopped after {:?}", self.limit))),
            Err(Failure::Start(error)) => Err(error),
            Err(Failure::Said(said)) => {
                Err(SolverError::Failed { program: program.to_owned(), said, query: script.text })
            }
        }
    }
}

enum Reply {
    Sat(Sexpr),
    Unsat,
    Unknown,
}

enum Failure {
    Late,
    Said(String),
    Start(SolverError),
}

/// A child with a thread that reads what it says.
struct Running {
    child: Child,
    input: ChildStdin,
    replies: Receiver<String>,
}

impl Running {
    fn start(program: Program, limit: Duration) -> Result<Running, SolverError> {
        let start = |cause: std::io::Error| match cause.kind() {
            ErrorKind::NotFound => SolverError::Missing,
            _ => SolverError::Start { program: program.name().to_owned(), cause },
        };
        let mut child = Command::new(program.name())
            .args(program.arguments(limit))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(start)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(start(ErrorKind::BrokenPipe.into()));
        };
        let (send, replies) = channel();
        // Ends with the child, whose output then ends.
        thread::spawn(move || {
            let mut reply = String::new();
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                reply.push_str(&line);
                if Sexpr::is_complete(&reply) && send.send(std::mem::take(&mut reply)).is_err() {
                    return;
                }
            }
        });
        Ok(Running { child, input, replies })
    }

    fn send(&mut self, commands: &str) -> Result<(), Failure> {
        let sent = self.input.write_all(commands.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|cause| Failure::Said(format!("it does not read any more ({cause})")))
    }

    fn receive(&mut self, deadline: Instant) -> Result<String, Failure> {
        match self.replies.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(reply) => Ok(reply.trim().to_owned()),
            Err(RecvTimeoutError::Timeout) => Err(Failure::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Failure::Said("it ended".to_owned())),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; waiting collects it in either case.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn no_process_is_left_behind() {
        let solver = Process::start(Program::Z3, Duration::from_secs(5)).unwrap_or_else(|error| panic!("{error}"));
        let id = solver.running.as_ref().map(|running| running.child.id()).unwrap();
        let entry = format!("/proc/{id}");
        assert!(Path::new(&entry).exists());
        drop(solver);
        assert!(!Path::new(&entry).exists());
    }
}
