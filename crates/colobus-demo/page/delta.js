// Rich text as deltas: lists of { insert } / { retain } / { delete } with optional attributes. A document is a delta of
// inserts that ends in a newline; what a line is (list, indent, heading) is formatting of its newline.
// The server has the same functions in src/delta; a test compares the two.

export const EMPTY_DOCUMENT = Object.freeze([Object.freeze({ insert: '\n' })]);

export const isInsert = (component) => component?.insert !== undefined;
export const isRetain = (component) => component?.retain !== undefined;
export const isDelete = (component) => component?.delete !== undefined;

export function lengthOf(component) {
  return isInsert(component) ? component.insert.length : (component.retain ?? component.delete);
}

export function documentLength(document) {
  return document.reduce((sum, component) => sum + lengthOf(component), 0);
}

/** Attributes in one order of keys, or undefined when there are none, so that equal ones print alike. */
export function tidy(attributes) {
  const keys = Object.keys(attributes ?? {}).sort();
  return keys.length ? Object.fromEntries(keys.map((key) => [key, attributes[key]])) : undefined;
}

export function sameAttributes(one, other) {
  return one === other || JSON.stringify(tidy(one)) === JSON.stringify(tidy(other));
}

function withAttributes(component, attributes) {
  const tidied = tidy(attributes);
  return tidied ? { ...component, attributes: tidied } : component;
}

export const insert = (text, attributes) => withAttributes({ insert: text }, attributes);
export const retain = (count, attributes) => withAttributes({ retain: count }, attributes);
export const remove = (count) => ({ delete: count });

function merge(delta, component) {
  const last = delta.at(-1);
  if (isDelete(last) && isDelete(component)) {
    delta[delta.length - 1] = remove(last.delete + component.delete);
  } else if (isInsert(last) && isInsert(component) && sameAttributes(last.attributes, component.attributes)) {
    delta[delta.length - 1] = insert(last.insert + component.insert, last.attributes);
  } else if (isRetain(last) && isRetain(component) && sameAttributes(last.attributes, component.attributes)) {
    delta[delta.length - 1] = retain(last.retain + component.retain, last.attributes);
  } else {
    delta.push(component);
  }
}

/** Appends in normal form: neighbours of one kind are one component, an insert stands before the delete at its place. */
export function push(delta, component) {
  if (lengthOf(component) === 0) return;
  const deletion = isInsert(component) && isDelete(delta.at(-1)) ? delta.pop() : undefined;
  merge(delta, component);
  if (deletion) delta.push(deletion);
}

/** A retain without formatting at the end says nothing. */
export function trim(delta) {
  while (isRetain(delta.at(-1)) && !delta.at(-1).attributes) delta.pop();
  return delta;
}

/** A change in normal form from its components. */
export function change(...components) {
  const delta = [];
  for (const component of components) push(delta, component);
  return trim(delta);
}

/** Walks the components of a delta in pieces of any length; behind the end all is retained. */
export class Cursor {
  constructor(delta) {
    this.delta = delta;
    this.index = 0;
    this.offset = 0;
  }

  get current() {
    return this.delta[this.index];
  }

  get atEnd() {
    return this.index >= this.delta.length;
  }

  available() {
    return this.atEnd ? Infinity : lengthOf(this.current) - this.offset;
  }

  take(count = this.available()) {
    if (this.atEnd) return retain(count);
    const { current, offset } = this;
    const length = Math.min(count, this.available());
    this.offset += length;
    if (this.available() === 0) {
      this.index += 1;
      this.offset = 0;
    }
    if (isInsert(current)) return insert(current.insert.slice(offset, offset + length), current.attributes);
    return isRetain(current) ? retain(length, current.attributes) : remove(length);
  }
}

function withoutRemoved(attributes) {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

/** What an insert or a retain becomes under a retain or a delete of the same length. */
function overlay(below, above) {
  if (isDelete(above)) return isInsert(below) ? undefined : above;
  const attributes = { ...below.attributes, ...above.attributes };
  return isInsert(below) ? insert(below.insert, withoutRemoved(attributes)) : retain(below.retain, attributes);
}

/** One change after another, as one change; a document composed with a change is the changed document. */
export function compose(earlier, later) {
  const [first, second, composed] = [new Cursor(earlier), new Cursor(later), []];
  while (!(first.atEnd && second.atEnd)) {
    if (isInsert(second.current)) {
      push(composed, second.take());
    } else if (isDelete(first.current)) {
      push(composed, first.take());
    } else {
      const count = Math.min(first.available(), second.available());
      const piece = overlay(first.take(count), second.take(count));
      if (piece) push(composed, piece);
    }
  }
  return trim(composed);
}

/** The change that takes `done` back; `document` is the one that `done` was made in. */
export function invert(done, document) {
  const [changes, text, inverse] = [new Cursor(done), new Cursor(document), []];
  while (!changes.atEnd) {
    if (isInsert(changes.current)) {
      push(inverse, remove(lengthOf(changes.take())));
      continue;
    }
    const count = Math.min(changes.available(), text.available());
    const [piece, original] = [changes.take(count), text.take(count)];
    if (isDelete(piece)) push(inverse, original);
    else push(inverse, retain(count, formerValues(piece.attributes, original.attributes)));
  }
  return trim(inverse);
}

function formerValues(set = {}, former = {}) {
  return Object.fromEntries(Object.keys(set).map((key) => [key, former[key] ?? null]));
}
