//! [`invalid_html`]: what the parser of the HTML standard calls an error in a document. It is html5ever, the parser of Servo; the tree
//! that it would build is not kept.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ExpandedName, ParseOpts, QualName, local_name, ns, parse_document};

use super::{PageCheck, PageFailure};

/// Documents are read in pieces of as many bytes.
const PIECE: usize = 1 << 12;
/// How many elements the parser may look at. It looks for one among all that are open, so that a document that opens a hundred thousand of
/// them takes minutes. Of such a document the errors count that were found until then.
const MOST_LOOKS: u64 = 50_000_000;

/// An error of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HtmlError {
    line: u64,
    text: String,
}

/// The failure of a document that is no valid HTML: its first error, and how many there are. One failure, because errors follow
/// from each other.
pub fn invalid_html(address: &str, document: &str) -> Option<PageFailure> {
    let errors = errors(document);
    let first = errors.first()?;
    let text = format!("line {}: {} (1 of {} errors)", first.line, first.text, errors.len());
    let place = address.split(['?', '#']).next().map(str::to_string);
    Some(PageFailure { check: PageCheck::InvalidHtml, text, place })
}

fn errors(document: &str) -> Vec<HtmlError> {
    let options = ParseOpts {
        tokenizer: TokenizerOpts { exact_errors: true, ..TokenizerOpts::default() },
        tree_builder: TreeBuilderOpts { exact_errors: true, scripting_enabled: true, ..TreeBuilderOpts::default() },
    };
    let mut parser = parse_document(Errors::default(), options);
    let mut rest = document;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
        parser.process(StrTendril::from(piece));
        rest = behind;
        let sink = &parser.tokenizer.sink.sink;
        if sink.looks.get() > MOST_LOOKS {
            return sink.found.take();
        }
    }
    parser.finish()
}

/// Keeps errors and forgets everything else but the names of elements, which the parser asks for.
#[derive(Default)]
struct Errors {
    line: Cell<u64>,
    looks: Cell<u64>,
    found: RefCell<Vec<HtmlError>>,
}

type Handle = Rc<QualName>;

/// What is not an element.
fn nameless() -> Handle {
    Rc::new(QualName::new(None, ns!(), local_name!("")))
}

impl TreeSink for Errors {
    type Handle = Handle;
    type Output = Vec<HtmlError>;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Vec<HtmlError> {
        self.found.into_inner()
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        // The first line has no number until it ends.
        let error = HtmlError { line: self.line.get().max(1), text: in_words(&message) };
        let mut found = self.found.borrow_mut();
        // A text that is not allowed is an error for every letter.
        if found.last() != Some(&error) {
            found.push(error);
        }
    }

    fn set_current_line(&self, line: u64) {
        self.line.set(line);
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.looks.set(self.looks.get() + 1);
        target.expanded()
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> Handle {
        Rc::new(name)
    }

    fn same_node(&self, a: &Handle, b: &Handle) -> bool {
        Rc::ptr_eq(a, b)
    }

    fn get_document(&self) -> Handle {
        nameless()
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        nameless()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        nameless()
    }

    fn get_template_contents(&self, _: &Handle) -> Handle {
        nameless()
    }

    fn append(&self, _: &Handle, _: NodeOrText<Handle>) {}
    fn append_based_on_parent_node(&self, _: &Handle, _: &Handle, _: NodeOrText<Handle>) {}
    fn append_before_sibling(&self, _: &Handle, _: NodeOrText<Handle>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn add_attrs_if_missing(&self, _: &Handle, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &Handle) {}
    fn reparent_children(&self, _: &Handle, _: &Handle) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
}

/// An error in words: html5ever prints its own structures in some of its messages.
fn in_words(message: &str) -> String {
    if message.ends_with("in insertion mode Initial") {
        return "there is no <!doctype html>".to_string();
    }
    let after = |mark: &str| message.split_once(mark).map(|(_, rest)| rest);
    let until = |text: &str, end: &[char]| text.split(end).next().unwrap_or_default().to_string();
    let name = after("Atom('").or(after("Atom(\\'")).map(|rest| until(rest, &['\'', '\\', ' ']));
    let open =
        after("Unexpected open tag {").and_then(|rest| rest.split_once("}:")).map(|(_, rest)| until(rest, &[' ']));
    match (name, open) {
        (Some(name), _) if message.contains("kind: StartTag") => format!("<{name}> is not allowed here"),
        (Some(name), _) if message.contains("kind: EndTag") => format!("</{name}> is not allowed here"),
        (Some(name), _) if message.starts_with("Unexpected open element while closing") => {
            format!("elements inside <{name}> are not closed before </{name}>")
        }
        (_, Some(name)) => format!("<{name}> is not closed"),
        _ if message.starts_with("Unexpected characters") => "text is not allowed here".to_string(),
        _ if message.starts_with("Found special tag while closing") => "an end tag has no start tag".to_string(),
        _ if message.starts_with("Unexpected token") => "this is not allowed here".to_string(),
        _ => message.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(document: &str) -> Vec<(u64, String)> {
        errors(document).into_iter().map(|error| (error.line, error.text)).collect()
    }

    #[test]
    fn errors_are_said_in_words_and_with_their_line() {
        for (body, line, text) in [
            ("\n<b><i>x</b></i>", 2, "Formatting element not current node"),
            ("<p>x</div>", 1, "</div> is not allowed here"),
            ("<div>", 1, "<div> is not closed"),
            ("<div><span></div>", 1, "elements inside <div> are not closed before </div>"),
            ("\n\n<table><div>x</div></table>", 3, "<div> is not allowed here"),
            ("<p id=a\nid=b>x", 2, "Duplicate attribute"),
            ("<p><div>x</div></p>", 1, "No <p> tag to close"),
            ("<p>&unknown; x", 1, "Invalid character reference &unknown;"),
            ("<form><form></form></form>", 1, "nested forms"),
            ("x</span>", 1, "an end tag has no start tag"),
        ] {
            let found = found(&format!("<!doctype html><body>{body}"));
            assert_eq!(found.first(), Some(&(line, text.to_string())), "{body}: {found:?}");
        }
        assert_eq!(found("<p>x"), [(1, "there is no <!doctype html>".to_string())]);
    }

    /// End tags that may be left out, attributes without quotes, foreign elements, elements of one's own, templates, scripts.
    #[test]
    fn valid_documents_have_no_errors() {
        for body in [
            "<title>x</title><p>a<p>b<ul><li>a<li>b</ul><table><tr><td>x</table><input disabled><br/>",
            "<html lang=en><head>\n<meta charset=utf-8></head>\n<body class=x><main>x</main>\n</body>\n</html>\n",
            "<svg viewBox='0 0 1 1'><path d=''/><foreignObject><div>a</div></foreignObject></svg><math><mi>x</mi></math>",
            "<template><tr></tr></template><my-element my-attribute></my-element><select><option>a<option>b</select>",
            "<script>if (a < b && c</d) x()</script><style>a > b {}</style><textarea><b></textarea><!-- a -- b -->",
            "<p>1 & 2 &amp; &lt; <a href='?a=1&b=2&copy=3'>x</a><noscript><p>x</p></noscript>",
        ] {
            assert_eq!(found(&format!("<!doctype html>{body}")), [], "{body}");
        }
    }

    /// A document that is read in several pieces, and one of a hostile server.
    #[test]
    fn long_documents_are_read() {
        let long = format!("<!doctype html>{}", "<p>größer &amp; länger\n".repeat(10_000));
        assert_eq!(found(&long), []);
        assert_eq!(found(&format!("{long}</div>")), [(10_001, "</div> is not allowed here".to_string())]);
        let deep = format!("<!doctype html></b>{}", "<div>".repeat(400_000));
        assert_eq!(found(&deep), [(1, "</b> is not allowed here".to_string())], "not read to its end");
    }

    #[test]
    fn a_document_is_one_failure() {
        assert_eq!(invalid_html("http://h/a", "<!doctype html><p>x"), None);
        let failure = |query: &str, text: &str| invalid_html(&format!("http://h/a?{query}"), text).unwrap();
        let one = failure("doc=1", "<!doctype html><p>x</div>\n</div>");
        assert_eq!(one.to_string(), "line 1: </div> is not allowed here (1 of 2 errors) at http://h/a");
        let other = failure("doc=2", "<!doctype html>\n\n<p>x</div>\n</div>\n</div>");
        assert_eq!(one.identity(), other.identity(), "neither lines nor numbers make another one");
    }
}
