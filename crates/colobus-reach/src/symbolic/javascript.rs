//! Expressions as source text of JavaScript, for people who ask why, and for the tests that ask a real engine.

use std::fmt;

use super::expr::{Expr, Source, Variable};
use super::operator::Operator;
use super::value::Value;

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.source {
            Source::State | Source::Event(0) => f.write_str(&self.name),
            Source::Event(number) => write!(f, "{}_{number}", self.name),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Expr::Constant(value) => value.fmt(f),
            Expr::Variable(variable) => variable.fmt(f),
            Expr::Apply(application) => {
                let operands: Vec<String> = application.1.iter().map(operand).collect();
                f.write_str(&render(&application.0, &operands))
            }
        }
    }
}

/// An operand, in parentheses if it is an operation itself or a negative number.
fn operand(expr: &Expr) -> String {
    let bare = match expr {
        Expr::Constant(Value::Number(value)) => !value.is_sign_negative() && value.is_finite(),
        Expr::Constant(_) | Expr::Variable(_) => true,
        Expr::Apply(_) => false,
    };
    if bare { expr.to_string() } else { format!("({expr})") }
}

fn render(operator: &Operator, operands: &[String]) -> String {
    use Operator::*;
    let first = operands.first().map_or("", String::as_str);
    let all = operands.join(", ");
    let rest = operands.get(1..).unwrap_or_default().join(", ");
    let infix = |sign: &str| operands.join(&format!(" {sign} "));
    let method = |name: &str| format!("{first}.{name}({rest})");
    match operator {
        Not => format!("!{first}"),
        Negate => format!("-{first}"),
        TypeOf => format!("typeof {first}"),
        ToNumber => format!("Number({all})"),
        ToText => format!("String({all})"),
        IsNaN => format!("isNaN({all})"),
        ParseInt => format!("parseInt({all})"),
        Floor => format!("Math.floor({all})"),
        Ceil => format!("Math.ceil({all})"),
        Trunc => format!("Math.trunc({all})"),
        Abs => format!("Math.abs({all})"),
        Min => format!("Math.min({all})"),
        Max => format!("Math.max({all})"),
        Length => format!("{first}.length"),
        ToLower => method("toLowerCase"),
        ToUpper => method("toUpperCase"),
        Trim => method("trim"),
        Includes => method("includes"),
        StartsWith => method("startsWith"),
        EndsWith => method("endsWith"),
        CharAt => method("charAt"),
        IndexOf => method("indexOf"),
        Slice => method("slice"),
        Add => infix("+"),
        Subtract => infix("-"),
        Multiply => infix("*"),
        Divide => infix("/"),
        Remainder => infix("%"),
        BitAnd => infix("&"),
        BitOr => infix("|"),
        BitXor => infix("^"),
        ShiftLeft => infix("<<"),
        ShiftRight => infix(">>"),
        ShiftUnsigned => infix(">>>"),
        Less => infix("<"),
        AtMost => infix("<="),
        Greater => infix(">"),
        AtLeast => infix(">="),
        Equal => infix("=="),
        NotEqual => infix("!="),
        Same => infix("==="),
        NotSame => infix("!=="),
        And => infix("&&"),
        Or => infix("||"),
        Coalesce => infix("??"),
        Conditional => format!("{first} ? {}", operands.get(1..).unwrap_or_default().join(" : ")),
        Template => format!("`{}`", operands.iter().map(|part| format!("${{{part}}}")).collect::<String>()),
        SplitAt(separator, index) => format!("{first}.split({})[{index}]", Value::text(separator)),
        SplitLength(separator) => format!("{first}.split({}).length", Value::text(separator)),
        Test(pattern) => format!("{pattern}.test({all})"),
        Search(pattern) => format!("{first}.search({pattern})"),
        Capture(pattern, group) => format!("{pattern}.exec({all})[{group}]"),
        SplitBy(separator, index) => format!("{first}.split({separator})[{index}]"),
        SplitByLength(separator) => format!("{first}.split({separator}).length"),
    }
}
