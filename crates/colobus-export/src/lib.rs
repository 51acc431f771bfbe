//! A finding as a test that runs without Colobus: [`export`] turns a [`Trace`] into a file that a developer commits to the
//! repository of the application. It tells the story of the finding, event by event; what it takes to hold and release
//! messages is in [`support`], a second file, the same for every finding. `literal` writes values as JavaScript, `head` the
//! comment and the description of the application, `login` how its users log in, `story` the test itself. [`TwoOrders`] is a
//! finding of another kind, about one page (`two_orders`).

mod assertions;
mod head;
mod literal;
mod login;
mod runner;
mod steps;
mod story;
mod support;
mod two_orders;

use colobus_check::Checks;
use colobus_model::{Application, Trace};

use assertions::Demands;

pub use runner::Runner;
pub use support::{SUPPORT_FILE, support};
pub use two_orders::{Compared, Happening, RACE_SUPPORT_FILE, Turn, TwoOrders, race_support};

/// Writes findings for another tool.
///
/// ```
/// use colobus_check::Checks;
/// use colobus_export::{Exported, Exporter, TwoOrders};
/// use colobus_model::Trace;
///
/// /// A finding as a line for a list of things to do.
/// struct ToDo;
///
/// impl Exporter for ToDo {
///     fn name(&self) -> &'static str {
///         "todo"
///     }
///     fn describe(&self) -> &'static str {
///         "a line for a list of things to do"
///     }
///     fn export(&self, trace: &Trace, _: Checks) -> Exported {
///         Exported { text: format!("- [ ] {} in the order {}\n", trace.interaction, trace.schedule), warnings: vec![] }
///     }
///     fn export_orders(&self, _: &TwoOrders) -> Option<Exported> {
///         None
///     }
/// }
/// ```
pub trait Exporter: Sync {
    /// What `colobus export --to` calls it.
    fn name(&self) -> &'static str;

    /// What it writes, in a few words.
    fn describe(&self) -> &'static str;

    /// `checks` say what is wrong in the trace.
    fn export(&self, trace: &Trace, checks: Checks) -> Exported;

    /// A finding about one page, as a test that imports [`race_support`]. `None` if this tool has no way to say it.
    fn export_orders(&self, orders: &TwoOrders) -> Option<Exported>;
}

/// All exporters of findings. A new one is a file and a line here.
pub static EXPORTERS: &[&dyn Exporter] = &[&Runner::Playwright, &Runner::PlaywrightCore];

impl Exporter for Runner {
    fn name(&self) -> &'static str {
        match self {
            Runner::Playwright => "playwright",
            Runner::PlaywrightCore => "playwright-core",
        }
    }

    fn describe(&self) -> &'static str {
        match self {
            Runner::Playwright => "Playwright's own test runner (@playwright/test)",
            Runner::PlaywrightCore => "Node's runner with playwright-core",
        }
    }

    fn export(&self, trace: &Trace, checks: Checks) -> Exported {
        export(trace, checks, *self)
    }

    fn export_orders(&self, orders: &TwoOrders) -> Option<Exported> {
        Some(two_orders::export(orders, *self))
    }
}

/// A test, which imports [`support`], and what of the finding it cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub text: String,
    /// One sentence each; the text has them as comments, too.
    pub warnings: Vec<String>,
}

/// Writes the trace as a test for this runner, which asserts what the checks that fail demand.
pub fn export(trace: &Trace, checks: Checks, runner: Runner) -> Exported {
    let trace = &Trace { application: settled_down(&trace.application), ..trace.clone() };
    let demands = Demands::of(trace, checks, runner);
    let story = story::story(trace, runner, &demands);
    let mut warnings = head::warnings(trace, &demands);
    warnings.extend(story.warnings);
    let parts = [
        head::comment(trace, &demands, runner, &warnings),
        head::imports(trace, runner) + &support::import(&story.text),
        head::application(trace, &demands),
        story.text,
    ];
    Exported { text: parts.join("\n"), warnings }
}

/// A file cannot choose a free port each time: an application that asks for one gets this.
const PORT: u16 = 8127;

fn settled_down(application: &Application) -> Application {
    if application.wants_port() { application.on_port(PORT) } else { application.clone() }
}
