//! `colobus init`: writes a commented `colobus.toml` to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::args::InitArgs;
use crate::config::{self, Configuration};
use crate::output::print;

const TEMPLATE: &str = include_str!("../../templates/colobus.toml");
/// What the template has where a user's URL goes.
const TEMPLATE_URL: &str = "http://127.0.0.1:8080/?doc={doc}";
/// What the template says about resets; it is needed if the URL has no `{doc}`.
const TEMPLATE_RESET: &str = "# reset = \"reload\"";

pub fn run(args: &InitArgs) -> anyhow::Result<ExitCode> {
    let text = template(args.url.as_deref())?;
    let path = if args.path.is_dir() { args.path.join(config::FILE_NAME) } else { args.path.clone() };
    let shown = path.display();
    let mut options = OpenOptions::new();
    options.write(true).create_new(!args.force).create(args.force).truncate(args.force);
    let mut file = match options.open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{shown} is there already\n  `colobus init --force` overwrites it");
        }
        Err(error) => return Err(error).with_context(|| format!("cannot write {shown}")),
    };
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {shown}"))?;
    print(&format!(
        "wrote {shown}\nNext: say in it what your users do, then `colobus list` shows what would run and `colobus check` runs it.\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// The template for this URL.
pub fn template(url: Option<&str>) -> anyhow::Result<String> {
    let Some(url) = url else {
        return Ok(TEMPLATE.to_string());
    };
    let quoted = toml::Value::String(url.to_string()).to_string();
    let mut text = TEMPLATE.replace(&format!("\"{TEMPLATE_URL}\""), &quoted);
    if !url.contains("{doc}") {
        text = text.replace(TEMPLATE_RESET, TEMPLATE_RESET.trim_start_matches("# "));
    }
    // What cannot be read back must not be written.
    Configuration::parse(&text, config::FILE_NAME, Path::new("."))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use colobus_model::Reset;

    fn parsed(url: Option<&str>) -> Configuration {
        Configuration::parse(&template(url).unwrap(), "colobus.toml", Path::new(".")).unwrap()
    }

    #[test]
    fn the_template_is_a_configuration() {
        let configuration = parsed(None);
        assert_eq!(configuration.application.url, TEMPLATE_URL);
        assert_eq!(configuration.application.reset, Reset::FreshDocument);
        assert!(configuration.actions.len() >= 2, "a search needs two actions");
    }

    #[test]
    fn the_template_names_every_key() {
        let schema = config::schema();
        for part in ["App", "Settle", "Deterministic", "Judge", "Search", "Checks", "Client"] {
            for key in schema["$defs"][part]["properties"].as_object().unwrap().keys() {
                assert!(TEMPLATE.contains(&format!("{key} = ")), "{part}: {key}");
            }
        }
        for step in schema["$defs"]["Step"]["oneOf"].as_array().unwrap() {
            let key = step["required"][0].as_str().unwrap();
            assert!(TEMPLATE.contains(&format!("{{ {key} = ")), "{key}");
        }
    }

    #[test]
    fn every_line_that_is_commented_out_works() {
        let is_key = |line: &&str| {
            let rest = line.strip_prefix("# ").and_then(|line| line.split_once(" = "));
            rest.is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        };
        let lines: Vec<&str> = TEMPLATE.lines().filter(is_key).collect();
        assert_eq!(lines.len(), 43);
        let folder = tempfile::TempDir::new().unwrap();
        fs::create_dir(folder.path().join("api")).unwrap();
        fs::write(folder.path().join("api/api.ail"), "").unwrap();
        for line in lines {
            let key = line.trim_start_matches("# ");
            let mut text = TEMPLATE.replace(line, key);
            if key.starts_with("reset") {
                text = text.replace("?doc={doc}", "");
            }
            if ["wait_for", "environment", "start_timeout_ms"].iter().any(|about_start| key.starts_with(about_start)) {
                text = text.replace("# start = ", "start = ");
            }
            let result = Configuration::parse(&text, "colobus.toml", folder.path());
            assert!(result.is_ok(), "{key}: {}", result.unwrap_err());
        }
    }

    #[test]
    fn a_url_without_a_document_needs_a_reset() {
        let configuration = parsed(Some("http://localhost:3000/?a=\"b\\c\""));
        assert_eq!(configuration.application.url, "http://localhost:3000/?a=\"b\\c\"");
        assert_eq!(configuration.application.reset, Reset::Reload);
    }

    #[test]
    fn a_url_that_is_none_is_refused() {
        let error = template(Some("localhost")).unwrap_err().to_string();
        assert!(error.contains("a URL must begin with http:// or https://"), "{error}");
    }
}
