//! What a client of the fake world shows, as pixels.

use colobus_compare::Picture;

/// Every character is a block of 4 by 4 pixels in a shade of its own, on a grid of 5 by 5.
pub(super) fn draw(text: &str) -> Picture {
    const WIDTH: usize = 100;
    const HEIGHT: usize = 50;
    let mut rgba = vec![255; WIDTH * HEIGHT * 4];
    for (row, line) in text.split('\n').enumerate() {
        for (column, character) in line.chars().enumerate() {
            let pixels = (0..16).map(|i| (column * 5 + i % 4, row * 5 + i / 4));
            for (x, y) in pixels.filter(|(x, y)| *x < WIDTH && *y < HEIGHT) {
                rgba[(y * WIDTH + x) * 4] = (character as u32 % 200) as u8;
            }
        }
    }
    Picture { width: WIDTH as u32, height: HEIGHT as u32, rgba }
}
