// ot-text: [skip, "insert", {d: count}], positions in UTF-16 units.
const { walker, texts, wellFormed } = require("./lib/components.js");

const insert = (count) => (count === 0 ? [["x"], ["yz"]] : []);
const remove = (count) => (count === 0 ? [] : [[{ d: count }]]);
const replace = (count) => (count === 0 ? [] : [["x", { d: count }], [{ d: count }, "x"]]);
const all = (count) => [...insert(count), ...remove(count), ...replace(count)];

const { one, two } = walker((count) => count, () => []);

const meaning = (component) => {
  if (typeof component === "number") return component > 0 && "skip";
  if (typeof component === "string") return component.length > 0 && "insert";
  return component !== null && typeof component === "object" && component.d > 0 && "remove";
};

// Kinds of operations for documents whose length is measured by `length`.
exports.describe = function (documents, length) {
  return {
    documents,
    kinds: {
      insert: (document) => one(length(document), insert),
      remove: (document) => one(length(document), remove),
      replace: (document) => one(length(document), replace),
      "two-places": (document) => two(length(document), all),
    },
    valid(document, operation) {
      if (typeof document !== "string" || !Array.isArray(operation) || !wellFormed(operation, meaning)) return false;
      const consumed = operation.reduce((sum, part) => sum + (typeof part === "number" ? part : part.d || 0), 0);
      return consumed <= length(document);
    },
  };
};

Object.assign(exports, exports.describe(texts, (document) => document.length));
