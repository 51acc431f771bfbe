//! Changed pixels: specks are left out, eight neighbours connect, overlaps are exact.

use std::collections::BTreeSet;

use colobus_compare::pixels::{Picture, PixelSet, changed_between, changed_pixels};
use colobus_model::Rectangle;
use proptest::prelude::*;

/// A picture in which the characters that are not `.` are black.
fn picture(rows: &[&str]) -> Picture {
    let (width, height) = (rows[0].len() as u32, rows.len() as u32);
    let pixel = |c: char| if c == '.' { [255; 4] } else { [0, 0, 0, 255] };
    let rgba = rows.iter().flat_map(|row| row.chars().flat_map(pixel)).collect();
    Picture { width, height, rgba }
}

fn blank(width: usize, height: usize) -> Picture {
    Picture { width: width as u32, height: height as u32, rgba: vec![255; width * height * 4] }
}

fn changed(rows: &[&str]) -> PixelSet {
    changed_pixels(&blank(rows[0].len(), rows.len()), &picture(rows), &[])
}

#[test]
fn nine_connected_pixels_are_a_speck_and_ten_are_not() {
    assert_eq!(changed(&["###......", "###......", "###......"]).len(), 0);
    assert_eq!(changed(&["###......", "###......", "####....."]).len(), 10);
}

#[test]
fn corners_connect() {
    let diagonal = [
        "#.........",
        ".#........",
        "..#.......",
        "...#......",
        "....#.....",
        ".....#....",
        "......#...",
        ".......#..",
        "........#.",
        ".........#",
    ];
    assert_eq!(changed(&diagonal).len(), 10);
    assert_eq!(changed(&["#####.#####"]).len(), 0, "a gap separates");
}

#[test]
fn regions_that_join_further_down_are_one() {
    assert_eq!(changed(&["#.......#", "#.......#", "#########"]).len(), 13);
}

#[test]
fn specks_beside_a_region_go_and_the_region_stays() {
    let set = changed(&["##########....#", "..............#"]);
    assert_eq!(set.len(), 10);
    assert!(set.contains(9, 0) && !set.contains(14, 0));
    assert_eq!(set.bounds(), Some(Rectangle { x: 0, y: 0, width: 10, height: 1 }));
}

#[test]
fn ignored_rectangles_do_not_count() {
    let rows = ["############", "############"];
    let left = Rectangle { x: 0, y: 0, width: 6, height: 2 };
    let set = changed_pixels(&blank(12, 2), &picture(&rows), &[left]);
    assert_eq!((set.len(), set.contains(5, 0), set.contains(6, 0)), (12, false, true));
}

#[test]
fn pictures_of_different_size_differ_where_only_one_has_pixels() {
    let set = changed_pixels(&blank(10, 2), &blank(10, 4), &[]);
    assert_eq!(set.bounds(), Some(Rectangle { x: 0, y: 2, width: 10, height: 2 }));
}

#[test]
fn a_picture_survives_encoding_and_nonsense_is_an_error() {
    let drawn = picture(&["#.#.", ".##."]);
    let png = drawn.encode().unwrap();
    assert!(Picture::decode(&png).unwrap() == drawn);
    let broken = colobus_model::Png(png.0[..20].into());
    let error = changed_between(&png, &broken, &[]).unwrap_err().to_string();
    assert!(error.starts_with("a screenshot cannot be decoded"), "{error}");
}

/// The same, written down as plainly as possible: flood fill over a set of points.
fn plainly(points: &BTreeSet<(i32, i32)>) -> BTreeSet<(i32, i32)> {
    let (mut left, mut kept) = (points.clone(), BTreeSet::new());
    while let Some(&seed) = left.iter().next() {
        let (mut region, mut open) = (BTreeSet::new(), vec![seed]);
        left.remove(&seed);
        while let Some((x, y)) = open.pop() {
            region.insert((x, y));
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                if left.remove(&(x + dx, y + dy)) {
                    open.push((x + dx, y + dy));
                }
            }
        }
        if region.len() >= 10 {
            kept.extend(region);
        }
    }
    kept
}

fn drawn(points: &BTreeSet<(i32, i32)>) -> PixelSet {
    let mut after = blank(12, 12);
    for (x, y) in points {
        after.rgba[(*y as usize * 12 + *x as usize) * 4] = 0;
    }
    changed_pixels(&blank(12, 12), &after, &[])
}

fn points() -> impl Strategy<Value = BTreeSet<(i32, i32)>> {
    proptest::collection::btree_set((0..12i32, 0..12i32), 0..80)
}

proptest! {
    #[test]
    fn runs_and_flood_fill_agree(points in points()) {
        let (set, expected) = (drawn(&points), plainly(&points));
        prop_assert_eq!(set.len(), expected.len());
        prop_assert!(expected.iter().all(|(x, y)| set.contains(*x as u32, *y as u32)));
    }

    #[test]
    fn overlap_is_a_common_pixel(one in points(), other in points()) {
        let common = plainly(&one).intersection(&plainly(&other)).next().is_some();
        prop_assert_eq!(drawn(&one).overlaps(&drawn(&other)), common);
        prop_assert_eq!(drawn(&other).overlaps(&drawn(&one)), common);
    }
}
