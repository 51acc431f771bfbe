//! A type loaded from JavaScript, with the description of its operations: [`Library`] is both seams of the checker.

use std::cell::{Ref, RefCell};

use serde::Deserialize;

use crate::describe::{self, BUILTINS, Builtin, OperationList};
use crate::engine::{Engine, Limits};
use crate::error::CheckError;
use crate::failure::Failure;
use crate::json::Json;
use crate::modules::Module;
use crate::subject::{Facts, Side, Subject, Supply, SupplyError};

/// Where the operations come from.
#[derive(Clone, Debug)]
pub enum Operations {
    /// The built-in description that fits the type's name.
    Fitting,
    /// A built-in description by name.
    Named(String),
    /// A JavaScript module of the same shape as the built-in ones.
    Generator(Module),
    /// A JSON file that lists them.
    List(OperationList),
}

/// Everything needed to load a type, in any thread.
#[derive(Clone, Debug)]
pub struct Source {
    pub module: Module,
    /// Which export holds the type, as a dotted path; found by its shape if not given.
    pub wanted: Option<String>,
    pub operations: Operations,
    /// How large the description's documents are.
    pub size: usize,
    /// Kinds of operations to leave out.
    pub exclude: Vec<String>,
    pub limits: Limits,
}

pub struct Library {
    source: Source,
    engine: RefCell<Engine>,
    facts: Facts,
    described: Described,
    description: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Described {
    kinds: Vec<String>,
    enumerates: bool,
    generates: bool,
    validates: bool,
}

#[derive(Deserialize)]
struct Problem {
    kind: String,
    names: Vec<String>,
}

impl Library {
    pub fn load(source: &Source) -> Result<Library, CheckError> {
        let (engine, facts) = load_type(source)?;
        let (description, described) = load_description(source, &engine, &facts)?;
        if let Some(name) = source.exclude.iter().find(|name| !described.kinds.contains(name)) {
            let known = described.kinds.join(", ");
            return Err(CheckError::UnknownKind { name: name.clone(), known });
        }
        let source = source.clone();
        Ok(Library { source, engine: RefCell::new(engine), facts, described, description })
    }

    /// Which description of operations is in use.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The type's name, or the file it came from.
    pub fn name(&self) -> String {
        let path = || self.source.module.path.display().to_string();
        self.facts.name.clone().unwrap_or_else(path)
    }

    /// The operations' source: this library's own description, or the user's list.
    pub fn supply(&self) -> &dyn Supply {
        match &self.source.operations {
            Operations::List(list) => list,
            _ => self,
        }
    }

    fn engine(&self) -> Ref<'_, Engine> {
        self.engine.borrow()
    }

    fn call(&self, function: &str, arguments: [&str; 3]) -> Result<String, Failure> {
        let result = self.engine().call(function, arguments);
        if let Err(failure) = &result
            && failure.spoils_the_engine()
        {
            // It loaded once, so it loads again; should it not, the old engine serves on.
            if let Ok((engine, facts)) = load_type(&self.source)
                && load_description(&self.source, &engine, &facts).is_ok()
            {
                self.engine.replace(engine);
            }
        }
        result
    }

    fn call_json(&self, function: &str, arguments: [&str; 3]) -> Result<Json, Failure> {
        self.call(function, arguments).map(|text| Json::from_engine(&text))
    }

    fn supply_call(&self, function: &'static str, arguments: [&str; 3]) -> Result<String, SupplyError> {
        self.call(function, arguments).map_err(|failure| SupplyError::Failed { function, failure })
    }

    fn supply_list(&self, function: &'static str, arguments: [&str; 3]) -> Result<Vec<Json>, SupplyError> {
        let text = self.supply_call(function, arguments)?;
        let texts: Vec<String> = serde_json::from_str(&text)
            .map_err(|error| SupplyError::Failed { function, failure: Failure::NotJson { what: error.to_string() } })?;
        Ok(texts.iter().map(|text| Json::from_engine(text)).collect())
    }
}

fn load_type(source: &Source) -> Result<(Engine, Facts), CheckError> {
    let path = || source.module.path.display().to_string();
    let failed = |failure| CheckError::Load { path: path(), failure };
    let engine = Engine::new(source.limits).map_err(failed)?;
    let exported = engine.load(&source.module).map_err(failed)?;
    let wanted = source.wanted.as_deref().unwrap_or("");
    let answer = engine.hand_over("choose", &exported, wanted).map_err(failed)?;
    match answer.split_at_checked(1) {
        Some(("=", facts)) => {
            let nonsense = |error: serde_json::Error| failed(Failure::NotJson { what: error.to_string() });
            Ok((engine, serde_json::from_str(facts).map_err(nonsense)?))
        }
        Some((_, problem)) => Err(no_type(path(), wanted, problem)),
        None => Err(CheckError::NoType { path: path(), exported: "nothing".to_owned() }),
    }
}

fn no_type(path: String, wanted: &str, problem: &str) -> CheckError {
    let problem: Problem = match serde_json::from_str(problem) {
        Ok(problem) => problem,
        Err(error) => return CheckError::NoType { path, exported: error.to_string() },
    };
    let names = if problem.names.is_empty() { "nothing".to_owned() } else { problem.names.join(", ") };
    match problem.kind.as_str() {
        "several" => CheckError::SeveralTypes { path, names },
        "lacks" => CheckError::LacksFunction { path, missing: names },
        "not-a-type" => CheckError::NotAType { path, wanted: wanted.to_owned(), missing: names },
        _ => CheckError::NoType { path, exported: names },
    }
}

fn load_description(source: &Source, engine: &Engine, facts: &Facts) -> Result<(String, Described), CheckError> {
    let builtin = |found: &'static Builtin| (found.name.to_owned(), engine.load_embedded(found.file));
    let (name, loaded) = match &source.operations {
        Operations::List(_) => return Ok(("the operations given".to_owned(), Described::default())),
        Operations::Generator(module) => (module.path.display().to_string(), engine.load(module)),
        Operations::Named(name) => {
            let found = BUILTINS.iter().find(|one| one.name == name);
            builtin(
                found.ok_or_else(|| CheckError::UnknownDescription { name: name.clone(), known: describe::known() })?,
            )
        }
        Operations::Fitting => {
            let found = BUILTINS.iter().find(|one| facts.name.as_deref() == Some(one.type_name));
            match found {
                Some(found) => builtin(found),
                // The fuzzer's interface is enough: create a document, generate operations.
                None if facts.generate && facts.create => {
                    return Ok(("the type's generateRandomOp".to_owned(), Described::default()));
                }
                None => {
                    return Err(CheckError::NoDescription {
                        name: facts.name.clone().unwrap_or_else(|| "without a name".to_owned()),
                        known: describe::known(),
                    });
                }
            }
        }
    };
    let bad = |problem: String| CheckError::BadDescription { path: name.clone(), problem };
    let exported = loaded.map_err(|failure| bad(format!("it {failure}")))?;
    let answer = engine.hand_over("describe", &exported, "").map_err(|failure| bad(format!("it {failure}")))?;
    match answer.split_at_checked(1) {
        Some(("=", described)) => {
            let described = serde_json::from_str(described).map_err(|error| bad(error.to_string()))?;
            Ok((name, described))
        }
        _ => Err(bad(answer.chars().skip(1).collect())),
    }
}

impl Subject for Library {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn apply(&self, document: &Json, operation: &Json) -> Result<Json, Failure> {
        self.call_json("apply", [document.text(), operation.text(), ""])
    }

    fn transform(&self, operation: &Json, other: &Json, side: Side) -> Result<Json, Failure> {
        self.call_json("transform", [operation.text(), other.text(), side.name()])
    }

    fn compose(&self, first: &Json, second: &Json) -> Result<Json, Failure> {
        self.call_json("compose", [first.text(), second.text(), ""])
    }

    fn normalize(&self, operation: &Json) -> Result<Json, Failure> {
        self.call_json("normalize", [operation.text(), "", ""])
    }
}

impl Supply for Library {
    fn documents(&self) -> Result<Vec<Json>, SupplyError> {
        self.supply_list("documents", [&self.source.size.to_string(), "", ""])
    }

    fn operations(&self, document: &Json) -> Result<Vec<Json>, SupplyError> {
        if !self.described.enumerates {
            return Ok(Vec::new());
        }
        self.supply_list("operations", [document.text(), &self.source.exclude.join(","), ""])
    }

    fn promises(&self) -> bool {
        true
    }

    fn generate(&self, document: &Json, seed: u64) -> Result<Option<Json>, SupplyError> {
        if !self.described.generates && (self.described.enumerates || !self.facts.generate) {
            return Ok(None);
        }
        self.engine().seed(seed);
        let text = self.supply_call("generate", [document.text(), "", ""])?;
        Ok(Some(Json::from_engine(&text)))
    }

    fn valid(&self, document: &Json, operation: &Json) -> Result<Option<bool>, SupplyError> {
        if !self.described.validates {
            return Ok(None);
        }
        let text = self.supply_call("valid", [document.text(), operation.text(), ""])?;
        Ok(Some(text == "true"))
    }
}
