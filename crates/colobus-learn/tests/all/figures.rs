//! The figures of the thesis, with their exact results. Spaces that typesetting put into the listings are removed.

use colobus_learn::plain::{self, Abstraction, Cost, cost};
use colobus_learn::schema::valid;
use colobus_learn::{Description, Secrets, covers};
use serde_json::json;

use crate::samples::{exchange, figure_6_4, figure_10_6};

const FIGURE_6_1: &str = "\
URL http://www.example.org
GET news() : @items.json
GET author(name:*) : @author.json
GET comments(newsId:*) : @comments.json
POST users/login(user:*, pwd:*) : @token.json
";

const FIGURE_6_3A: &str = "\
URL http://www.example.org
GET news/latest() : @items.json
GET news/oldest() : @items.json
";

const FIGURE_6_3B: &str = "\
URL http://www.example.org
GET news/*() : @items.json
";

const FIGURE_10_3: &str = "\
URL http://www.example.org
GET news/read():@items.json
GET author(name:*):@author.json
GET users/login(user:*, pwd:*):@token.json
POST news/send(token:@token.json, items:+@item.json):void
POST users/create(token:@token.json, user:*, pwd:*):void
";

const FIGURE_10_4: &str = "\
URL http://www.example.org
POST comment/delete/comment_id:*() : @delete.json
POST project_id:*/issues/issue_id:*/set/title/
  value/value:*() : @set_title.json
POST project_id:*/scrum/add/task/for/story/story_id:*/
  mode/issue(task_name:*) : @add_task.json
";

#[test]
fn descriptions_are_read_as_plain_and_printed_as_they_are() {
    for (text, operations) in [(FIGURE_6_1, 4), (FIGURE_6_3A, 2), (FIGURE_6_3B, 1), (FIGURE_10_3, 5), (FIGURE_10_4, 3)]
    {
        let description = Description::parse(text).unwrap();
        assert_eq!(description.operations.len(), operations);
        assert!(description.is_plain());
        let printed = description.to_string();
        assert_eq!(Description::parse(&printed).unwrap(), description);
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(squeezed(&printed), squeezed(text));
    }
}

#[test]
fn figure_6_1_prints_to_the_letter() {
    assert_eq!(Description::parse(FIGURE_6_1).unwrap().to_string(), FIGURE_6_1);
}

#[test]
fn figure_6_4_gives_three_operations() {
    let learned = plain::learn(&figure_6_4()).unwrap();
    assert_eq!(
        learned.description.to_string(),
        "URL http://www.example.org\n\
         GET author(name:*) : @author.json\n\
         GET comments(newsId:*) : @comments.json\n\
         POST news/read() : @news_read.json\n"
    );
    for sample in figure_6_4() {
        assert!(covers(&learned.description, &learned.schemas, &sample), "{sample:?}");
    }
    let author = learned.schemas.node("author.json").unwrap();
    assert!(valid(author, &json!({"id": 1, "name": "A", "stories": 2})));
    assert!(valid(author, &json!({"id": 1, "name": "A", "stories": 2, "email": "x"})));
    assert!(!valid(author, &json!({"id": 1, "name": "A"})), "`stories` is in both abstractions");
}

#[test]
fn figure_10_6_gives_two_operations() {
    let learned = plain::learn(&figure_10_6()).unwrap();
    assert_eq!(
        learned.description.to_string(),
        "URL http://www.example.org\nGET author(name:*) : @author.json\nPOST news/read() : @news_read.json\n"
    );
    assert_eq!(learned.overlaps(), []);
}

#[test]
fn the_four_partitions_of_figure_10_6_cost_1_1_2_2() {
    let samples: Vec<_> = figure_10_6()[..4]
        .iter()
        .map(|exchange| {
            let name = exchange.url.rsplit('=').next().unwrap();
            let cluster = Abstraction::of(exchange, &Secrets::default());
            plain::Sample { features: vec!["author".to_string(), name.to_string()], cluster }
        })
        .collect();
    let costs = [[false, false], [true, false], [false, true], [true, true]].map(|keys| cost(&samples, &keys));
    let (merge, split) = (Cost { splits: 0, merges: 1 }, Cost { splits: 2, merges: 0 });
    assert_eq!(costs, [merge, merge, split, split]);
    assert_eq!(costs.map(Cost::total), [1, 1, 2, 2]);
}

/// Pieces minus one: two splits against one merge. With one for every cluster touched, four constants would result.
#[test]
fn a_cluster_in_three_pieces_costs_two() {
    let shape = |path: &str, answer| exchange("GET", &format!("http://www.example.org/a/{path}"), answer);
    let (p, q) = (json!({"p": 1}), json!({"q": "x"}));
    let three = plain::learn(&[shape("x", p.clone()), shape("z", p.clone()), shape("y", q.clone())]).unwrap();
    assert_eq!(three.description.operations.len(), 3, "one merge or one split: constants win");
    let four = plain::learn(&[shape("x", p.clone()), shape("z", p.clone()), shape("w", p), shape("y", q)]).unwrap();
    assert_eq!(four.description.to_string(), "URL http://www.example.org\nGET a/*() : @a_any.json\n");
}

#[test]
fn the_abstraction_of_chapter_6() {
    let of = |value| Abstraction::of_value(&value, &Secrets::default());
    assert_eq!(of(json!({"success": true, "item": [1, 2, 3]})), of(json!({"item": [7], "success": false})));
    assert_ne!(of(json!([5])), of(json!(5)), "lists stay lists");
    assert_ne!(of(json!({"a": 1})), of(json!({"a": "1"})));
}
