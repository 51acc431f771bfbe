// JSON documents and the places in them.

exports.isList = Array.isArray;
exports.isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// Every place in a document: its path, and the value there.
exports.places = function places(value, path = []) {
  const found = [{ path, value }];
  if (exports.isList(value)) value.forEach((item, index) => found.push(...places(item, [...path, index])));
  else if (exports.isMap(value)) for (const key of Object.keys(value)) found.push(...places(value[key], [...path, key]));
  return found;
};

exports.KEYS = ["k", "l"];

const LEAVES = ["a", 1];

const lists = (items, size) => {
  let found = [[]];
  let longest = [[]];
  for (let length = 1; length <= size; length++) {
    longest = longest.flatMap((list) => items.map((item) => [...list, item]));
    found = found.concat(longest);
  }
  return found;
};

const maps = (items) => [
  {},
  ...items.map((item) => ({ k: item })),
  ...items.flatMap((one) => items.map((two) => ({ k: one, l: two }))),
];

// Leaves, lists of up to `size` leaves, objects of up to two, and lists and objects of one list or object.
exports.documents = function (size) {
  const flat = [...lists(LEAVES, size), ...maps(LEAVES)];
  const small = [...lists(LEAVES, 1), {}, ...LEAVES.map((leaf) => ({ k: leaf }))];
  return ["", "ab", ...LEAVES, ...flat, ...small.flatMap((inner) => [[inner], { k: inner }, ["a", inner]])];
};

exports.equal = function equal(one, two) {
  if (one === two) return true;
  if (exports.isList(one)) return exports.isList(two) && one.length === two.length && one.every((item, index) => equal(item, two[index]));
  if (!exports.isMap(one) || !exports.isMap(two)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(two).length && keys.every((key) => key in two && equal(one[key], two[key]));
};
