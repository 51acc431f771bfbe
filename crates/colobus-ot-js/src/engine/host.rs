//! What the engine asks of its surroundings: which file a specifier means, its source, and how to compile it.

use std::path::Path;

use rquickjs::context::EvalOptions;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Exception, Function, Object, Result, Value};

use crate::describe;
use crate::modules::{self, Format, Style};

/// Marks modules that are part of this program.
pub(super) const EMBEDDED: &str = "colobus:";

const BODY: &str = "/* BODY */";

pub(super) fn format_name(format: Format) -> &'static str {
    match format {
        Format::CommonJs => "commonjs",
        Format::EsModule => "module",
        Format::Json => "json",
    }
}

/// Gives the context `require` and returns the function that loads a file by path and format.
pub(super) fn install_require<'js>(ctx: &Ctx<'js>) -> Result<Function<'js>> {
    let host = Object::new(ctx.clone())?;
    host.set("read", Function::new(ctx.clone(), |ctx: Ctx<'js>, path: String| read(&ctx, &path))?)?;
    host.set("compile", Function::new(ctx.clone(), |ctx: Ctx<'js>, path: String| compile(&ctx, &path))?)?;
    host.set(
        "resolve",
        Function::new(ctx.clone(), |ctx: Ctx<'js>, specifier: String, from: String| {
            locate(&ctx, &specifier, &from, Style::Require)
                .map(|(path, format)| vec![path, format_name(format).to_owned()])
        })?,
    )?;
    let commonjs: Function = ctx.eval(include_str!("js/commonjs.js"))?;
    commonjs.call((host,))
}

fn throw(ctx: &Ctx<'_>, message: &str) -> rquickjs::Error {
    match Exception::from_message(ctx.clone(), message) {
        Ok(exception) => exception.throw(),
        Err(error) => error,
    }
}

fn read(ctx: &Ctx<'_>, path: &str) -> Result<String> {
    match path.strip_prefix(EMBEDDED) {
        Some(name) => describe::embedded(name)
            .map(str::to_owned)
            .ok_or_else(|| throw(ctx, &format!("nothing is embedded as {name}"))),
        None => std::fs::read_to_string(path).map_err(|error| throw(ctx, &format!("{path} cannot be read: {error}"))),
    }
}

fn compile<'js>(ctx: &Ctx<'js>, path: &str) -> Result<Function<'js>> {
    let source = read(ctx, path)?;
    let source = if source.starts_with("#!") { format!("//{source}") } else { source };
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(path.to_owned());
    ctx.eval_with_options(include_str!("js/wrapper.js").replace(BODY, &source), options)
}

fn locate(ctx: &Ctx<'_>, specifier: &str, from: &str, style: Style) -> Result<(String, Format)> {
    if let Some(inside) = from.strip_prefix(EMBEDDED) {
        let folder = inside.rsplit_once('/').map_or("", |(folder, _)| folder);
        let name = specifier.trim_start_matches("./");
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        return Ok((format!("{EMBEDDED}{path}"), Format::CommonJs));
    }
    modules::resolve(specifier, Path::new(from), style)
        .map(|module| (module.path.display().to_string(), module.format))
        .map_err(|error| throw(ctx, &error.to_string()))
}

/// Whether a file that failed as CommonJS with `thrown` is written as an ES module.
pub(super) fn is_es_module(thrown: &Value<'_>, path: &Path) -> bool {
    let is_syntax_error = thrown
        .as_object()
        .and_then(|thrown| thrown.get::<_, String>("name").ok())
        .is_some_and(|name| name == "SyntaxError");
    is_syntax_error
        && std::fs::read_to_string(path)
            .is_ok_and(|source| source.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")))
}

/// Imports an ES module with all it imports, and returns its namespace.
pub(super) fn import<'js>(ctx: &Ctx<'js>, path: &str) -> Result<Value<'js>> {
    rquickjs::Module::import(ctx, path)?.finish()
}

pub(super) struct ImportResolver;

impl Resolver for ImportResolver {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        // The entry is resolved already, and asked for by no file.
        if Path::new(name).is_absolute() {
            return Ok(name.to_owned());
        }
        locate(ctx, name, base, Style::Import).map(|(path, _)| path)
    }
}

pub(super) struct ImportLoader;

impl Loader for ImportLoader {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        path: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<rquickjs::Module<'js, Declared>> {
        let (_, format) = locate(ctx, path, path, Style::Import)?;
        let text = read(ctx, path)?;
        let source = match format {
            Format::EsModule => text,
            format => match facade(ctx, path, format) {
                Ok(source) => source,
                Err(error) => {
                    let thrown = ctx.catch();
                    if !is_es_module(&thrown, Path::new(path)) {
                        return Err(if error.is_exception() { ctx.throw(thrown) } else { error });
                    }
                    text
                }
            },
        };
        rquickjs::Module::declare(ctx.clone(), path, source)
    }
}

/// The source that lets ES modules import a CommonJS file.
fn facade(ctx: &Ctx<'_>, path: &str, format: Format) -> Result<String> {
    let facade: Function = ctx.globals().get("colobus:facade")?;
    facade.call((path, format_name(format)))
}
