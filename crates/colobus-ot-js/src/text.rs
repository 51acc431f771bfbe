//! A report as text for people.

use std::fmt;

use crate::case::{Case, Move};
use crate::laws::Violation;
use crate::report::{Counterexample, Found, LawReport, Report, Verdict};

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: operations from {}", self.r#type, self.description)?;
        for law in &self.laws {
            write!(f, "{law}")?;
        }
        for found in self.laws.iter().filter_map(|law| law.counterexample.as_ref()) {
            write!(f, "\n{found}")?;
        }
        let verdict = match self.verdict {
            Verdict::Holds => "every claimed law held in the cases tried",
            Verdict::Violated => "a claimed law is VIOLATED",
            Verdict::Unknown => "some claimed laws could not be tried: no operation fits any document",
        };
        writeln!(
            f,
            "\n{verdict} ({} cases, {} calls, {:.1} s, seed {})",
            self.explored, self.evaluations, self.seconds, self.seed
        )
    }
}

impl fmt::Display for LawReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match (self.verdict, self.claimed, self.applicable) {
            (_, _, false) => "absent",
            (Verdict::Holds, ..) => "holds",
            (Verdict::Violated, true, _) => "VIOLATED",
            (Verdict::Violated, false, _) => "does not hold (not claimed)",
            (Verdict::Unknown, ..) => "not tried",
        };
        write!(f, "  {:<18} {verdict}", self.law)?;
        if self.applicable && self.verdict == Verdict::Holds {
            match (self.cases, self.complete) {
                (0, _) => write!(f, ": {} random cases", self.random_cases)?,
                (cases, true) => write!(f, ": all {cases} cases, {} random", self.random_cases)?,
                (cases, false) => write!(f, ": the smallest {cases} cases, {} random", self.random_cases)?,
            }
        }
        writeln!(f)
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = match (self.found, &self.original) {
            (Found::Given, _) => "as given",
            (Found::Exhaustive, None) => "the smallest found",
            (Found::Exhaustive, Some(_)) => "the smallest found, shrunk",
            (Found::Random, None) => "found at random",
            (Found::Random, Some(_)) => "found at random, shrunk",
        };
        writeln!(f, "{} ({found})", self.law)?;
        writeln!(f, "  document  {}", self.case.document)?;
        for (index, operation) in self.case.operations.iter().enumerate() {
            writeln!(f, "  {:<9} {operation}", Case::name(index))?;
        }
        if !self.case.schedule.is_empty() {
            let moves: Vec<String> = self.case.schedule.iter().map(describe).collect();
            writeln!(f, "  schedule  {}, then all is delivered", moves.join(", "))?;
        }
        for step in &self.steps {
            writeln!(f, "    {:<38} {}", step.call, step.result)?;
        }
        match &self.violation {
            Some(Violation::Diverged { left, right }) => {
                writeln!(f, "  {}: {}", left.way, left.document)?;
                writeln!(f, "  {}: {}", right.way, right.document)
            }
            Some(Violation::Failed { call, failure }) => writeln!(f, "  {call}: {failure}"),
            None => writeln!(f, "  both ways agree"),
        }
    }
}

fn describe(event: &Move) -> String {
    match event {
        Move::Edit { client, operation } => format!("client {client} makes {}", Case::name(*operation)),
        Move::Submit { client } => format!("client {client} submits"),
        Move::Receive { client } => format!("client {client} receives"),
    }
}
