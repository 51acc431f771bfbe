//! `colobus mock`: answers in the place of a server until the process is ended.

use std::process::ExitCode;

use anyhow::Context;
use colobus_learn::Mock;
use colobus_learn::mock::Options;
use colobus_learn::schema::Preference;

use crate::args::{MockArgs, Values};
use crate::learned_server::read_description;
use crate::mock::{Missed, MockServer, Upstream};
use crate::output::print;

pub fn run(args: &MockArgs) -> anyhow::Result<ExitCode> {
    let (description, schemas) = read_description(&args.description)?;
    let options = Options {
        seed: args.seed,
        errors: args.errors,
        latency: args.latency,
        stateful: args.stateful,
        steady: false,
        preference: match args.values {
            Values::Mixed => Preference::Mixed,
            Values::Seen => Preference::Seen,
            Values::Random => Preference::Random,
            Values::Boundary => Preference::Boundary,
        },
        constants: Vec::new(),
    };
    let operations = description.operations.len();
    let mock = Mock::new(description, schemas, options)
        .with_context(|| format!("cannot answer as {} says", args.description.display()))?;
    let upstream = args.pass_through.as_deref().map(str::parse::<Upstream>).transpose()?;
    let missed = args.capture.clone().map(Missed::new).transpose()?;
    let server = MockServer::bind(args.port, mock, upstream, missed)?;
    let seed = args.seed;
    print(&format!("{} answers {operations} operations (seed {seed})\n", server.url()))?;
    server.serve()?;
    Ok(ExitCode::SUCCESS)
}
