//! Command lines of a configuration, split into words as a shell would, without being one.

/// The words of a command line. Quotes and backslashes work as in a shell; what only a shell can do is refused.
pub fn split_words(line: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match c {
            '\'' | '"' => {
                let text = quoted(&mut characters, c)?;
                word.get_or_insert_default().push_str(&text);
            }
            '\\' => word.get_or_insert_default().extend(characters.next()),
            c if c.is_whitespace() => words.extend(word.take()),
            '&' | '|' | ';' | '<' | '>' | '`' | '$' => {
                return Err(format!(
                    "`{c}` is for a shell, and none is involved: quote it, or write [\"sh\", \"-c\", \"…\"]"
                ));
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match words.first() {
        None => Err("the command is empty".to_string()),
        Some(first) if is_assignment(first) => {
            Err(format!("`{first}` is not a program: variables belong into `environment`"))
        }
        Some(_) => Ok(words),
    }
}

fn quoted(characters: &mut std::str::Chars<'_>, quote: char) -> Result<String, String> {
    let mut text = String::new();
    while let Some(c) = characters.next() {
        match c {
            _ if c == quote => return Ok(text),
            '\\' if quote == '"' => match characters.next() {
                Some(escaped @ ('"' | '\\' | '$' | '`')) => text.push(escaped),
                other => {
                    text.push('\\');
                    text.extend(other);
                }
            },
            c => text.push(c),
        }
    }
    Err(format!("a {quote} is never closed"))
}

/// `PORT=8080`
fn is_assignment(word: &str) -> bool {
    let name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word.split_once('=').is_some_and(|(variable, _)| name(variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_as_a_shell_does() {
        for (line, words) in [
            ("npm start", &["npm", "start"][..]),
            ("  node\tserver.js  ", &["node", "server.js"]),
            (r#"node -e "a b" 'c "d'"#, &["node", "-e", "a b", "c \"d"]),
            (r#"a\ b "c\"d\\e\n" 'f\g'"#, &["a b", r#"c"d\e\n"#, r"f\g"]),
            (r#"a"b"'c'd "" ''"#, &["abcd", "", ""]),
            ("echo '$HOME && ls'", &["echo", "$HOME && ls"]),
            ("x a=b", &["x", "a=b"]),
        ] {
            assert_eq!(split_words(line).unwrap(), words, "{line}");
        }
    }

    #[test]
    fn refuses_what_needs_a_shell() {
        for (line, message) in [
            ("", "the command is empty"),
            ("  ", "the command is empty"),
            ("a 'b", "a ' is never closed"),
            ("a \"b", "a \" is never closed"),
            ("a && b", "`&` is for a shell, and none is involved: quote it, or write [\"sh\", \"-c\", \"…\"]"),
            ("a $B", "`$` is for a shell, and none is involved: quote it, or write [\"sh\", \"-c\", \"…\"]"),
            ("PORT=8080 npm start", "`PORT=8080` is not a program: variables belong into `environment`"),
        ] {
            assert_eq!(split_words(line), Err(message.to_string()), "{line}");
        }
    }
}
