//! The embedded JavaScript engine: one QuickJS runtime with limits, modules and the bridge to a type.
//!
//! [`Engine`] is the only thing in this crate that holds JavaScript values; everything else sees JSON text.

mod host;
mod limits;

use std::rc::Rc;

use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Object, Persistent, Runtime, Value};

pub use limits::Limits;
use limits::Meter;

use crate::failure::Failure;
use crate::modules::{Format, Module};

/// The stack QuickJS may use; below that of any thread the checker runs on.
const STACK: usize = 512 * 1024;

pub(crate) struct Engine {
    // Saved values come first: they must be dropped before the runtime that owns them.
    bridge: Persistent<Object<'static>>,
    load: Persistent<Function<'static>>,
    seed: Persistent<Function<'static>>,
    context: Context,
    meter: Rc<Meter>,
    limits: Limits,
}

/// Something that the loaded code exported, kept for a later call of the bridge.
pub(crate) struct Exported(Persistent<Value<'static>>);

impl Engine {
    pub fn new(limits: Limits) -> Result<Engine, Failure> {
        let out_of_memory = |_| Failure::OutOfMemory { mebibytes: limits.mebibytes };
        let runtime = Runtime::new().map_err(out_of_memory)?;
        runtime.set_memory_limit(limits.mebibytes.saturating_mul(1024 * 1024));
        runtime.set_max_stack_size(STACK);
        let meter = Rc::new(Meter::default());
        let watch = Rc::clone(&meter);
        runtime.set_interrupt_handler(Some(Box::new(move || watch.tick())));
        runtime.set_loader(host::ImportResolver, host::ImportLoader);
        let context = Context::full(&runtime).map_err(out_of_memory)?;
        meter.refill(limits.steps);
        let saved = context.with(|ctx| {
            let install = || -> rquickjs::Result<_> {
                let globals: Function = ctx.eval(include_str!("js/globals.js"))?;
                let seed: Function = globals.call(())?;
                let adapt: Function = ctx.eval(include_str!("js/adapt.js"))?;
                let bridge: Function = ctx.eval(include_str!("js/bridge.js"))?;
                let bridge: Object = bridge.call((adapt,))?;
                let load = host::install_require(&ctx)?;
                Ok((Persistent::save(&ctx, bridge), Persistent::save(&ctx, load), Persistent::save(&ctx, seed)))
            };
            install().catch(&ctx).map_err(|error| failure(&error, &meter, limits))
        });
        let (bridge, load, seed) = saved?;
        Ok(Engine { bridge, load, seed, context, meter, limits })
    }

    /// Runs a module and keeps what it exports.
    pub fn load(&self, module: &Module) -> Result<Exported, Failure> {
        let path = module.path.display().to_string();
        self.run(|ctx| match module.format {
            Format::EsModule => host::import(&ctx, &path),
            format => {
                let load = self.load.clone().restore(&ctx)?;
                let loaded = load.call((path.as_str(), host::format_name(format)));
                let Err(rquickjs::Error::Exception) = loaded else {
                    return loaded;
                };
                // A .js file whose package does not say what it is may be an ES module.
                let thrown = ctx.catch();
                if format == Format::CommonJs && host::is_es_module(&thrown, &module.path) {
                    host::import(&ctx, &path)
                } else {
                    Err(ctx.throw(thrown))
                }
            }
        })
    }

    /// Runs source that is part of this program, as a CommonJS module.
    pub fn load_embedded(&self, name: &str) -> Result<Exported, Failure> {
        self.run(|ctx| {
            let load = self.load.clone().restore(&ctx)?;
            load.call((format!("{}{name}", host::EMBEDDED), host::format_name(Format::CommonJs)))
        })
    }

    fn run(&self, code: impl for<'js> FnOnce(Ctx<'js>) -> rquickjs::Result<Value<'js>>) -> Result<Exported, Failure> {
        self.meter.refill(self.limits.steps);
        self.context.with(|ctx| {
            code(ctx.clone())
                .map(|value| Exported(Persistent::save(&ctx, value)))
                .catch(&ctx)
                .map_err(|error| failure(&error, &self.meter, self.limits))
        })
    }

    /// Hands an exported value to one of the bridge's functions.
    pub fn hand_over(&self, function: &str, exported: &Exported, argument: &str) -> Result<String, Failure> {
        self.meter.refill(self.limits.steps);
        self.context.with(|ctx| {
            let call = || -> rquickjs::Result<String> {
                let bridge = self.bridge.clone().restore(&ctx)?;
                let value = exported.0.clone().restore(&ctx)?;
                bridge.get::<_, Function>(function)?.call((value, argument))
            };
            call().catch(&ctx).map_err(|error| failure(&error, &self.meter, self.limits))
        })
    }

    /// Calls one of the bridge's functions with JSON texts; the answer is JSON text as well.
    pub fn call(&self, function: &str, arguments: [&str; 3]) -> Result<String, Failure> {
        self.meter.refill(self.limits.steps);
        let answer = self.context.with(|ctx| {
            let call = || -> rquickjs::Result<String> {
                let bridge = self.bridge.clone().restore(&ctx)?;
                let [first, second, third] = arguments;
                bridge.get::<_, Function>(function)?.call((first, second, third))
            };
            call().catch(&ctx).map_err(|error| failure(&error, &self.meter, self.limits))
        })?;
        match answer.strip_prefix('=') {
            Some(_) => Ok(answer[1..].to_owned()),
            None => Err(Failure::NotJson { what: answer.chars().skip(1).collect() }),
        }
    }

    /// Makes what the code sees of chance depend on `seed` alone.
    pub fn seed(&self, seed: u64) {
        self.meter.refill(self.limits.steps);
        self.context.with(|ctx| {
            if let Ok(function) = self.seed.clone().restore(&ctx) {
                // The embedded function only stores a number.
                let _ = function.call::<_, ()>(((seed ^ (seed >> 32)) as u32 as f64,));
            }
        });
    }
}

fn failure(error: &CaughtError<'_>, meter: &Meter, limits: Limits) -> Failure {
    if meter.is_empty() {
        return Failure::Endless { steps: limits.steps };
    }
    let message = match error {
        CaughtError::Exception(exception) => {
            let name: String = exception.as_object().get("name").unwrap_or_else(|_| "Error".to_owned());
            let message = exception.message().unwrap_or_default();
            if message == "out of memory" {
                return Failure::OutOfMemory { mebibytes: limits.mebibytes };
            }
            let place = exception.stack().unwrap_or_default();
            // Where the source does not parse; for the rest the message has to do.
            let place = place.lines().next().filter(|_| name == "SyntaxError").unwrap_or_default().trim();
            format!("{name}: {message} {place}").trim_end().to_owned()
        }
        CaughtError::Value(value) => format!("{value:?}"),
        CaughtError::Error(rquickjs::Error::Allocation) => {
            return Failure::OutOfMemory { mebibytes: limits.mebibytes };
        }
        CaughtError::Error(error) => error.to_string(),
    };
    Failure::Threw { message }
}
