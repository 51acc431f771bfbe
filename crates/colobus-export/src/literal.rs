//! Values as JavaScript source.

use serde_json::Value;

/// A string literal; source code of several lines stays readable.
pub fn string(text: &str) -> String {
    if !text.contains('\n') {
        return value(&Value::from(text));
    }
    let escaped = text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
    format!("`{}`", escaped.replace('\r', "\\r"))
}

/// Every JSON is JavaScript, but two line ends are better not taken literally.
pub fn value(value: &Value) -> String {
    value.to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// A text that stays inside the comment it is put into, whatever a page wrote into it.
pub fn comment(text: &str) -> String {
    text.chars()
        .map(|character| if is_line_end(character) || character.is_control() { ' ' } else { character })
        .collect()
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_literal_or_comment() {
        assert_eq!(string("a\"b\\c"), r#""a\"b\\c""#);
        assert_eq!(string("a\u{2028}"), "\"a\\u2028\"");
        assert_eq!(string("`${x}`\n\\n"), "`\\`\\${x}\\`\n\\\\n`");
        assert_eq!(comment("a\nprocess.exit()\u{2028}b"), "a process.exit() b");
    }
}
