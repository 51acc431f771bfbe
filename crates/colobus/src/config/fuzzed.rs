//! Configurations, mutated: each is read, or refused with the place of what is wrong.

use std::path::Path;

use super::Configuration;

#[test]
fn configurations() {
    let everything = include_bytes!("../../tests/configuration/accepted/everything.toml");
    let port = include_bytes!("../../tests/configuration/accepted/port.toml");
    colobus_mutate::each(&[everything, port], |input| {
        let text = String::from_utf8_lossy(input);
        match Configuration::parse(&text, "colobus.toml", Path::new(".")) {
            Ok(mut configuration) => drop(configuration.keep_actions(Some("small"), &[])),
            Err(problems) => assert!(!problems.to_string().is_empty()),
        }
    });
}
