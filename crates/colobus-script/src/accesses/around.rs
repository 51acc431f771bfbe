//! [`Around`]: what a direct `eval` sees of the functions around it. A rewritten call hands it to the runtime as a text, which comes back
//! with the code that is to be rewritten: `strict,0;count,__c$5,12;name,0,13` is strict code with two variables, each with the
//! name of its activation's number (0 for none) and the site of its declaration.

use std::collections::BTreeMap;

use super::RUNTIME;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    pub is_strict: bool,
    /// How many evaluated texts are around the code: each has names of its own for activations.
    pub depth: usize,
    /// `activation,declaration` by the name of a variable.
    pub variables: BTreeMap<String, String>,
}

impl Around {
    /// What a text says. A page may have made it up: what is no variable is left out.
    pub fn read(text: &str) -> Around {
        let mut parts = text.split(';');
        let (mode, depth) = parts.next().and_then(|first| first.split_once(',')).unwrap_or(("sloppy", "0"));
        let variable = |part: &str| {
            let (name, place) = part.split_once(',')?;
            let (activation, declaration) = place.split_once(',')?;
            let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let is_name =
                activation.strip_prefix(RUNTIME).is_some_and(|rest| is_number(rest.trim_start_matches(EVALUATED)));
            let is_place = (activation == "0" || is_name) && is_number(declaration);
            is_place.then(|| (name.to_string(), place.to_string()))
        };
        Around {
            is_strict: mode == "strict",
            depth: depth.parse::<usize>().unwrap_or_default().saturating_add(1).min(DEEPEST),
            variables: parts.filter_map(variable).collect(),
        }
    }

    /// The text for code that is evaluated inside this, with these variables in addition.
    pub fn text(&self, is_strict: bool, variables: BTreeMap<String, String>) -> String {
        let mut all = self.variables.clone();
        all.extend(variables);
        let mode = if is_strict { "strict" } else { "sloppy" };
        let variables: String = all.iter().map(|(name, place)| format!(";{name},{place}")).collect();
        format!("{mode},{}{variables}", self.depth)
    }

    /// The name of a variable that holds the number of an activation.
    pub fn activation(&self, scope: usize) -> String {
        format!("{RUNTIME}{}{scope}", EVALUATED.to_string().repeat(self.depth))
    }
}

/// Stands in names of activations once for each evaluated text around them.
const EVALUATED: char = 'e';

/// Evaluated texts inside each other beyond this share their names.
const DEEPEST: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let variables = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, place)| (name.to_string(), place.to_string())).collect::<BTreeMap<_, _>>()
        };
        let text = Around::default().text(true, variables(&[("count", "__c$5,12"), ("é$", "0,13")]));
        assert_eq!(text, "strict,0;count,__c$5,12;é$,0,13");
        let read = Around::read(&text);
        assert_eq!((read.is_strict, read.depth), (true, 1));
        assert_eq!(read.activation(7), "__c$e7");
        let deeper = Around::read(&read.text(false, variables(&[("count", "__c$e2,40")])));
        assert_eq!((deeper.is_strict, deeper.depth), (false, 2));
        assert_eq!(deeper.variables, variables(&[("count", "__c$e2,40"), ("é$", "0,13")]));
    }

    #[test]
    fn what_a_page_makes_up_is_left_out() {
        for text in [
            "",
            "strict",
            ";;;",
            "x,y;a",
            "sloppy,0;a,alert(1),2",
            "sloppy,99999999999999999999;a,0,1),b",
            "s,0;a,__c$e,1",
        ] {
            assert_eq!(Around::read(text).variables, BTreeMap::new(), "{text}");
            assert!(Around::read(text).depth <= DEEPEST);
        }
    }
}
