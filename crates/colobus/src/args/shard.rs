//! Parts of a search: `2/5` is the second of five.

use colobus_run::Shard;

pub fn parse_shard(text: &str) -> Result<Shard, String> {
    let number = |text: &str| text.parse::<usize>().ok();
    let numbers = text.split_once('/').and_then(|(part, of)| Some((number(part)?, number(of)?)));
    match numbers {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { index: part - 1, of }),
        _ => Err(format!("`{text}` is not a part of a search: write 1/3, 2/3 and 3/3 for three parts")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_from_one() {
        assert_eq!(parse_shard("1/1"), Ok(Shard { index: 0, of: 1 }));
        assert_eq!(parse_shard("3/3"), Ok(Shard { index: 2, of: 3 }));
    }

    #[test]
    fn refuses_parts_that_do_not_exist() {
        for text in ["", "1", "/", "0/3", "4/3", "1/0", "-1/3", "1/2/3", "a/b"] {
            assert!(parse_shard(text).is_err(), "{text}");
        }
    }
}
