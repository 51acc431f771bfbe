// Operations that walk over a document: lists of components, each skipping, consuming or inserting something.

// Longer documents, which random growth makes, are edited in one place and in short stretches only: the number of
// operations would otherwise grow with the fourth power of the length.
const TWO_PLACES = 3;
const SHORT = 2;

// `edits(count)` lists the component lists that consume `count` items of a document of `length` items.
function places(length, from, edits) {
  const longest = length > TWO_PLACES ? SHORT : length;
  const found = [];
  for (let start = from; start <= length; start++) {
    for (let count = 0; count <= Math.min(longest, length - start); count++) {
      for (const edit of edits(count)) found.push({ start, end: start + count, edit });
    }
  }
  return found;
}

// Operations of components: `skip(count)` is the component before a place, `finish(count)` what ends an operation
// with `count` items left.
exports.walker = function (skip, finish) {
  const gap = (count) => (count > 0 ? [skip(count)] : []);
  const one = (length, edits) =>
    places(length, 0, edits).map(({ start, end, edit }) => [...gap(start), ...edit, ...finish(length - end)]);
  const two = (length, edits) =>
    length > TWO_PLACES ? [] : places(length, 0, edits).flatMap((first) =>
      places(length, first.end + 1, edits).map((second) => [
        ...gap(first.start), ...first.edit, ...gap(second.start - first.end), ...second.edit, ...finish(length - second.end),
      ]));
  return { one, two };
};

// "", "a", "ab", ... up to `size` letters: texts differ by length only, for no operation looks at the letters.
exports.texts = (size) => {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return Array.from({ length: Math.min(size, letters.length) + 1 }, (_, count) => letters.slice(0, count));
};

// Components with a meaning each: [kind, length consumed, key for merging]. No two alike in a row, no useless end.
exports.wellFormed = function (components, meaning) {
  let last = null;
  for (const component of components) {
    const found = meaning(component);
    if (!found || found === last) return false;
    last = found;
  }
  return last !== "skip";
};
