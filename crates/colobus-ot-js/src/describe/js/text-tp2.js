// ot-text-tp2: a document is a list of texts and counts of tombstones; an operation covers it to the end.
const { walker } = require("./lib/components.js");

const length = (document) => document.reduce((sum, part) => sum + (typeof part === "string" ? part.length : part), 0);

const insert = (count) => (count === 0 ? [[{ i: "x" }], [{ i: "yz" }]] : []);
const tombstones = (count) => (count === 0 ? [[{ i: 1 }]] : []);
const remove = (count) => (count === 0 ? [] : [[{ d: count }]]);
const replace = (count) => (count === 0 ? [] : [[{ i: "x" }, { d: count }]]);
const all = (count) => [...insert(count), ...tombstones(count), ...remove(count), ...replace(count)];

const { one, two } = walker((count) => count, (count) => (count > 0 ? [count] : []));

// Kinds of parts must alternate, or the document has a second spelling.
const isDocument = (document) =>
  Array.isArray(document) &&
  document.every((part, index) =>
    (typeof part === "string" ? part.length > 0 : Number.isInteger(part) && part > 0) &&
    (index === 0 || typeof part !== typeof document[index - 1]));

const consumed = (component) => (typeof component === "number" ? component : component.d || 0);

exports.documents = (size) => [[], ["a"], [1], ["ab"], ["a", 1], [1, "a"], ["a", 1, "b"]].filter((document) => length(document) <= size);

exports.kinds = {
  insert: (document) => one(length(document), insert),
  tombstones: (document) => one(length(document), tombstones),
  remove: (document) => one(length(document), remove),
  replace: (document) => one(length(document), replace),
  "two-places": (document) => two(length(document), all),
};

exports.valid = (document, operation) =>
  isDocument(document) && Array.isArray(operation) && operation.every((one) => one !== null && typeof one !== "string") &&
  operation.reduce((sum, one) => sum + consumed(one), 0) === length(document);
