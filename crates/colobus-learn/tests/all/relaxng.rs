//! RELAX NG: what is accepted, what is made up, and what is refused where.

use colobus_learn::language::{Overlap, overlap, select};
use colobus_learn::mock::{MockError, Options};
use colobus_learn::relaxng::Grammar;
use colobus_learn::schema::Preference;
use colobus_learn::{Body, Description, Exchange, Mock, Random, Request, Schemas, covers, diff, openapi};
use serde_json::{Value, json};

/// A grammar of these components, which begin in line 2.
fn grammar(components: &str) -> String {
    let namespaces = "xmlns=\"http://relaxng.org/ns/structure/1.0\" xmlns:a=\"http://a\" \
                      datatypeLibrary=\"http://www.w3.org/2001/XMLSchema-datatypes\"";
    format!("<grammar {namespaces}>\n{components}\n</grammar>")
}

/// People with addresses, and people below them.
fn people() -> String {
    grammar(
        r#"<start><element name="people"><zeroOrMore><ref name="person"/></zeroOrMore></element></start>
<define name="person">
  <element name="person">
    <attribute name="id"><data type="positiveInteger"/></attribute>
    <optional><attribute name="role"><choice><value>admin</value><value>guest user</value></choice></attribute></optional>
    <a:documentation>The name comes first.</a:documentation>
    <element name="name"><text/></element>
    <choice>
      <element name="born"><data type="date"/></element>
      <group><element name="year"><data type="integer"/></element><element name="place"><text/></element></group>
      <empty/>
    </choice>
    <zeroOrMore><ref name="person"/></zeroOrMore>
  </element>
</define>
<define name="id"><data type="positiveInteger"/></define>"#,
    )
}

fn read(text: &str) -> Grammar {
    Grammar::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn documents_are_compared() {
    let grammar = read(&people());
    let person = |text: &str| grammar.accepts(Some("person"), text);
    for good in [
        "<person id='1'><name/></person>",
        "<?xml version='1.0'?>\n<person role=' guest  user ' id='7'>\n  <name>A<!-- n -->nn</name>\n  <born>2001-02-03</born>\n</person>",
        "<person id='1'><name>A</name><year>1</year><place>B &amp; C</place><person id='2'><name/></person></person>",
    ] {
        assert!(person(good), "{good}");
    }
    for bad in [
        "<person><name/></person>",
        "<person id='0'><name/></person>",
        "<person id='1' role='boss'><name/></person>",
        "<person id='1' other='1'><name/></person>",
        "<person id='1'/>",
        "<person id='1'><name><b/></name></person>",
        "<person id='1'><name/><born>yesterday</born></person>",
        "<person id='1'><name/><year>1</year></person>",
        "<person id='1'><name/><place>B</place><year>1</year></person>",
        "<person id='1'><name/>text</person>",
        "<person id='1' xmlns='http://other'><name/></person>",
        "<person id='1'><name/>",
        "<people/>",
        "",
    ] {
        assert!(!person(bad), "{bad}");
    }
    assert!(grammar.accepts(None, "<people/>") && grammar.accepts(None, "<people> <!-- none --> </people>"));
    assert!(grammar.accepts(Some("id"), "7") && !grammar.accepts(Some("id"), "x"));
    assert!(!grammar.accepts(Some("unknown"), "<people/>"));
    let deep = format!("{}<name/>{}", "<person id='1'><name/>".repeat(100_000), "</person>".repeat(100_000));
    assert!(!person(&deep), "too deep to be compared");
}

/// Random grammars, and documents of which jing 20241231, the implementation by the authors of the language, says whether they are valid.
#[test]
fn verdicts_are_those_of_jing() {
    let cases: Value = serde_json::from_str(include_str!("relaxng.json")).unwrap();
    let mut compared = (0, 0);
    for case in cases.as_array().unwrap() {
        let grammar = read(case["grammar"].as_str().unwrap());
        for (name, verdict) in [("accepted", true), ("rejected", false)] {
            for document in case[name].as_array().unwrap() {
                assert_eq!(
                    grammar.accepts(None, document.as_str().unwrap()),
                    verdict,
                    "{document} by {}",
                    grammar.source()
                );
                *(if verdict { &mut compared.0 } else { &mut compared.1 }) += 1;
            }
        }
    }
    assert_eq!(compared, (288, 322));
}

#[test]
fn namespaces_count() {
    let grammar = read(
        "<element name='feed' ns='http://f' xmlns='http://relaxng.org/ns/structure/1.0' xmlns:x='http://x'>\
         <attribute name='plain'/><attribute name='x:lang'/><attribute name='xml:base'/><element name='x:entry'><empty/></element></element>",
    );
    assert!(grammar.accepts(
        None,
        "<f:feed xmlns:f='http://f' plain='' xml:base='/' b:lang='' xmlns:b='http://x'><b:entry/></f:feed>"
    ));
    assert!(!grammar.accepts(None, "<feed plain='' lang='' base=''><entry/></feed>"));
    let made = grammar.instance(None, &mut Random::new(1), Preference::Mixed, &[]).unwrap();
    assert!(grammar.accepts(None, &made), "{made}");
}

/// Every instance is one; the seed decides; everything optional is there sometimes and left out sometimes.
#[test]
fn instances_are_made_up() {
    let grammar = read(&people());
    for preference in
        [Preference::Mixed, Preference::Seen, Preference::Random, Preference::Boundary, Preference::Marked]
    {
        let made: Vec<String> = (0..200)
            .map(|seed| {
                grammar.instance(None, &mut Random::new(seed), preference, &["a<b & \"c\"\u{0}".to_string()]).unwrap()
            })
            .collect();
        made.iter().for_each(|text| assert!(grammar.accepts(None, text), "{text}"));
        let has = |what: &str| made.iter().any(|text| text.contains(what));
        assert!(has("<born>") && has("<place>") && has("role=\"admin\"") && has("<people/>"), "{preference:?}");
        let again = grammar.instance(None, &mut Random::new(7), preference, &["a<b & \"c\"\u{0}".to_string()]);
        assert_eq!(again.as_ref(), Some(&made[7]));
    }
    let compared = (0..50).any(|seed| {
        let constants = ["sesame".to_string()];
        grammar.instance(None, &mut Random::new(seed), Preference::Mixed, &constants).unwrap().contains("sesame")
    });
    assert!(compared, "what clients compare with");
}

#[test]
fn grammars_that_cannot_be_read_say_where() {
    for (components, error) in [
        ("<start><ref name='x'/></start>", "2:8: there is no definition `x`; the file has none"),
        (
            "<define name='a'><text/></define>\n<start><ref name='x'/></start>",
            "3:8: there is no definition `x`; the file has `a`",
        ),
        ("<start><element name='a'/></start>", "2:8: `element` has no content; write `<empty/>` if it shall have none"),
        (
            "<start><element><empty/></element></start>",
            "2:8: this `element` has no attribute `name`; other ways to name it are not supported",
        ),
        (
            "<start><element name='x:a'><empty/></element></start>",
            "2:8: the prefix of `x:a` is not declared; add xmlns:…",
        ),
        ("<start><element name='a b'><empty/></element></start>", "2:8: `a b` is not a name"),
        (
            "<start><value type='integer'>1</value></start>",
            "2:8: a `value` is a string or a token here; leave its type out",
        ),
        (
            "<start><text/></start>\n<start><text/></start>",
            "3:1: the start is defined in line 2 already; write `combine=\"choice\"` if either may occur",
        ),
        ("<start combine='interleave'><text/></start>", "2:1: `combine=\"interleave\"` is not supported; `choice` is"),
        (
            "<define name='a'><choice><text/><ref name='b'/></choice></define>\n<define name='b'><optional><ref name='a'/></optional></define>",
            "2:1: `a` leads to itself without an element between",
        ),
        ("<!-- nothing -->", "1:1: the grammar has neither a start nor a definition"),
    ] {
        assert_eq!(Grammar::read(&grammar(components)).unwrap_err().to_string(), error, "{components}");
    }
    let refused = |text: &str| Grammar::read(text).unwrap_err().to_string();
    let cut = refused("<grammar>\n</x>");
    assert!(cut.starts_with("2:1: this is not XML"), "{cut}");
    assert!(refused("<html/>").starts_with("1:1: this is not RELAX NG"));
    assert!(
        refused(&grammar("<start><interleave><text/></interleave></start>"))
            .starts_with("2:8: `interleave` is not supported")
    );
    assert!(
        refused(&grammar("<start><data type='int'>\n<param name='minInclusive'>1</param></data></start>"))
            .starts_with("3:1: `param` is not")
    );
    assert!(refused(&grammar("<start><data type='hexBinary'/></start>")).contains("2:8: the type `hexBinary` of"));
    assert!(
        refused("<data type='int' xmlns='http://relaxng.org/ns/structure/1.0'/>").contains("needs datatypeLibrary")
    );
}

fn description(text: &str) -> Description {
    Description::parse(&format!("URL http://h\n{text}\n")).unwrap()
}

fn schemas(files: &[(&str, &str)]) -> Schemas {
    let grammars = files.iter().map(|(file, text)| ((*file).to_string(), read(text))).collect();
    Schemas { grammars, ..Schemas::default() }
}

/// The descriptions of section 10.2: a file, and a type that is defined in one.
#[test]
fn the_mock_answers_with_instances() {
    let described = description(
        "GET people() : @people.rng\nGET people/id:@people.rng#id() : @people.rng#person\nGET id() : @people.rng#id",
    );
    let schemas = schemas(&[("people.rng", &people())]);
    let mock = || Mock::new(described.clone(), schemas.clone(), Options { seed: 7, ..Options::default() }).unwrap();
    let (first, second) = (mock(), mock());
    let ask = |mock: &Mock, target: &str| mock.answer(&Request::new("GET", target, &[], None));
    let mut bodies = std::collections::BTreeSet::new();
    for (target, definition) in [("/people", None), ("/people/7", Some("person"))] {
        for _ in 0..30 {
            let reply = ask(&first, target);
            assert_eq!(reply, ask(&second, target));
            assert_eq!((reply.status, reply.content_type.as_deref()), (200, Some("application/xml")));
            let body = String::from_utf8(reply.body).unwrap();
            assert!(schemas.accepts_document("people.rng", definition, &body), "{body}");
            bodies.insert(body);
        }
    }
    assert!(bodies.len() > 30, "answers vary: {}", bodies.len());
    assert_eq!(ask(&first, "/people/x").status, 404, "`x` is no identifier");
    let id = ask(&first, "/id");
    assert_eq!(id.content_type.as_deref(), Some("text/plain; charset=utf-8"));
    assert!(String::from_utf8(id.body).unwrap().parse::<u32>().unwrap() > 0);
}

#[test]
fn answers_and_parameters_are_matched() {
    let described = description("POST people(person:@people.rng#person) : @people.rng");
    let schemas = schemas(&[("people.rng", &people())]);
    let exchange = |answer: &[u8]| Exchange {
        method: "POST".into(),
        url: "http://h/people".into(),
        request_body: Some(Body::new("application/x-www-form-urlencoded", "person=<person id='1'><name/></person>")),
        status: 200,
        response_body: Some(Body::new("text/xml", answer)),
        ..Exchange::default()
    };
    assert!(covers(&described, &schemas, &exchange(b"<people/>")));
    assert!(!covers(&described, &schemas, &exchange(b"<persons/>")));
    assert!(!covers(&described, &schemas, &exchange(b"{}")) && !covers(&described, &schemas, &exchange(b"\xff")));
    let sent = |person: &str| {
        let body = Body::new("application/x-www-form-urlencoded", format!("person={person}"));
        select(&described, &schemas, &Request::new("POST", "/people", &[], Some(&body))).is_some()
    };
    assert!(sent("<person id='1'><name/></person>") && !sent("<person/>") && !sent("Ann"));
}

#[test]
fn descriptions_that_cannot_be_answered_for_say_why() {
    let refused = |response: &str, components: &str| {
        let described = description(&format!("GET a() : {response}"));
        Mock::new(described, schemas(&[("x.rng", &grammar(components))]), Options::default()).unwrap_err()
    };
    let a = "<define name='a'><element name='a'><ref name='b'/></element></define>\
             <define name='b'><choice><ref name='a'/><notAllowed/></choice></define><define name='c'><text/></define>";
    assert_eq!(refused("@y.rng", a), MockError::MissingFile { file: "y.rng".to_string() });
    assert_eq!(
        refused("@x.rng#d", a).to_string(),
        "the description refers to `d` of x.rng, which has no such definition; it has a, b, c"
    );
    assert_eq!(
        refused("@x.rng", a).to_string(),
        "the description refers to x.rng, which has no start; name a definition: `@x.rng#NAME`"
    );
    let endless = refused("@x.rng#a", a).to_string();
    assert!(
        endless.starts_with("x.rng:2:1: `a` has no instance: every instance of it contains another one"),
        "{endless}"
    );
    let twice = "<start><element name='a'><attribute name='b'/><attribute name='b'/></element></start>";
    assert!(refused("@x.rng", twice).to_string().starts_with("x.rng:2:1: the start has no instance: none of"));
}

#[test]
fn overlaps_have_a_witness() {
    let described = description("GET a/x:@t.rng#n() : *\nGET a/x:@t.rng#w() : *\nGET a/7() : *\nGET a/x:*() : *");
    let schemas = schemas(&[(
        "t.rng",
        &grammar(
            "<define name='n'><data type='int'/></define><define name='w'><choice><value>on</value><value>off</value></choice></define>",
        ),
    )]);
    let related = |a: usize, b: usize| overlap(&described.operations[a], &described.operations[b], &schemas);
    assert!(matches!(related(0, 2), Overlap::Witness(_)) && matches!(related(1, 3), Overlap::Witness(_)));
    assert_eq!((related(1, 2), related(0, 1)), (Overlap::Disjoint, Overlap::Undecided));
}

#[test]
fn versions_are_compared_by_instances() {
    let described = description("POST a() : @t.rng\n! body \"application/xml\" @t.rng");
    let version = |content: &str| {
        schemas(&[("t.rng", &grammar(&format!("<start><element name='a'>{content}</element></start>")))])
    };
    let changes = |old: &Schemas, new: &Schemas| -> Vec<(String, bool)> {
        diff::changes((&described, old), (&described, new))
            .into_iter()
            .map(|change| (change.text, change.breaking))
            .collect()
    };
    let (without, with) =
        (version("<empty/>"), version("<optional><attribute name='b'><value>1</value></attribute></optional>"));
    assert_eq!(changes(&with, &with), []);
    assert_eq!(changes(&without, &with)[0], ("answer: <a b=\"1\"/> is possible now".to_string(), true));
    assert_eq!(changes(&with, &without)[0], ("body: <a b=\"1\"/> is not taken any more".to_string(), true));
    assert_eq!((changes(&without, &with).len(), changes(&with, &without).len()), (2, 2));
    assert!(!changes(&with, &without)[1].1, "an answer that is less is no new one");
}

/// OpenAPI has no RELAX NG: the answer has a type and no schema.
#[test]
fn openapi_refers_to_no_grammar() {
    let described = description("GET people() : @people.rng");
    let document = openapi::to_value(&described, &schemas(&[("people.rng", &people())]), "People");
    let answer = &document["paths"]["/people"]["get"]["responses"]["200"]["content"];
    assert_eq!(answer, &json!({"application/xml": {"schema": {}}}));
}

#[test]
fn mutated_grammars_and_documents_end() {
    colobus_mutate::each(&[people().as_bytes()], |input| {
        if let Ok(grammar) = Grammar::read(&String::from_utf8_lossy(input))
            && let Some(made) = grammar.instance(None, &mut Random::new(1), Preference::Mixed, &[])
        {
            assert!(grammar.accepts(None, &made));
        }
    });
    let grammar = read(&people());
    let document = "<people><person id='1' role='admin'><name>A</name><born>2001-02-03</born></person></people>";
    assert!(grammar.accepts(None, document));
    colobus_mutate::each(&[document.as_bytes()], |input| {
        // Accepted or not: it ends.
        let _ = grammar.accepts(None, &String::from_utf8_lossy(input));
    });
}
