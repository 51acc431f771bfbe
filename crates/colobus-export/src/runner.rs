//! [`Runner`]: the tool that runs an exported test, and how a test is written for it.

/// What runs the exported test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// Playwright's own test runner: `npx playwright test`.
    Playwright,
    /// The runner of Node with nothing but playwright-core: `node --test`.
    PlaywrightCore,
}

impl Runner {
    /// `assert.deepEqual(actual, expected)`, as the runner says it.
    pub(crate) fn equal(self, actual: &str, expected: &str) -> String {
        match self {
            Runner::Playwright => format!("expect({actual}).toEqual({expected});"),
            Runner::PlaywrightCore => format!("assert.deepEqual({actual}, {expected});"),
        }
    }

    /// A test with this title, a literal, whose lines have a `browser`.
    pub(crate) fn test(self, title: &str, lines: &[String]) -> String {
        match self {
            Runner::Playwright => {
                let body = indented(lines, 1);
                format!("test({title}, async ({{ browser }}) => {{\n  test.setTimeout(120_000);\n{body}}});\n")
            }
            Runner::PlaywrightCore => {
                let body = indented(lines, 2);
                let launch = "const browser = await chromium.launch({ executablePath: process.env.CHROMIUM });";
                format!(
                    "test({title}, async () => {{\n  {launch}\n  try {{\n{body}  }} finally {{\n    await browser.close();\n  }}\n}});\n"
                )
            }
        }
    }

    pub(crate) fn imports(self) -> &'static str {
        match self {
            Runner::Playwright => "import { expect, test } from \"@playwright/test\";\n",
            Runner::PlaywrightCore => {
                "import assert from \"node:assert/strict\";\nimport { test } from \"node:test\";\nimport { chromium } from \"playwright-core\";\n"
            }
        }
    }

    pub(crate) fn how_to_run(self) -> [&'static str; 2] {
        match self {
            Runner::Playwright => [
                "Found and exported by Colobus. Needs @playwright/test 1.48 or newer, and no Colobus:",
                "  npx playwright test THIS_FILE",
            ],
            Runner::PlaywrightCore => [
                "Found and exported by Colobus. Needs playwright-core 1.48 or newer, and no Colobus:",
                "  CHROMIUM=/path/of/a/chromium node --test THIS_FILE",
            ],
        }
    }
}

/// Only first lines are indented: what follows in one entry is part of a text of the page.
pub(crate) fn indented(lines: &[String], depth: usize) -> String {
    let indent = "  ".repeat(depth);
    lines.iter().map(|line| if line.is_empty() { "\n".to_string() } else { format!("{indent}{line}\n") }).collect()
}
