//! [`escaped`]: text as HTML, SVG and XML write it. Every page, picture and file of ours that holds text of others goes
//! through it.

/// Text for an element or a quoted attribute. Characters that XML cannot hold are the caller's business.
///
/// ```
/// assert_eq!(colobus_markup::escaped("<b title='x'> & \"y\""), "&lt;b title=&#39;x&#39;&gt; &amp; &quot;y&quot;");
/// ```
pub fn escaped(text: &str) -> String {
    let mut markup = String::with_capacity(text.len());
    text.chars().for_each(|c| push_escaped(&mut markup, c));
    markup
}

/// One character of such a text.
pub fn push_escaped(markup: &mut String, c: char) {
    match c {
        '&' => markup.push_str("&amp;"),
        '<' => markup.push_str("&lt;"),
        '>' => markup.push_str("&gt;"),
        '"' => markup.push_str("&quot;"),
        '\'' => markup.push_str("&#39;"),
        c => markup.push(c),
    }
}
