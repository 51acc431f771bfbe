//! Recordings that `colobus explore` begins with: files, findings of `colobus reach`, or folders of its runs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use colobus_explore::Sequence;
use colobus_reach_run::SESSION_FILE;
use colobus_record::Recording;

/// All recordings at these paths, in the order of the paths and of findings.
pub fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Recording>> {
    let mut seeds = Vec::new();
    for path in paths {
        for file in files(path)? {
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let seed = Recording::parse(&text).with_context(|| format!("{} is not a recording", file.display()))?;
            if Sequence::recorded(&seed).moves.is_empty() {
                bail!("{} does nothing in the page: there is nothing to begin with", file.display());
            }
            seeds.push(seed);
        }
    }
    Ok(seeds)
}

fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let own = path.join(SESSION_FILE);
    if own.is_file() {
        return Ok(vec![own]);
    }
    let number = |folder: &PathBuf| folder.file_name().and_then(|name| name.to_str()?.parse::<usize>().ok());
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.retain(|folder| folder.join(SESSION_FILE).is_file());
    folders.sort_by_key(|folder| (number(folder), folder.clone()));
    if folders.is_empty() {
        bail!(
            "{} has no finding with a {SESSION_FILE}\n  name a recording, or the folder of a run of `colobus reach` that reached something",
            path.display()
        );
    }
    Ok(folders.into_iter().map(|folder| folder.join(SESSION_FILE)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "colobus-rec 1";

    fn written(folder: &Path, name: &str, text: &str) {
        fs::create_dir_all(folder.join(name)).unwrap();
        fs::write(folder.join(name).join(SESSION_FILE), text).unwrap();
    }

    #[test]
    fn findings_come_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        ["10", "2"].iter().for_each(|name| written(folder.path(), name, ONE));
        let found = files(folder.path()).unwrap();
        let names: Vec<_> = found.iter().map(|file| file.parent().unwrap().file_name().unwrap()).collect();
        assert_eq!(names, ["2", "10"]);
        assert_eq!(files(&folder.path().join("2")).unwrap(), [folder.path().join("2").join(SESSION_FILE)]);
    }

    #[test]
    fn what_is_no_seed_is_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: PathBuf| format!("{:#}", read(&[path]).unwrap_err());
        assert!(refused(folder.path().to_path_buf()).contains("has no finding"));
        assert!(refused(folder.path().join("missing.rec")).contains("cannot read"));
        written(folder.path(), "1", "nonsense");
        assert!(refused(folder.path().join("1")).contains("is not a recording"));
    }
}
