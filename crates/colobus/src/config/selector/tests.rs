use super::*;

#[test]
fn accepts_selectors() {
    for selector in [
        "*",
        "p",
        ".editor",
        "#main",
        "my-element",
        "_private",
        "--custom",
        "ünï",
        "svg|a",
        "*|a",
        "p, .a , #b",
        "ul > li + li ~ li b",
        "ul>li+li~li",
        "  .a  ",
        ".a\n.b",
        "[hidden]",
        "[ data-x ]",
        "[a=b]",
        "[a='b c']",
        "[a=\"]\" i]",
        "[href^='http'][href$=\".org\"][class~=x][lang|=en][title*='a\\'b' s]",
        "[xlink|href]",
        "a:hover",
        "input:checked:not(:disabled)",
        ":is(h1, h2) > :where(.a, .b)",
        ":not(.a, .b:not(.c))",
        ":has(> b, + i)",
        ":is()",
        "li:nth-child(2)",
        "li:nth-child(2n+1)",
        "li:nth-child( -n + 3 )",
        "li:nth-child(ODD)",
        "li:nth-last-child(even of .a, .b)",
        "li:nth-of-type(n)",
        "p::before",
        "p::slotted(span)",
        ":lang(en, de)",
        ":dir(rtl)",
        ":-webkit-autofill",
        "::-webkit-scrollbar",
        "a:brand-new-pseudo",
        ".sm\\:flex",
        "#\\31 23",
        ".a\\00e9 b",
        ".firepad-dropdown-menu > a",
    ] {
        assert_eq!(check_selector(selector), Ok(()), "{selector}");
    }
}

#[test]
fn refuses_what_is_none() {
    for (selector, offset, message) in [
        ("", 0, "a selector must stand here"),
        ("   ", 3, "a selector must stand here"),
        ("a,", 2, "a selector must stand here"),
        (",a", 0, "`,` cannot begin a selector"),
        ("> a", 0, "`>` cannot begin a selector"),
        ("a >", 3, "something must follow the `>`"),
        ("a > , b", 4, "something must follow the `>`"),
        ("a >> b", 3, "`>` cannot begin a selector"),
        (".", 1, "a class after `.` must stand here"),
        ("..a", 1, "a class after `.` must stand here"),
        (".1a", 1, "a class after `.` cannot begin with `1`: write `\\31 `"),
        ("#", 1, "an id after `#` must stand here"),
        ("1a", 0, "a name cannot begin with `1`"),
        ("[", 1, "an attribute after `[` must stand here"),
        ("[a", 0, "this `[` is never closed"),
        ("[a=", 3, "a name or a quoted text after `=` must stand here"),
        ("[a=b c]", 5, "`c` cannot stand in an attribute selector"),
        ("[a='b]", 3, "this ' is never closed"),
        ("a:", 2, "a pseudo-class after `:` must stand here"),
        ("a::", 3, "a pseudo-element after `::` must stand here"),
        ("a:hoover", 2, "there is no `:hoover`; did you mean `:hover`?"),
        (":not(.a", 4, "this `(` is never closed"),
        (":not(.a))", 8, "`)` cannot stand here"),
        (":not(.)", 6, "a class after `.` must stand here"),
        (":is(> a)", 4, "`>` cannot begin a selector"),
        (":lang(en", 5, "this `(` is never closed"),
        (":nth-child(x)", 11, "a position must stand here, such as `2`, `odd` or `2n + 1`"),
        (":nth-child(2 3x)", 11, "a position must stand here, such as `2`, `odd` or `2n + 1`"),
        ("text=Bold", 4, "`=` cannot stand here"),
        ("//button", 0, "`/` cannot begin a selector"),
        ("a{}", 1, "`{` cannot stand here"),
    ] {
        let error = SelectorError { offset, message: message.to_string() };
        assert_eq!(check_selector(selector), Err(error), "{selector}");
    }
}

#[test]
fn never_panics_or_hangs_on_broken_text() {
    let pieces =
        ["a", ".", "#", "[", "]", "(", ")", ":", ",", ">", "\\", "\"", "'", " ", "ä", "nth-child", "1", "|", "="];
    for first in pieces {
        for second in pieces {
            for third in pieces {
                for fourth in pieces {
                    let text = [first, second, third, fourth].concat();
                    if let Err(error) = check_selector(&text) {
                        assert!(text.is_char_boundary(error.offset), "{text}: {error:?}");
                    }
                }
            }
        }
    }
}
