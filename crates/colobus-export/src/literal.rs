//! Values as JavaScript source.

use colobus_model::foreign::{escaped, is_deceptive, string_literal};
use serde_json::Value;

/// What may stand in a comment.
pub use colobus_model::foreign::one_line as comment;

/// Lines of a comment.
pub fn comments(lines: &[String]) -> String {
    lines.iter().map(|line| format!("// {}", comment(line)).trim_end().to_string() + "\n").collect()
}

/// A string literal; source code of several lines stays readable.
pub fn string(text: &str) -> String {
    if !text.contains('\n') {
        return string_literal(text);
    }
    let quoted = text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
    format!("`{}`", escaped(&quoted, |c| is_deceptive(c) && c != '\n' && c != '\t'))
}

/// Every JSON is JavaScript, and deceptive characters stand in its strings alone.
pub fn value(value: &Value) -> String {
    escaped(&value.to_string(), is_deceptive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_literal_or_comment() {
        assert_eq!(string("a\"b\\c"), r#""a\"b\\c""#);
        assert_eq!(string("a\u{2028}"), "\"a\\u2028\"");
        assert_eq!(string("`${x}`\n\\n"), "`\\`\\${x}\\`\n\\\\n`");
        assert_eq!(string("`\r\u{202e}\n`"), "`\\`\\u000d\\u202e\n\\``");
        assert_eq!(value(&Value::from(vec!["\u{85}", "\u{2029}"])), r#"["\u0085","\u2029"]"#);
        assert_eq!(comment("a\nprocess.exit()\u{2028}b"), "a process.exit() b");
    }
}
