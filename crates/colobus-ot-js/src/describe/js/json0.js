// ot-json0: lists of components {p: path, ...}. Every place of a document, with every kind of component that fits it.
const { isList, isMap, places, KEYS, documents, equal } = require("./lib/values.js");

const VALUES = ["x", []];
const LETTERS = ["x", "q"];

// All components of one kind, as operations of one component each.
const everywhere = (components) => (document) =>
  places(document).flatMap(({ path, value }) => components(value, path)).map((component) => [component]);

const positions = (count) => Array.from({ length: count }, (_, index) => index);
const inList = (make) => (value, path) => (isList(value) ? make(value, path) : []);
const inMap = (make) => (value, path) => (isMap(value) ? make(value, path) : []);
const inText = (make) => (value, path) => (typeof value === "string" ? make(value, path) : []);

const inserts = (text) => positions(text.length + 1).flatMap((at) => LETTERS.map((letter) => ({ at, letter })));
const cuts = (text) =>
  positions(text.length).flatMap((at) => positions(text.length - at).map((more) => ({ at, cut: text.slice(at, at + more + 1) })));

exports.documents = documents;

exports.kinds = {
  "number-add": everywhere((value, p) => (typeof value === "number" ? [{ p, na: 1 }] : [])),
  "list-insert": everywhere(inList((list, path) =>
    positions(list.length + 1).flatMap((at) => VALUES.map((li) => ({ p: [...path, at], li }))))),
  "list-delete": everywhere(inList((list, path) => list.map((ld, at) => ({ p: [...path, at], ld })))),
  "list-replace": everywhere(inList((list, path) => list.map((ld, at) => ({ p: [...path, at], ld, li: "x" })))),
  "list-move": everywhere(inList((list, path) =>
    positions(list.length).flatMap((from) => positions(list.length).filter((to) => to !== from).map((to) => ({ p: [...path, from], lm: to }))))),
  "object-insert": everywhere(inMap((map, path) =>
    KEYS.filter((key) => !(key in map)).flatMap((key) => VALUES.map((oi) => ({ p: [...path, key], oi }))))),
  "object-delete": everywhere(inMap((map, path) => Object.keys(map).map((key) => ({ p: [...path, key], od: map[key] })))),
  "object-replace": everywhere(inMap((map, path) => Object.keys(map).map((key) => ({ p: [...path, key], od: map[key], oi: "x" })))),
  "string-insert": everywhere(inText((text, path) => inserts(text).map(({ at, letter }) => ({ p: [...path, at], si: letter })))),
  "string-delete": everywhere(inText((text, path) => cuts(text).map(({ at, cut }) => ({ p: [...path, at], sd: cut })))),
  text0: everywhere(inText((text, p) => [
    ...inserts(text).map(({ at, letter }) => ({ p, t: "text0", o: [{ p: at, i: letter }] })),
    ...cuts(text).map(({ at, cut }) => ({ p, t: "text0", o: [{ p: at, d: cut }] })),
  ])),
};

// The library trusts what an operation says it deletes, so an operation is checked here against the document, one
// component after the other, by a plain interpreter of the format.
exports.valid = function (document, operation) {
  if (!Array.isArray(operation)) return false;
  const root = { document: JSON.parse(JSON.stringify(document ?? null)) };
  return operation.every((component) => perform(root, component));
};

const SHAPES = ["na,p", "li,p", "ld,p", "ld,li,p", "lm,p", "oi,p", "od,p", "od,oi,p", "p,si", "p,sd", "o,p,t"];

function perform(root, component) {
  if (!isMap(component) || !Array.isArray(component.p) || !SHAPES.includes(Object.keys(component).sort().join())) return false;
  const { p, na, li, ld, lm, si, sd } = component;
  const whole = ["document", ...p];
  const onText = si !== undefined || sd !== undefined;
  const path = onText ? whole.slice(0, -1) : whole;
  const key = path.at(-1);
  const holder = path.slice(0, -1).reduce((value, step) => (has(value, step) ? value[step] : undefined), root);
  if (onText || component.t) {
    const edits = onText ? [{ p: p.at(-1), i: si, d: sd }] : component.o;
    if (path.length === 0 || (component.t && component.t !== "text0") || !isList(edits) || edits.length === 0) return false;
    return edits.every((edit) => editText(holder, key, edit));
  }
  if (na !== undefined) {
    if (!has(holder, key) || typeof holder[key] !== "number" || !Number.isInteger(na) || na === 0) return false;
    holder[key] += na;
    return true;
  }
  // The document as a whole is neither in a list nor in an object.
  if (holder === root || holder === undefined) return false;
  const inList = li !== undefined || ld !== undefined || lm !== undefined;
  return inList ? isList(holder) && editList(holder, key, component) : isMap(holder) && editMap(holder, key, component);
}

const has = (holder, key) =>
  isList(holder) ? Number.isInteger(key) && key >= 0 && key < holder.length : isMap(holder) && typeof key === "string" && key in holder;

function editText(holder, key, edit) {
  const text = has(holder, key) ? holder[key] : undefined;
  if (typeof text !== "string" || !isMap(edit) || !Number.isInteger(edit.p) || edit.p < 0 || edit.p > text.length) return false;
  if (typeof edit.i === "string" && edit.d === undefined) {
    holder[key] = text.slice(0, edit.p) + edit.i + text.slice(edit.p);
    return edit.i.length > 0;
  }
  if (typeof edit.d !== "string" || edit.i !== undefined || edit.d === "" || !text.startsWith(edit.d, edit.p)) return false;
  holder[key] = text.slice(0, edit.p) + text.slice(edit.p + edit.d.length);
  return true;
}

function editList(list, at, { li, ld, lm }) {
  if (li !== undefined && ld === undefined) {
    if (!Number.isInteger(at) || at < 0 || at > list.length) return false;
    list.splice(at, 0, li);
    return true;
  }
  if (!has(list, at)) return false;
  if (lm !== undefined) {
    if (!has(list, lm)) return false;
    list.splice(lm, 0, ...list.splice(at, 1));
    return true;
  }
  if (!equal(list[at], ld)) return false;
  list.splice(at, 1, ...(li === undefined ? [] : [li]));
  return true;
}

function editMap(map, key, { oi, od }) {
  if (typeof key !== "string" || (od === undefined) === key in map || (od !== undefined && !equal(map[key], od))) return false;
  if (oi === undefined) delete map[key];
  else map[key] = oi;
  return true;
}
