//! What two sequences have in common, in the same order.

/// For each of the first, whether it has a partner in the second: as many as possible do, and no two pairs cross.
pub fn partners<T>(one: &[T], other: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<bool> {
    let mut longest = vec![vec![0_usize; other.len() + 1]; one.len() + 1];
    for i in (0..one.len()).rev() {
        for j in (0..other.len()).rev() {
            longest[i][j] = match same(&one[i], &other[j]) {
                true => longest[i + 1][j + 1] + 1,
                false => longest[i + 1][j].max(longest[i][j + 1]),
            };
        }
    }
    let mut found = vec![false; one.len()];
    let (mut i, mut j) = (0, 0);
    while i < one.len() && j < other.len() {
        if same(&one[i], &other[j]) && longest[i][j] == longest[i + 1][j + 1] + 1 {
            found[i] = true;
            (i, j) = (i + 1, j + 1);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}
