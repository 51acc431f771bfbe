// rich-text and quill-delta: a document is a list of inserts, an operation {ops: [...]} retains, inserts and deletes.
const { walker, texts, wellFormed } = require("./lib/components.js");
const { equal } = require("./lib/values.js");

const BOLD = { b: true };
const size = (part) => (typeof part.insert === "string" ? part.insert.length : 1);
const length = (document) => document.reduce((sum, part) => sum + size(part), 0);

const insert = (count) => (count === 0 ? [[{ insert: "x" }], [{ insert: "y", attributes: BOLD }]] : []);
const embed = (count) => (count === 0 ? [[{ insert: { image: "i" } }]] : []);
const remove = (count) => (count === 0 ? [] : [[{ delete: count }]]);
const format = (count) =>
  count === 0 ? [] : [{ b: true }, { b: null }, { b: "c", i: true }].map((attributes) => [{ retain: count, attributes }]);
const replace = (count) => (count === 0 ? [] : [[{ insert: "x" }, { delete: count }]]);
// Two places multiply, so each takes one edit of every kind only.
const plain = (count) => (count === 0 ? [[{ insert: "x" }]] : [[{ delete: count }], [{ retain: count, attributes: BOLD }]]);

const { one, two } = walker((count) => ({ retain: count }), () => []);
const deltas = (walk, edits) => (document) => walk(length(document), edits).map((ops) => ({ ops }));

exports.documents = (size) => [
  ...texts(size).map((text) => (text ? [{ insert: text }] : [])),
  [{ insert: "a", attributes: BOLD }],
  [{ insert: "a" }, { insert: "b", attributes: BOLD }],
  [{ insert: { image: "i" } }],
];

exports.kinds = {
  insert: deltas(one, insert),
  embed: deltas(one, embed),
  remove: deltas(one, remove),
  format: deltas(one, format),
  replace: deltas(one, replace),
  "two-places": deltas(two, plain),
};

const isAttributes = (attributes) =>
  attributes === undefined || (attributes !== null && typeof attributes === "object" && Object.keys(attributes).length > 0);

const isInsert = (part) =>
  part !== null && typeof part === "object" && isAttributes(part.attributes) &&
  (typeof part.insert === "string" ? part.insert.length > 0 : part.insert !== null && typeof part.insert === "object" && Object.keys(part.insert).length === 1);

// Neighbours with equal attributes would be one insert: such a document has a second spelling.
const isDocument = (document) =>
  Array.isArray(document) && document.every((part, index) =>
    isInsert(part) && Object.values(part.attributes || {}).every((value) => value !== null) &&
    (index === 0 || typeof part.insert !== "string" || typeof document[index - 1].insert !== "string" ||
      !equal(part.attributes || {}, document[index - 1].attributes || {})));

const consumed = (part) => part.retain || part.delete || 0;

const meaning = (part) => {
  if (part === null || typeof part !== "object" || !isAttributes(part.attributes)) return false;
  if (part.insert !== undefined) return isInsert(part) && `insert ${JSON.stringify(part)}`;
  if (part.delete !== undefined) return part.delete > 0 && "delete";
  return part.retain > 0 && (part.attributes ? `format ${JSON.stringify(part.attributes)}` : "skip");
};

exports.valid = (document, operation) =>
  isDocument(document) && operation !== null && typeof operation === "object" && Array.isArray(operation.ops) &&
  wellFormed(operation.ops, meaning) &&
  operation.ops.reduce((sum, part) => sum + consumed(part), 0) <= length(document);
