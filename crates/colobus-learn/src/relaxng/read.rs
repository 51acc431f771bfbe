//! Grammars read from the XML syntax. Elements and attributes of other namespaces are annotations and skipped; what is not
//! supported here is refused with its place, because leaving it out would accept other documents.

use std::collections::BTreeMap;
use std::sync::Arc;

use roxmltree::{Document, Node};

use super::datatype::{Datatype, KNOWN};
use super::pattern::{Pattern, Shared, choice, empty, group, not_allowed, one_or_more};
use super::{Definition, Grammar, GrammarError, Name, extent};

const RELAX_NG: &str = "http://relaxng.org/ns/structure/1.0";
/// Patterns inside each other, and beside each other: what handles them calls itself.
const DEEPEST: usize = 64;
const WIDEST: usize = 500;

type Result<T> = std::result::Result<T, GrammarError>;

/// A reference and its place, to be looked up when everything is read.
struct Reference {
    name: String,
    line: u32,
    column: u32,
}

struct Reader<'d, 'input> {
    document: &'d Document<'input>,
    start: Option<Definition>,
    definitions: BTreeMap<String, Definition>,
    references: Vec<Reference>,
}

impl Grammar {
    /// Reads a file: a grammar, or a single pattern, which is the start then.
    pub fn read(source: &str) -> Result<Grammar> {
        let document = Document::parse(source).map_err(|error| {
            let at = error.pos();
            GrammarError { line: at.row, column: at.col, message: format!("this is not XML: {error}") }
        })?;
        let mut reader =
            Reader { document: &document, start: None, definitions: BTreeMap::new(), references: Vec::new() };
        let root = document.root_element();
        match root.tag_name().name() {
            _ if !is_relax_ng(root) => {
                return Err(
                    reader.at(root, format!("this is not RELAX NG: its root is not in the namespace {RELAX_NG}"))
                );
            }
            "grammar" => reader.components(root, 0)?,
            _ => {
                let pattern = reader.pattern(root, 0)?;
                reader.start = Some(reader.definition(root, pattern));
            }
        }
        reader.finish(source)
    }
}

impl<'d, 'input> Reader<'d, 'input> {
    fn finish(self, source: &str) -> Result<Grammar> {
        let Reader { start, mut definitions, references, document } = self;
        let missing = references.into_iter().find(|reference| !definitions.contains_key(&reference.name));
        if let Some(Reference { name, line, column }) = missing {
            let known: Vec<&str> = definitions.keys().map(String::as_str).collect();
            let message = format!("there is no definition `{name}`; the file has {}", listed(&known));
            return Err(GrammarError { line, column, message });
        }
        if let Some(error) = extent::endless(&definitions) {
            return Err(error);
        }
        let heights = extent::heights(&definitions);
        let of = |name: &str| heights.get(name).copied();
        for (name, definition) in &mut definitions {
            definition.height = of(name);
        }
        let start = start.map(|start| Definition { height: extent::height(&start.pattern, &of), ..start });
        if start.is_none() && definitions.is_empty() {
            let root = document.root_element();
            let at = document.text_pos_at(root.range().start);
            let message = "the grammar has neither a start nor a definition".to_string();
            return Err(GrammarError { line: at.row, column: at.col, message });
        }
        Ok(Grammar { source: source.to_string(), start, definitions })
    }

    fn at(&self, node: Node<'_, '_>, message: String) -> GrammarError {
        let at = self.document.text_pos_at(node.range().start);
        GrammarError { line: at.row, column: at.col, message }
    }

    fn definition(&self, node: Node<'_, '_>, pattern: Shared) -> Definition {
        let at = self.document.text_pos_at(node.range().start);
        Definition { pattern, line: at.row, column: at.col, height: None }
    }

    /// `start`, `define` and `div` of a grammar.
    fn components(&mut self, grammar: Node<'d, 'input>, depth: usize) -> Result<()> {
        for node in self.children(grammar, depth)? {
            match node.tag_name().name() {
                "start" => {
                    let pattern = self.grouped(node, depth)?;
                    let known = self.start.take();
                    self.start = Some(self.combined(node, known, pattern, "the start")?);
                }
                "define" => {
                    let name = self.attribute(node, "name")?.to_string();
                    let pattern = self.grouped(node, depth)?;
                    let known = self.definitions.remove(&name);
                    let definition = self.combined(node, known, pattern, &format!("`{name}`"))?;
                    self.definitions.insert(name, definition);
                }
                "div" => self.components(node, depth + 1)?,
                other => return Err(self.unsupported(node, other)),
            }
        }
        Ok(())
    }

    /// A definition that may be one of several with the same name.
    fn combined(
        &self,
        node: Node<'_, '_>,
        known: Option<Definition>,
        pattern: Shared,
        name: &str,
    ) -> Result<Definition> {
        match (known, node.attribute("combine")) {
            (_, Some(other)) if other != "choice" => {
                Err(self.at(node, format!("`combine=\"{other}\"` is not supported; `choice` is")))
            }
            (None, _) => Ok(self.definition(node, pattern)),
            (Some(known), Some(_)) => Ok(Definition { pattern: choice(known.pattern, pattern), ..known }),
            (Some(known), None) => Err(self.at(
                node,
                format!(
                    "{name} is defined in line {} already; write `combine=\"choice\"` if either may occur",
                    known.line
                ),
            )),
        }
    }

    /// All patterns of an element, one after the other.
    fn grouped(&mut self, node: Node<'d, 'input>, depth: usize) -> Result<Shared> {
        let patterns = self.patterns(node, depth)?;
        Ok(patterns.into_iter().rev().reduce(|after, before| group(before, after)).unwrap_or_else(empty))
    }

    fn patterns(&mut self, node: Node<'d, 'input>, depth: usize) -> Result<Vec<Shared>> {
        let children = self.children(node, depth)?;
        if children.is_empty() {
            let name = node.tag_name().name();
            return Err(self.at(node, format!("`{name}` has no content; write `<empty/>` if it shall have none")));
        }
        children.into_iter().map(|child| self.pattern(child, depth + 1)).collect()
    }

    fn children(&self, node: Node<'d, 'input>, depth: usize) -> Result<Vec<Node<'d, 'input>>> {
        let children: Vec<Node<'d, 'input>> = node.children().filter(|child| is_relax_ng(*child)).collect();
        match () {
            () if depth > DEEPEST => Err(self.at(node, format!("more than {DEEPEST} patterns are inside each other"))),
            () if children.len() > WIDEST => Err(self.at(node, format!("it has more than {WIDEST} patterns"))),
            () => Ok(children),
        }
    }

    fn pattern(&mut self, node: Node<'d, 'input>, depth: usize) -> Result<Shared> {
        Ok(match node.tag_name().name() {
            "element" => {
                let name = self.name(node, inherited(node, "ns"))?;
                Arc::new(Pattern::Element(name, self.grouped(node, depth)?))
            }
            "attribute" => {
                let name = self.name(node, node.attribute("ns").unwrap_or_default())?;
                let has_content = node.children().any(is_relax_ng);
                let content = if has_content { self.grouped(node, depth)? } else { Arc::new(Pattern::Text) };
                Arc::new(Pattern::Attribute(name, content))
            }
            "group" => self.grouped(node, depth)?,
            "choice" => self.patterns(node, depth)?.into_iter().fold(not_allowed(), choice),
            "optional" => choice(self.grouped(node, depth)?, empty()),
            "zeroOrMore" => choice(one_or_more(self.grouped(node, depth)?), empty()),
            "oneOrMore" => one_or_more(self.grouped(node, depth)?),
            "ref" => {
                let name = self.attribute(node, "name")?.to_string();
                let at = self.document.text_pos_at(node.range().start);
                self.references.push(Reference { name: name.clone(), line: at.row, column: at.col });
                Arc::new(Pattern::Ref(name))
            }
            "data" => {
                if let Some(child) = self.children(node, depth)?.first() {
                    return Err(self.unsupported(*child, child.tag_name().name()));
                }
                let name = self.attribute(node, "type")?.trim();
                Arc::new(Pattern::Data(self.datatype(node, inherited(node, "datatypeLibrary"), name)?))
            }
            "value" => self.value(node)?,
            "text" => Arc::new(Pattern::Text),
            "empty" => empty(),
            "notAllowed" => not_allowed(),
            other => return Err(self.unsupported(node, other)),
        })
    }

    fn value(&self, node: Node<'_, '_>) -> Result<Shared> {
        let datatype = match node.attribute("type") {
            None => Datatype::Token,
            Some(name) => self.datatype(node, inherited(node, "datatypeLibrary"), name.trim())?,
        };
        if !matches!(datatype, Datatype::Token | Datatype::String) {
            return Err(self.at(node, "a `value` is a string or a token here; leave its type out".to_string()));
        }
        let text: String = node.children().filter(Node::is_text).filter_map(|text| text.text()).collect();
        Ok(Arc::new(Pattern::Value(datatype, text)))
    }

    fn datatype(&self, node: Node<'_, '_>, library: &str, name: &str) -> Result<Datatype> {
        Datatype::named(library, name).ok_or_else(|| {
            let message = match library {
                "" => format!(
                    "the type `{name}` needs datatypeLibrary=\"{}\"; without it there are string and token",
                    super::datatype::XML_SCHEMA
                ),
                library => format!("the type `{name}` of {library} is not supported; these are: {KNOWN}"),
            };
            self.at(node, message)
        })
    }

    /// The name of an element or an attribute. One without a prefix has the given namespace.
    fn name(&self, node: Node<'_, '_>, namespace: &str) -> Result<Name> {
        let Some(name) = node.attribute("name") else {
            let kind = node.tag_name().name();
            return Err(self
                .at(node, format!("this `{kind}` has no attribute `name`; other ways to name it are not supported")));
        };
        let name = name.trim();
        let (namespace, local) = match name.split_once(':') {
            None => (Some(namespace), name),
            Some(("xml", local)) => (Some(roxmltree::NS_XML_URI), local),
            Some((prefix, local)) => (node.lookup_namespace_uri(Some(prefix)), local),
        };
        let Some(namespace) = namespace else {
            return Err(self.at(node, format!("the prefix of `{name}` is not declared; add xmlns:…")));
        };
        if !Datatype::Name.accepts(local) || local.contains(super::datatype::is_space) {
            return Err(self.at(node, format!("`{name}` is not a name")));
        }
        Ok(Name { namespace: namespace.to_string(), local: local.to_string() })
    }

    fn attribute<'a>(&self, node: Node<'a, '_>, name: &str) -> Result<&'a str> {
        let kind = node.tag_name().name();
        node.attribute(name).ok_or_else(|| self.at(node, format!("this `{kind}` has no attribute `{name}`")))
    }

    fn unsupported(&self, node: Node<'_, '_>, name: &str) -> GrammarError {
        self.at(
            node,
            format!(
                "`{name}` is not supported here; these are: grammar, start, define, div, ref, element, attribute, group, choice, \
                 optional, zeroOrMore, oneOrMore, data, value, text, empty, notAllowed"
            ),
        )
    }
}

fn is_relax_ng(node: Node<'_, '_>) -> bool {
    node.is_element() && node.tag_name().namespace() == Some(RELAX_NG)
}

/// An attribute that holds for everything inside the element that has it.
fn inherited<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    node.ancestors().find_map(|ancestor| ancestor.attribute(name)).unwrap_or_default().trim()
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_string() } else { format!("`{}`", names.join("`, `")) }
}
