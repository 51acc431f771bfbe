// ot-json1: an operation is a tree of paths with components: r remove, i insert, p pick up, d drop, es and ena edits.
const { isList, isMap, places, KEYS, documents } = require("./lib/values.js");
const text = require("./text-unicode.js");

const VALUES = ["x", []];
const positions = (count) => Array.from({ length: count }, (_, index) => index);

// Writes components at paths as one operation: descent in a line, branches as lists in order of their keys.
function operation(writes) {
  const root = { component: null, children: new Map() };
  for (const { path, component } of writes) {
    let node = root;
    for (const key of path) {
      if (!node.children.has(key)) node.children.set(key, { component: null, children: new Map() });
      node = node.children.get(key);
    }
    node.component = { ...node.component, ...component };
  }
  const write = ({ component, children }) => {
    const keys = [...children.keys()].sort((one, two) => (one < two ? -1 : 1));
    const branches = keys.map((key) => [key, ...write(children.get(key))]);
    return [...(component ? [component] : []), ...(branches.length === 1 ? branches[0] : branches)];
  };
  return write(root);
}

const at = (path, component) => operation([{ path, component }]);

// Places where something new can stand.
const gaps = (document) => document === undefined ? [[]] : places(document).flatMap(({ path, value }) => {
  if (isList(value)) return positions(value.length + 1).map((index) => [...path, index]);
  if (isMap(value)) return KEYS.filter((key) => !(key in value)).map((key) => [...path, key]);
  return [];
});

const below = (path, prefix) => prefix.every((key, index) => path[index] === key);

// Where a gap is once `from` has been picked up: later items of the same list have moved down.
function withoutPicked(gap, from) {
  const last = from.length - 1;
  const sameList = typeof from[last] === "number" && gap.length > last && below(gap, from.slice(0, last));
  if (!sameList || gap[last] <= from[last]) return gap;
  return gap.map((key, index) => (index === last ? key - 1 : key));
}

const moves = (document) => places(document).filter(({ path }) => path.length > 0).flatMap(({ path: from }) =>
  gaps(document)
    .filter((gap) => !(gap.length > from.length && below(gap, from)))
    .map((gap) => withoutPicked(gap, from))
    .filter((to) => to.join("/") !== from.join("/"))
    .map((to) => operation([{ path: from, component: { p: 0 } }, { path: to, component: { d: 0 } }])));

const inner = (document) => document === undefined ? [] : places(document).map(({ path }) => path);

exports.documents = documents;

exports.kinds = {
  insert: (document) => gaps(document).flatMap((path) => VALUES.map((i) => at(path, { i }))),
  remove: (document) => inner(document).map((path) => at(path, { r: true })),
  replace: (document) => inner(document).map((path) => at(path, { r: true, i: "x" })),
  move: moves,
  "edit-text": (document) => places(document).filter(({ value }) => typeof value === "string")
    .flatMap(({ path, value }) => [...text.kinds.insert(value), ...text.kinds.remove(value)].map((es) => at(path, { es }))),
  "add-number": (document) => places(document).filter(({ value }) => typeof value === "number")
    .map(({ path }) => at(path, { ena: 1 })),
};

// The library's own apply asserts that an operation fits; what it accepts is valid.
exports.valid = () => true;
