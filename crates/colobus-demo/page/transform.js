// Operational transformation: a change rebased onto another one made at the same time.

import { Cursor, insert, isDelete, isInsert, isRetain, lengthOf, push, retain, trim } from './delta.js';

/** Where a change stands relative to the one it is transformed against, in the order of their authors' numbers. */
export const EARLIER = 'earlier';
export const LATER = 'later';
export const orderOf = (author, other) => (author < other ? EARLIER : LATER);

/**
 * `change`, so that it can be applied after `other`. At one place the earlier text comes first; of two formats for one
 * character the later one stays. `losesFormatting` is the seeded bug: text beside a deleted run is taken for a part of it.
 */
export function transform(change, other, order, { losesFormatting = false } = {}) {
  const [ours, theirs, rebased] = [new Cursor(change), new Cursor(other), []];
  let besideDeletion = false;
  while (!ours.atEnd) {
    if (isInsert(ours.current) && (order === EARLIER || !isInsert(theirs.current))) {
      const piece = ours.take();
      const isLost = losesFormatting && (besideDeletion || isDelete(theirs.current));
      push(rebased, isLost ? insert(piece.insert) : piece);
    } else if (isInsert(theirs.current)) {
      push(rebased, retain(lengthOf(theirs.take())));
    } else {
      const count = Math.min(ours.available(), theirs.available());
      const [our, their] = [ours.take(count), theirs.take(count)];
      besideDeletion = isDelete(their);
      if (isRetain(their)) push(rebased, withoutOverruled(our, their.attributes, order));
    }
  }
  return trim(rebased);
}

function withoutOverruled(component, set, order) {
  if (!isRetain(component) || order === LATER || !set) return component;
  const kept = Object.entries(component.attributes ?? {}).filter(([key]) => !(key in set));
  return retain(component.retain, Object.fromEntries(kept));
}

/** Where a position is after a change. With `stick`, text inserted right there comes after it. */
export function moved(position, change, stick) {
  let [before, after] = [0, position];
  for (const component of change) {
    if (before > after) break;
    if (isInsert(component)) {
      if (before < after || !stick) after += lengthOf(component);
      before += lengthOf(component);
    } else if (isRetain(component)) {
      before += component.retain;
    } else {
      after -= Math.min(component.delete, after - before);
    }
  }
  return after;
}
