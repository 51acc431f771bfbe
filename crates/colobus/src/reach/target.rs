//! The line that a user means, among those that a page has.

use anyhow::bail;
use colobus_driver::Reachable;
use colobus_reach::line::Line;

/// The line, with its file as the page names it, and where the statement begins that it belongs to.
pub fn resolve(written: &Line, reachable: &Reachable) -> anyhow::Result<(Line, Line)> {
    let wanted = written.file.trim_start_matches('/');
    let fits =
        |file: &str| file == wanted || file.ends_with(&format!("/{wanted}")) || wanted.ends_with(&format!("/{file}"));
    let files: Vec<_> = reachable.iter().filter(|(file, _)| fits(file)).collect();
    let known = || reachable.keys().map(|file| &**file).collect::<Vec<_>>().join(", ");
    let (file, lines) = match &files[..] {
        [one] => *one,
        [] => bail!("the page has no file `{}` with code that can be followed; it has: {}", written.file, known()),
        _ => bail!("several files are called `{}`; name more of its path: {}", written.file, known()),
    };
    let Some(first) = lines.range(..=written.number).next_back() else {
        bail!("no statement of {file} stands at line {} or before it", written.number);
    };
    let line = |number: u32| Line { file: file.clone(), number };
    Ok((line(written.number), line(*first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reachable() -> Reachable {
        [("js/app.js".into(), [3, 7].into()), ("lib/app.js".into(), [1].into()), ("index.html".into(), [9].into())]
            .into()
    }

    #[test]
    fn a_line_belongs_to_the_statement_before_it() {
        let found = resolve(&"js/app.js:5".parse().unwrap(), &reachable()).unwrap();
        assert_eq!((found.0.number, found.1.number), (5, 3));
        let found = resolve(&"http://h/index.html:9".parse().unwrap(), &reachable()).unwrap();
        assert_eq!(found.0.to_string(), "index.html:9");
    }

    #[test]
    fn what_is_not_there_is_said() {
        for (line, part) in [("x.js:1", "has no file"), ("app.js:5", "several files"), ("index.html:8", "no statement")]
        {
            let error = resolve(&line.parse().unwrap(), &reachable()).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
