//! Ends of statements. `x++` at the end of a line is a statement of its own, whatever follows; what it is rewritten to is
//! a call, and an opening bracket on the next line would continue it. Such a statement gets the semicolon that it left out.

use oxc_ast::ast::{PropertyDefinition, Statement};
use oxc_span::{GetSpan, Span};

use super::rewriter::Rewriter;

impl Rewriter<'_> {
    pub(super) fn end_statement(&mut self, statement: &Statement<'_>) {
        let may_be_continued = matches!(
            statement,
            Statement::ExpressionStatement(_)
                | Statement::VariableDeclaration(_)
                | Statement::ReturnStatement(_)
                | Statement::ThrowStatement(_)
                | Statement::ExportDefaultDeclaration(_)
                | Statement::ExportDeclaration(_)
        );
        if may_be_continued {
            self.end(statement.span());
        }
    }

    pub(super) fn end_field(&mut self, field: &PropertyDefinition<'_>) {
        self.end(field.span);
    }

    fn end(&mut self, span: Span) {
        let next = next_character(&self.source[span.end as usize..]);
        if !self.text(span).ends_with(';') && matches!(next, Some('(' | '[' | '`' | '+' | '-' | '/')) {
            self.insert(span.end, ";");
        }
    }
}

/// The first character behind white space and comments.
fn next_character(mut rest: &str) -> Option<char> {
    loop {
        rest = rest.trim_start_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
        rest = if let Some(comment) = rest.strip_prefix("//") {
            comment.trim_start_matches(|character| !matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}'))
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, behind)| behind)
        } else {
            return rest.chars().next();
        };
    }
}
