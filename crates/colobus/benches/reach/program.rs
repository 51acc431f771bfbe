//! [`Program`]: a copy of the built program, so that what is built meanwhile does not change what is measured.

use std::fs;
use std::process::{Command, Stdio};

use anyhow::Context;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_colobus");

pub struct Program(TempDir);

impl Program {
    pub fn copy() -> anyhow::Result<Program> {
        let folder = tempfile::tempdir()?;
        fs::copy(PROGRAM, folder.path().join("colobus")).with_context(|| format!("cannot copy {PROGRAM}"))?;
        Ok(Program(folder))
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(self.0.path().join("colobus"));
        command.stdin(Stdio::null());
        command
    }
}
