// What users can do to a text, for `colobus ot check --js node_modules/changesets --generator`: the type has changesets as texts.
const keep = (n) => (n > 0 ? `=${n.toString(36)}` : "");
exports.documents = (size) => ["", "a", "ab", "abc"].filter((text) => text.length <= size);
exports.kinds = {
  insert: (text) => [...Array(text.length + 1).keys()].map((at) => `${keep(at)}+1${keep(text.length - at)}|x|`),
  delete: (text) => [...text].map((letter, at) => `${keep(at)}-1${keep(text.length - at - 1)}||${letter}`),
};
