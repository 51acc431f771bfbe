//! How users log in, and what they do before a page can be used, in the words of Playwright.

use colobus_model::{CLIENT, Inside, Login, Step, Target};
use colobus_record::variables_in;

use crate::head::url;
use crate::literal;

/// The entry of one login in the description of the application.
pub fn login(login: &Login) -> String {
    match login {
        Login::Guest => "{}".to_string(),
        Login::StorageState(path) => {
            format!("{{ storageState: {} }}", literal::string(&path.display().to_string()))
        }
        Login::Steps { url: page, steps } => {
            let lines: String =
                steps.iter().map(|step| format!("        {}\n", performed(step, with_secrets))).collect();
            format!("{{\n      url: {},\n      steps: async (page) => {{\n{lines}      }},\n    }}", url(page))
        }
    }
}

/// A function that does what every user does after the page is loaded. It asks for no secret.
pub fn after_load(steps: &[Step]) -> String {
    let lines: String = steps.iter().map(|step| format!("    {}\n", performed(step, with_user))).collect();
    let user = if steps.iter().any(asks_for_client) { ", user" } else { "" };
    format!("async (page{user}) => {{\n{lines}  }}")
}

fn asks_for_client(step: &Step) -> bool {
    step.inserted_text().is_some_and(|text| text.contains(CLIENT))
}

/// `written` makes the text that is typed an expression.
fn performed(step: &Step, written: fn(&str) -> String) -> String {
    let keyboard = |method: &str, argument: &str| format!("await page.keyboard.{method}({argument});");
    match step {
        Step::Press(chord) => keyboard("press", &literal::string(&chord.to_string())),
        Step::Select(what) => keyboard("press", &literal::string(&what.chord().to_string())),
        Step::Type(text) => keyboard("type", &written(text)),
        Step::Paste(text) => keyboard("insertText", &written(text)),
        Step::Click(at) => pointed("click", at),
        Step::DoubleClick(at) => pointed("dblclick", at),
        Step::Drag { from, to } => format!("await {}.dragTo({});", element(from), element(to)),
        Step::Evaluate(source) => format!("await page.evaluate({});", literal::string(&format!("{{ {source}\n}}"))),
        Step::WaitFor(selector) => format!("await {}.waitFor();", locator(selector)),
        Step::Resize(size) => {
            format!("await page.setViewportSize({{ width: {}, height: {} }});", size.width, size.height)
        }
    }
}

fn pointed(method: &str, target: &Target) -> String {
    match target {
        Target::Selector(_) => format!("await {}.{method}();", element(target)),
        Target::Inside(Inside { x, y, .. }) => {
            format!("await {}.{method}({{ position: {{ x: {x}, y: {y} }} }});", element(target))
        }
        Target::Point(point) => format!("await page.mouse.{method}({}, {});", point.x, point.y),
    }
}

fn element(target: &Target) -> String {
    match target {
        Target::Selector(selector) => locator(selector),
        Target::Inside(place) => locator(&place.on),
        Target::Point(_) => "page.locator(\"body\")".to_string(),
    }
}

/// A locator as Playwright has it.
fn locator(text: &str) -> String {
    let mut found = "page".to_string();
    for part in text.split(">>").map(str::trim) {
        found.push_str(&match part.split_once('=') {
            Some(("role", wanted)) => role(wanted),
            Some(("label", wanted)) => by("Label", wanted),
            Some(("placeholder", wanted)) => by("Placeholder", wanted),
            Some(("text", wanted)) => by("Text", wanted),
            Some(("testid", wanted)) => format!(".getByTestId({})", literal::string(unquoted(wanted).0)),
            _ => format!(".locator({}).filter({{ visible: true }}).first()", literal::string(part)),
        });
    }
    found
}

fn role(wanted: &str) -> String {
    let (role, name) = wanted.split_once("[name=").map_or((wanted, None), |(role, name)| (role, Some(name)));
    let name = name.map(|name| {
        let (name, exact) = unquoted(name.trim_end_matches(']'));
        let exact = if exact { ", exact: true" } else { "" };
        format!(", {{ name: {}{exact} }}", literal::string(name))
    });
    format!(".getByRole({}{})", literal::string(role), name.unwrap_or_default())
}

fn by(what: &str, wanted: &str) -> String {
    let (wanted, exact) = unquoted(wanted);
    let exact = if exact { ", { exact: true }" } else { "" };
    format!(".getBy{what}({}{exact})", literal::string(wanted))
}

/// The text that is looked for, and whether the whole text has to be so.
fn unquoted(wanted: &str) -> (&str, bool) {
    let quoted = |quote: char| wanted.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    quoted('"').or_else(|| quoted('\'')).map_or((wanted, false), |inner| (inner, true))
}

/// The text, with the name of the user where it asks for that.
fn with_user(text: &str) -> String {
    let named = |part: &str| [Some("user".to_string()), (!part.is_empty()).then(|| literal::string(part))];
    let mut parts = text.split(CLIENT);
    let first = parts.next().unwrap_or_default();
    let rest: Vec<String> = parts.flat_map(named).flatten().collect();
    let first = (!first.is_empty() || rest.is_empty()).then(|| literal::string(first));
    first.into_iter().chain(rest).collect::<Vec<_>>().join(" + ")
}

/// A text in which environment variables stand for secrets, as an expression.
fn with_secrets(text: &str) -> String {
    let mut parts = Vec::new();
    let mut rest = text;
    for variable in variables_in(text) {
        let Some((before, after)) = rest.split_once(&format!("{{{variable}}}")) else { continue };
        parts.extend((!before.is_empty()).then(|| literal::string(before)));
        parts.push(format!("process.env.{variable}"));
        rest = after;
    }
    parts.extend((!rest.is_empty() || parts.is_empty()).then(|| literal::string(rest)));
    parts.join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locators_are_those_of_playwright() {
        for (ours, theirs) in [
            ("#a", "page.locator(\"#a\").filter({ visible: true }).first()"),
            ("role=button[name=\"Log in\"]", "page.getByRole(\"button\", { name: \"Log in\", exact: true })"),
            ("role=button[name=Log in]", "page.getByRole(\"button\", { name: \"Log in\" })"),
            ("label=Name", "page.getByLabel(\"Name\")"),
            (
                "form >> text='Save'",
                "page.locator(\"form\").filter({ visible: true }).first().getByText(\"Save\", { exact: true })",
            ),
            ("testid=save", "page.getByTestId(\"save\")"),
        ] {
            assert_eq!(locator(ours), theirs);
        }
    }

    #[test]
    fn secrets_come_from_the_environment() {
        assert_eq!(with_secrets("a {COLOBUS_SECRET_B} c"), "\"a \" + process.env.COLOBUS_SECRET_B + \" c\"");
        assert_eq!(with_secrets("{COLOBUS_SECRET_B}"), "process.env.COLOBUS_SECRET_B");
        assert_eq!(with_secrets("plain"), "\"plain\"");
    }

    #[test]
    fn the_name_of_the_user_stands_where_it_is_asked_for() {
        assert_eq!(with_user("plain"), "\"plain\"");
        assert_eq!(with_user(""), "\"\"");
        assert_eq!(with_user("{client}"), "user");
        assert_eq!(with_user("I am {client}"), "\"I am \" + user");
        assert_eq!(
            with_user("{client}, {COLOBUS_SECRET_B}"),
            "user + \", {COLOBUS_SECRET_B}\"",
            "a page is told no secret"
        );
        let steps = [Step::Type("{client}".to_string()), Step::Click(Target::Selector("#join".to_string()))];
        let click = "await page.locator(\"#join\").filter({ visible: true }).first().click();";
        let both = format!("async (page, user) => {{\n    await page.keyboard.type(user);\n    {click}\n  }}");
        assert_eq!(after_load(&steps), both);
        assert_eq!(after_load(&steps[1..]), format!("async (page) => {{\n    {click}\n  }}"));
    }
}
