// ot-text-unicode: as ot-text, with positions in code points; one document has a character of two UTF-16 units.
const { texts } = require("./lib/components.js");
const { describe } = require("./text.js");

module.exports = describe((size) => [...texts(size), "\u{1F98D}a"], (document) => [...document].length);
